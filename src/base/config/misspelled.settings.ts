import { SETTINGS } from './config.ts'
import { fileSettingOf } from './setting.ts'

const settings = Object.values(SETTINGS)
const known = new Set(settings.flatMap((setting) => [setting.name, fileSettingOf(setting)]))
const maxEdits = 2
/** A name of up to three letters is similar to too many others. */
const minNameLength = 4

/**
 * Returns one line for each name that is similar to a setting but is not one. A typing error would otherwise be ignored
 * silently.
 *
 * @param isOurs Whether all names were written for the service. In an environment they were not: a name of one word,
 *   such as `LANGUAGE` or `PAGER`, may belong to another program.
 */
export function misspelledSettings(
  names: readonly string[],
  { isOurs }: { readonly isOurs: boolean },
): readonly string[] {
  return names
    .filter((name) => !known.has(name) && name.length >= minNameLength && (isOurs || name.includes('_')))
    .flatMap((name) => {
      const meant = settings.find((setting) => isNear(name, setting.name))
      return meant ? [`${name} is not a setting and has no effect. Did you mean ${meant.name}?`] : []
    })
}

/** Names of very different lengths are not compared, since an environment has many names. */
function isNear(name: string, other: string): boolean {
  return Math.abs(name.length - other.length) <= maxEdits && editDistance(name, other) <= maxEdits
}

/** Returns one line for each setting that is not a secret but is set through a file. */
export function ignoredFileSettings(names: readonly string[]): readonly string[] {
  return settings
    .filter((setting) => !setting.isSecret && names.includes(fileSettingOf(setting)))
    .map((setting) => `${fileSettingOf(setting)} has no effect: only secrets can be read from files.`)
}

/**
 * Returns the number of letters to change, insert, delete or swap with the next one to turn one text into the other.
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = next
  }
  return last[to.length] ?? 0
}
