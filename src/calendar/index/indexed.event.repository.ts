import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../../base/languages/language.ts'
import { type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Flag } from '../../storage/database/tables.ts'
import { utcDay } from './daily.counts.ts'
import { classKey, type EventClass } from './event.classes.ts'
import { type EventOrderTable, FACETS, longestShortSeconds } from './event.index.ts'

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
}

/** The source data of an event, and what was derived from it. Columns are null if the event or its entry is missing. */
export interface EventSourceRow {
  readonly id: number
  readonly status: string | null
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
  /** Ids of groups, separated by commas. */
  readonly terms: string | null
  readonly venues: string | null
  readonly organizers: string | null
  /** The versions of its group that are not hidden, as `id status language`, separated by commas. */
  readonly versions: string | null
  readonly old_class: string | null
  readonly old_start_local: string
  readonly old_dated_at: number
  readonly old_end_local: string
  readonly old_start_utc: number
  readonly old_end_utc: number
  readonly old_is_long: Flag
  readonly old_facets: string
}

const groupOf = (alias: string) => sql.raw(`cast(coalesce(${alias}.group_id, ${alias}.id) as text)`)
const linkedGroups = (table: string, column: string) => sql`(select string_agg(${groupOf('place')}, ',')
  from ${sql.table(table)} link join records place on place.id = link.${sql.ref(column)}
  where link.event_id = events.record_id)`
const orderColumns = ['class', 'start_local', 'dated_at', 'end_local', 'start_utc', 'end_utc', 'is_long', 'facets']

/** The columns of `EventSourceRow` except the id. */
export const eventEntriesColumns = sql`records.status, records.language, records.group_id, records.author_id,
  records.dated_at, case when records.password is null then 0 else 1 end as is_protected,
  events.start_local, events.end_local, events.start_utc, events.end_utc,
  events.is_hidden, events.is_featured, events.has_tickets,
  (select string_agg(${groupOf('term')}, ',') from event_terms link join terms term on term.id = link.term_id
    where link.event_id = events.record_id) as terms,
  ${linkedGroups('event_venues', 'venue_id')} as venues,
  ${linkedGroups('event_organizers', 'organizer_id')} as organizers,
  (select string_agg(cast(version.id as text) || ' ' || version.status || ' ' || version.language, ',')
    from records version join events listed on listed.record_id = version.id
    where version.group_id = records.group_id and listed.is_hidden = 0) as versions,
  ${sql.raw(orderColumns.map((column) => `entry.${column} as old_${column}`).join(', '))}`

/** The joins that these columns need, after a table with the ids of events. */
export function eventEntriesTables(alias: string): RawBuilder<unknown> {
  const id = sql.ref(`${alias}.event_id`)
  return sql`left join events on events.record_id = ${id} left join records on records.id = events.record_id
    left join event_order entry on entry.event_id = ${id}`
}

/** Reads what is derived from these events, and what should be. For checks. */
export async function listIndexedEvents(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly { readonly before: IndexedEvent | undefined; readonly after: IndexedEvent | undefined }[]> {
  const { rows } = await sql<EventSourceRow>`
    select given.event_id as id, ${eventEntriesColumns} from (select id as event_id from ${dialect.numbers(ids)} numbers)
      given ${eventEntriesTables('given')} order by given.event_id`.execute(db)
  return rows.map((row) => ({ before: indexedBefore(row), after: indexedAfter(row) }))
}

/** Returns the entry that the event has. */
export function indexedBefore(row: EventSourceRow): IndexedEvent | undefined {
  if (row.old_class === null) return undefined
  return indexedFromRow({
    ...{ event_id: row.id, class: row.old_class, start_local: row.old_start_local, dated_at: row.old_dated_at },
    ...{ end_local: row.old_end_local, start_utc: row.old_start_utc, end_utc: row.old_end_utc },
    ...{ is_long: row.old_is_long, facets: row.old_facets },
  })
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
  }
}

/** Returns the entry that the event should have. */
export function indexedAfter(row: EventSourceRow): IndexedEvent | undefined {
  if (row.status === null) return undefined
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
  }
}

function classOf(row: EventSourceRow, isLong: boolean): EventClass {
  const { id, status, language, group_id } = row
  const own = { id, status: status ?? '', language }
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
  }
}

function versionsOf<V extends { readonly id: number; readonly status: string; readonly language: Language }>(
  { versions }: EventSourceRow,
  own: V,
): readonly Pick<V, 'id' | 'status' | 'language'>[] {
  if (versions === null) return [own]
  return versions.split(',').map((version) => {
    const [id = '', status = '', language = ''] = version.split(' ')
    return { id: Number(id), status, language: language as Language }
  })
}

function facetsOf(row: EventSourceRow): readonly number[] {
  const facets = [
    FACETS.all,
    ...(row.is_featured === 1 ? [FACETS.featured] : []),
    ...(row.has_tickets === 1 ? [FACETS.ticketed] : []),
    ...idsIn(row.terms).map(FACETS.term),
    ...idsIn(row.venues).map(FACETS.place),
    ...idsIn(row.organizers).map(FACETS.place),
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
