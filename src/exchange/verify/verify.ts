import { isDeepStrictEqual } from 'node:util'
import { deviations, type Fields } from './deviations.ts'
import { openVerified, type VerifiedSide, verifiedKinds } from './verified.records.ts'

/** A record that only one calendar has, or whose field differs between both. Values are those of a report. */
export interface Difference {
  readonly what: 'missing' | 'additional' | 'different'
  readonly kind: string
  /** What people recognize it by: its slug, or its title and start. */
  readonly record: string
  readonly field?: string
  readonly old?: unknown
  readonly new?: unknown
}

/** The result of a comparison. */
export interface Verification {
  /** The number of records that both calendars have, by kind. */
  readonly compared: Readonly<Record<string, number>>
  readonly differences: readonly Difference[]
  /** The number of differences that a move makes on purpose, by the name of the deviation. */
  readonly deviations: Readonly<Record<string, number>>
}

/** Compares two fetched calendars field by field. Records that both have are those with the same slug, or title and start. */
export async function verifyFolders(
  old: VerifiedSide,
  now: VerifiedSide,
  onProgress?: (done: number, total: number) => void,
): Promise<Verification> {
  // Only a calendar of this service has languages and series.
  const areAlike = old.manifest.own !== undefined && now.manifest.own !== undefined
  const [before, after] = [await openVerified(old, areAlike), await openVerified(now, areAlike)]
  const compared: Record<string, number> = {}
  const differences: Difference[] = []
  const listed: Record<string, number> = {}
  const total = verifiedKinds.reduce((sum, kind) => sum + before[kind].size, 0)
  /** The new names of records, by the field that names them. */
  const renamed = new Map<string, ReadonlyMap<unknown, string>>()
  let done = 0
  for (const kind of verifiedKinds) {
    compared[kind] = 0
    const names = new Map<unknown, string>(before[kind].keys().map((name) => [name, name]))
    // A record that had no slug may have got one.
    const added = [...after[kind]].filter(([name]) => !before[kind].has(name))
    const byTitle = new Map(added.map(([name, { title }]) => [title, name]))
    for (const [name, { title }] of before[kind]) {
      if (!after[kind].has(name)) names.set(name, byTitle.get(title) ?? name)
    }
    renamed.set(kind === 'venues' || kind === 'organizers' ? kind.slice(0, -1) : kind, names)
    for (const [record, { read }] of before[kind]) {
      done += 1
      onProgress?.(done, total)
      const other = after[kind].get(names.get(record) ?? record)
      if (!other) {
        differences.push({ what: 'missing', kind, record })
        continue
      }
      compared[kind] += 1
      const [oldRecord, newRecord] = [await read(), await other.read()]
      for (const field of fieldsOf(oldRecord, newRecord, areAlike)) {
        const values = { old: oldRecord[field], new: newRecord[field] }
        const named = renamed.get(field)
        const all: readonly unknown[] = named && Array.isArray(values.old) ? values.old : []
        const expected = all.map((name) => named?.get(name) ?? name)
        if (all.length > 0 && isDeepStrictEqual(expected, values.new)) continue
        const differing = { kind, field, ...values, oldRecord, newRecord }
        const [deviation] = Object.entries(deviations).find(([, holds]) => holds(differing)) ?? []
        if (deviation === undefined) differences.push({ what: 'different', kind, record, field, ...values })
        else listed[deviation] = (listed[deviation] ?? 0) + 1
      }
    }
    const found = new Set(names.values())
    for (const record of after[kind].keys()) {
      if (!found.has(record)) differences.push({ what: 'additional', kind, record })
    }
  }
  return { compared, differences, deviations: listed }
}

/** Returns the names of fields with other values. A field that is missing is the same as an empty one. */
function fieldsOf(old: Fields, now: Fields, areAlike: boolean): readonly string[] {
  const names = new Set([...Object.keys(old), ...Object.keys(now)])
  // Another calendar does not say all that this service does. Visitors do not see authors.
  const isKnown = (name: string) =>
    (areAlike || old[name] !== undefined) && (name !== 'author' || (old.author && now.author) !== undefined)
  return [...names].filter((name) => isKnown(name) && !isDeepStrictEqual(filled(old[name]), filled(now[name])))
}

function filled(value: unknown): unknown {
  const isEmpty = value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)
  return isEmpty ? undefined : value
}
