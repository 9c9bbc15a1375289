import { hash } from 'node:crypto'

/** A field as its source may write it: its arguments, and its stored value. */
interface StandingField<R> {
  /** Arguments that depend on each other. */
  readonly args: readonly string[]
  readonly stored: (row: R) => unknown
}

/** The fields of a kind, by the name of one of their arguments. */
export type StandingFields<R> = Readonly<Record<string, StandingField<R>>>

/** Short digests of the stored values of a record, by field. Empty values are left out. */
export type Standing = Readonly<Record<string, string>>

const digestLength = 8
const blanks: readonly unknown[] = [null, undefined, '', 0, '[]', '{}']

/** Returns the digests of a stored record. */
export function standingOf<R>(fields: StandingFields<R>, row: R): Standing {
  const digests: Record<string, string> = {}
  for (const [name, { stored }] of Object.entries(fields)) {
    const value = stored(row)
    if (blanks.includes(value) || (Array.isArray(value) && value.every((one) => blanks.includes(one)))) continue
    digests[name] = hash('sha256', JSON.stringify(value), 'base64url').slice(0, digestLength)
  }
  return digests
}

/** Returns the fields that have changed between two states. */
export function changedFields(before: Standing, after: Standing): ReadonlySet<string> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return new Set([...names].filter((name) => before[name] !== after[name]))
}

/** Returns the digests to remember: those of `after`, and of fields that were edited here those from before the edit. */
export function rememberedStanding(before: Standing, after: Standing, edited: ReadonlySet<string>): Standing {
  const names = new Set([...Object.keys(after), ...edited])
  const digests: Record<string, string> = {}
  for (const name of names) {
    const digest = edited.has(name) ? before[name] : after[name]
    if (digest !== undefined) digests[name] = digest
  }
  return digests
}
