import { SETTINGS } from './config.ts'
import { fileSettingOf } from './setting.ts'

const settings = Object.values(SETTINGS)
const known = new Set(settings.flatMap((setting) => [setting.name, fileSettingOf(setting)]))
const maxEdits = 2
/** One name in three letters is like too many others. */
const minNameLength = 4

/**
 * Of these names those that are nearly a setting and yet none, one line each: a slip would else change nothing, in
 * silence.
 *
 * @param isOurs Whether the names were all written for the service. Those of an environment were not: there a name of
 *   one word, such as `LANGUAGE` or `PAGER`, may well be somebody else's.
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

/** Names of quite another length are not even compared: an environment has many. */
function isNear(name: string, other: string): boolean {
  return Math.abs(name.length - other.length) <= maxEdits && editDistance(name, other) <= maxEdits
}

/** Settings that are no secrets and yet named with a file, one line each. */
export function ignoredFileSettings(names: readonly string[]): readonly string[] {
  return settings
    .filter((setting) => !setting.isSecret && names.includes(fileSettingOf(setting)))
    .map((setting) => `${fileSettingOf(setting)} has no effect: only secrets can be read from files.`)
}

/** How many letters have to be changed, added, left out or swapped with the next to come from one text to the other. */
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
