import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../../base/languages/language.ts'
import { type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Flag } from '../../storage/database/tables.ts'
import { publicEvent, versionColumn } from '../changelog/event.version.repository.ts'
import { utcDay } from './daily.counts.ts'
import { classKey, type EventClass } from './event.classes.ts'
import { type EventOrderTable, FACETS, isStateFacet, longestShortSeconds } from './event.index.ts'

/** What the event index has of an event. */
export interface IndexedEvent {
  readonly id: number
  readonly class: string
  readonly startLocal: LocalDateTime
  readonly datedAt: number
  readonly endLocal: LocalDateTime
  readonly startUtc: number
  readonly endUtc: number
  readonly isLong: boolean
  readonly facets: readonly number[]
  /** The original of the series of which the event is a date. */
  readonly seriesId: number | undefined
}

/** The source data of an event. */
interface EventSource {
  readonly id: number
  readonly status: string
  readonly language: Language
  readonly group_id: number | null
  readonly author_id: number
  readonly dated_at: number
  readonly is_protected: Flag
  readonly start_local: string
  readonly end_local: string
  readonly start_utc: number
  readonly end_utc: number
  readonly is_hidden: Flag
  readonly is_featured: Flag
  readonly has_tickets: Flag
  readonly event_status: string
  readonly attendance: string
  /** Ids of groups, separated by commas. */
  readonly terms: string | null
  readonly venues: string | null
  readonly organizers: string | null
  /** The series of which it is a date. */
  readonly series_id: number | null
  /** The versions of its group that are not hidden, as `id status language`, separated by commas. */
  readonly versions: string | null
  /** The text from which the version of the event in the log of changes follows. */
  readonly version: string
}

/** The source data of an event, and what was derived from it, as JSON. Null if the event or its entry is missing. */
export interface EventSourceRow {
  readonly source: string | EventSource | null
  readonly entry: string | EventOrderTable | null
}

const linkedGroups = (links: string, column: string, table: 'records' | 'terms') => `(select string_agg(
    (select cast(coalesce(linked.group_id, linked.id) as text) from ${table} linked where linked.id = link.${column}), ',')
  from ${links} link where link.event_id = events.record_id)`

const columnsOf = (table: string, names: readonly string[]) => names.map((name) => [name, `${table}.${name}`] as const)

/** The values of `EventSource` as SQL, by their names. */
const sourceValues: readonly (readonly [name: string, value: string])[] = [
  ...columnsOf('records', ['id', 'status', 'language', 'group_id', 'author_id', 'dated_at']),
  ...columnsOf('events', ['start_local', 'end_local', 'start_utc', 'end_utc']),
  ...columnsOf('events', ['is_hidden', 'is_featured', 'has_tickets', 'event_status', 'attendance']),
  ['is_protected', 'case when records.password is null then 0 else 1 end'],
  ['terms', linkedGroups('event_terms', 'term_id', 'terms')],
  ['venues', linkedGroups('event_venues', 'venue_id', 'records')],
  ['organizers', linkedGroups('event_organizers', 'organizer_id', 'records')],
  ['series_id', '(select series_id from occurrences where event_id = events.record_id)'],
  [
    'versions',
    `(select string_agg(cast(version.id as text) || ' ' || version.status || ' ' || version.language, ',')
    from records version where version.group_id = records.group_id
      and (select is_hidden from events listed where listed.record_id = version.id) = 0)`,
  ],
]
const entryValues = [
  ...columnsOf('entry', ['event_id', 'class', 'start_local', 'dated_at', 'end_local', 'start_utc', 'end_utc']),
  ...columnsOf('entry', ['is_long', 'facets', 'series_id']),
]

/**
 * Returns the columns of `EventSourceRow`. Each is a subquery for one event: a server may not turn them into joins that
 * read all events.
 *
 * @param id The column with the id of the event.
 */
export function eventSourceColumns({ jsonObject }: Dialect, id: string): RawBuilder<unknown> {
  const object = (values: typeof sourceValues) =>
    `${jsonObject}(${values.map(([name, value]) => `'${name}', ${value}`).join(', ')})`
  const source = [...sourceValues, ['version', versionColumn(jsonObject)] as const]
  return sql.raw(`(select ${object(source)} from events join records on records.id = events.record_id
      where events.record_id = ${id} and records.id = ${id} and records.kind = 'event') as source,
    (select ${object(entryValues)} from event_order entry where entry.event_id = ${id}) as entry`)
}

/** Reads what is derived from these events, and what should be. For checks. */
export async function listIndexedEvents(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly { readonly before: IndexedEvent | undefined; readonly after: IndexedEvent | undefined }[]> {
  const { rows } = await sql<EventSourceRow>`
    select ${eventSourceColumns(dialect, 'given.id')} from ${dialect.numbers(ids)} given`.execute(db)
  return rows.map(indexedFromSource)
}

/** Returns the entry that an event has, and the entry that it should have. */
export function indexedFromSource({ source, entry }: EventSourceRow) {
  const [known, stored] = [parsed(source), parsed(entry)]
  return {
    before: stored ? indexedFromRow(stored) : undefined,
    after: known ? indexedAfter(known) : undefined,
    shown: publicEvent(known ?? undefined),
  }
}

/** PostgreSQL returns JSON as values, SQLite as text. */
export function parsed<T>(json: string | T | null): T | null {
  return typeof json === 'string' ? (JSON.parse(json) as T) : json
}

function indexedFromRow(row: EventOrderTable): IndexedEvent {
  return {
    id: row.event_id,
    class: row.class,
    startLocal: row.start_local as LocalDateTime,
    datedAt: row.dated_at,
    endLocal: row.end_local as LocalDateTime,
    startUtc: row.start_utc,
    endUtc: row.end_utc,
    isLong: row.is_long === 1,
    facets: row.facets.split(',').map(Number),
    seriesId: row.series_id ?? undefined,
  }
}

/** Returns the entry that the event should have. */
function indexedAfter(row: EventSource): IndexedEvent {
  const isLong = row.end_utc - row.start_utc > longestShortSeconds
  return {
    id: row.id,
    class: classKey(classOf(row, isLong)),
    startLocal: row.start_local as LocalDateTime,
    datedAt: row.dated_at,
    endLocal: row.end_local as LocalDateTime,
    startUtc: row.start_utc,
    endUtc: row.end_utc,
    isLong,
    facets: facetsOf(row),
    seriesId: row.series_id ?? undefined,
  }
}

function classOf(row: EventSource, isLong: boolean): EventClass {
  const { id, status, language, group_id } = row
  const own = { id, status, language }
  const competing = row.is_hidden === 1 ? [own] : versionsOf(row, own)
  const isOriginal = (version: { readonly id: number }) => version.id === group_id
  const versions = competing.toSorted(
    (one, other) => Number(isOriginal(other)) - Number(isOriginal(one)) || one.id - other.id,
  )
  return {
    versions,
    self: versions.findIndex((version) => version.id === id),
    isHidden: row.is_hidden === 1,
    isProtected: row.is_protected === 1,
    isLong,
    venues: Math.min(2, idsIn(row.venues).length),
    isOfSeries: row.series_id !== null,
  }
}

function versionsOf<V extends { readonly id: number; readonly status: string; readonly language: Language }>(
  { versions }: EventSource,
  own: V,
): readonly Pick<V, 'id' | 'status' | 'language'>[] {
  if (versions === null) return [own]
  return versions.split(',').map((version) => {
    const [id = '', status = '', language = ''] = version.split(' ')
    return { id: Number(id), status, language: language as Language }
  })
}

function facetsOf(row: EventSource): readonly number[] {
  const facets = [
    FACETS.all,
    ...(row.is_featured === 1 ? [FACETS.featured] : []),
    ...(row.has_tickets === 1 ? [FACETS.ticketed] : []),
    ...[row.event_status, row.attendance].filter(isStateFacet).map(FACETS.state),
    ...idsIn(row.terms).map(FACETS.term),
    ...idsIn(row.venues).map(FACETS.place),
    ...idsIn(row.organizers).map(FACETS.place),
    ...(row.series_id === null ? [] : [FACETS.series(row.series_id)]),
    ...(row.status === 'publish' && row.is_protected === 0 ? [] : [FACETS.author(row.author_id)]),
  ]
  return [...new Set(facets)].sort((one, other) => one - other)
}

/** Returns distinct ids: translations of each other count once. */
function idsIn(list: string | null): readonly number[] {
  return list === null ? [] : [...new Set(list.split(',').map(Number))]
}

/** Returns the day on which an event begins, as sets have it. */
export function dayOfStart(startLocal: LocalDateTime): number {
  return utcDay(secondsOfLocalDateTime(startLocal))
}
