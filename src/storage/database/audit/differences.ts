import { isoUtc } from '../../../base/time/wire.ts'
import type { AuditedColumns, AuditedParts, AuditedTables, AuditFormat } from './audited.tables.ts'

/** What a write did to one row, or the combined result of several changes of it. */
export interface PendingRow {
  readonly subject: 'record' | 'term' | 'user' | 'cancellation' | 'audit'
  readonly item_id: number
  /** The table of the row. */
  readonly area: string
  /** For a link, the id of the linked item. 0 for the item's own rows. */
  readonly part_id: number
  /** Kind of the item. '' if the change is not a change of the item itself. */
  readonly kind: string
  /** JSON of the fields, or of the position for a link. Null if the row did not exist. */
  readonly was: string | null
  readonly became: string | null
}

/** The value of a field before and after a write. */
interface Difference {
  readonly before: unknown
  readonly after: unknown
  /** Set if the stored value is a shortened copy. */
  readonly cut?: true
}

export type Differences = Readonly<Record<string, Difference>>

type FieldValues = Readonly<Record<string, unknown>>

/** Maximum characters kept of a value. The first length that keeps the whole below `maxBytes` is used. */
const valueLengths = [1000, 100, 20] as const
const maxBytes = 16_384

/** Fields of the record of a removal of entries. Storage itself writes this record. */
const ownItems: AuditedTables['items'] = { audit: { entries: { column: 'entries', format: 'plain' } } }

/**
 * Returns the changes of one item. For a removed item, these are all of its fields. They contain no secret, and nothing
 * derived from a secret.
 */
export function differencesOf(parts: readonly PendingRow[], audited: AuditedTables): Differences {
  const items = { ...audited.items, ...ownItems }
  const changes = Object.fromEntries([
    ...parts.flatMap((part) => (part.part_id === 0 ? changedFields(part, items[part.area] ?? {}) : [])),
    ...Object.entries(audited.parts).flatMap(([area, shown]) =>
      changedParts(
        parts.filter((part) => part.area === area),
        shown,
      ),
    ),
  ])
  for (const length of valueLengths) {
    const kept = Object.fromEntries(
      Object.entries(changes).map(([field, change]) => [field, truncateChange(length, change)]),
    )
    if (Buffer.byteLength(JSON.stringify(kept)) <= maxBytes) return kept
  }
  return {}
}

type FieldDifference = readonly [field: string, change: Difference]

function changedFields({ was, became }: PendingRow, columns: AuditedColumns): readonly FieldDifference[] {
  const before = JSON.parse(was ?? '{}') as FieldValues
  const after = JSON.parse(became ?? '{}') as FieldValues
  return Object.keys({ ...before, ...after }).flatMap((field): FieldDifference[] => {
    const values = { before: before[field] ?? null, after: after[field] ?? null }
    const format = Object.hasOwn(columns, field) ? columns[field]?.format : undefined
    if (values.before === values.after || !format) return []
    return [[field, { before: shown(format, values.before), after: shown(format, values.after) }]]
  })
}

/** Returns a stored value in the format of the interface. */
function shown(format: AuditFormat, value: unknown): unknown {
  if (value === null) return null
  switch (format) {
    case 'plain':
      return value
    case 'flag':
      return value === 1
    case 'json':
      return JSON.parse(String(value))
    case 'instant':
      return isoUtc(Number(value))
    case 'secret':
      // Only shows that a secret exists and that it changed, not its value or digest.
      return 'set'
  }
}

function changedParts(parts: readonly PendingRow[], { field, shownAs }: AuditedParts): readonly FieldDifference[] {
  return shownAs === 'links' ? changedLinks(parts, field) : changedKeys(parts, field, shownAs)
}

/** A write replaces all links of an item, so the noted rows are the complete list. */
function changedLinks(parts: readonly PendingRow[], field: string): readonly FieldDifference[] {
  const inOrder = (side: 'was' | 'became') =>
    parts
      .filter((part) => part[side] !== null)
      .sort((a, b) => Number(a[side]) - Number(b[side]))
      .map(({ part_id }) => part_id)
  const change = { before: inOrder('was'), after: inOrder('became') }
  return change.before.join() === change.after.join() ? [] : [[field, change]]
}

/** Only lists the keys and sessions that were added, removed or renewed. */
function changedKeys(
  parts: readonly PendingRow[],
  field: string,
  shownAs: 'ids' | 'labels',
): readonly FieldDifference[] {
  const keys = (side: 'was' | 'became') =>
    parts
      .flatMap((part) => (part[side] === null ? [] : [{ id: part.part_id, label: part[side] }]))
      .sort((a, b) => a.id - b.id)
      .map((key) => (shownAs === 'ids' ? key.id : key))
  return parts.length === 0 ? [] : [[field, { before: keys('was'), after: keys('became') }]]
}

function truncateChange(length: number, { before, after }: Difference): Difference {
  const cut = (value: unknown): unknown => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text.length <= length ? value : `${text.slice(0, length).toWellFormed()}…`
  }
  const change = { before: cut(before), after: cut(after) }
  return change.before === before && change.after === after ? change : { ...change, cut: true }
}
