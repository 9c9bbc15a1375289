import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { EventTimes } from '../events/model/event.ts'
import type { EventState } from '../events/model/state.ts'

// Changes of many dates at once: one statement for each table, however many dates.

/** A template, and the dates that take values from it. */
export interface Followers {
  readonly templateId: number
  readonly ids: readonly number[]
}

/** Copies columns of records from a template to its dates, and counts the change. */
export async function copyRecordColumns(
  tx: Tx,
  { templateId, ids }: Followers,
  { columns, at }: { readonly columns: readonly string[]; readonly at: number },
): Promise<void> {
  if (ids.length === 0) return
  const copied = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`template.${column}`)}, `)
  await sql`update records set ${sql.join(copied, sql``)} modified_at = ${at}, change_count = records.change_count + 1
    from records template
    where template.id = ${templateId} and ${dialectOf(tx).isAmong(sql.ref('records.id'), ids)}`.execute(tx)
}

/** Copies columns of events from a template to its dates. */
export async function copyEventColumns(
  tx: Tx,
  { templateId, ids }: Followers,
  columns: readonly string[],
): Promise<void> {
  if (ids.length === 0 || columns.length === 0) return
  const copied = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`template.${column}`)}`)
  await sql`update events set ${sql.join(copied)} from events template
    where template.record_id = ${templateId}
      and ${dialectOf(tx).isAmong(sql.ref('events.record_id'), ids)}`.execute(tx)
}

const linkTables = {
  venue: { table: 'event_venues', columns: ['venue_id', 'position'] },
  organizer: { table: 'event_organizers', columns: ['organizer_id', 'position'] },
} as const

/** Gives the dates of a template its venues or organizers. */
export async function copyEntryLinks(
  tx: Tx,
  { templateId, ids }: Followers,
  kind: keyof typeof linkTables,
): Promise<void> {
  const { table, columns } = linkTables[kind]
  await replaceLinks(tx, { templateId, ids }, { table, columns, condition: sql`true` })
}

/** Gives the dates of a template its categories or tags. */
export async function copyTermLinks(tx: Tx, followers: Followers, taxonomy: 'category' | 'tag'): Promise<void> {
  const condition = sql`term_id in (select terms.id from terms where taxonomy = ${taxonomy})`
  await replaceLinks(tx, followers, { table: 'event_terms', columns: ['term_id'], condition })
}

async function replaceLinks(
  tx: Tx,
  { templateId, ids }: Followers,
  {
    table,
    columns,
    condition,
  }: { readonly table: string; readonly columns: readonly string[]; readonly condition: RawBuilder<unknown> },
): Promise<void> {
  if (ids.length === 0) return
  const dialect = dialectOf(tx)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = sql.join(columns.map((column) => sql.ref(`link.${column}`)))
  await sql`delete from ${sql.table(table)}
    where ${dialect.isAmong(sql.ref('event_id'), ids)} and ${condition}`.execute(tx)
  await sql`insert into ${sql.table(table)} (event_id, ${names})
    select given.id, ${values} from ${sql.table(table)} link cross join ${dialect.numbers(ids)} given
    where link.event_id = ${templateId} and ${condition}`.execute(tx)
}

/** Notes that the search texts of these events must be made again. */
export async function noteStaleTexts(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`insert into stale_events (event_id, has_stale_text)
    select id, 1 from ${dialectOf(tx).numbers(ids)} given where true
    on conflict (event_id) do update set has_stale_text = 1`.execute(tx)
}

/** Notes a change of dates whose shared part stays the same. */
export async function touchDates(tx: Tx, ids: readonly number[], at: number): Promise<void> {
  if (ids.length === 0) return
  await sql`update records set modified_at = ${at}, change_count = change_count + 1
    where ${dialectOf(tx).isAmong(sql.ref('id'), ids)}`.execute(tx)
}

/** The new times of a date, and its state after them. */
export interface DateTimes extends EventTimes, EventState {
  readonly eventId: number
}

/** Gives dates other times. */
export async function updateTimes(tx: Tx, dates: readonly DateTimes[]): Promise<void> {
  if (dates.length === 0) return
  const rows = dates.map((date) => ({
    id: date.eventId,
    ...{ start_local: date.start, end_local: date.end, timezone: date.zone.name },
    ...{ start_utc: date.startUtc, end_utc: date.endUtc, is_all_day: date.isAllDay ? 1 : 0 },
    ...{ event_status: date.eventStatus, status_reason: date.statusReason, status_at: date.statusAt ?? null },
    ...{ previous_starts: JSON.stringify(date.previousStarts), attendance: date.attendance },
  }))
  const text = (name: string) => sql.raw(`${name} = given.value ->> '${name}'`)
  const number = (name: string, type = 'bigint') => sql.raw(`${name} = cast(given.value ->> '${name}' as ${type})`)
  const texts = ['start_local', 'end_local', 'timezone', 'event_status', 'status_reason', 'previous_starts']
  await sql`update events set ${sql.join([...texts, 'attendance'].map(text))}, ${number('start_utc')},
      ${number('end_utc')}, ${number('status_at')}, ${number('is_all_day', 'integer')}
    from ${dialectOf(tx).jsonRows(rows)} given
    where events.record_id = cast(given.value ->> 'id' as bigint)`.execute(tx)
}

/** The publication of a date after a change. */
export interface DatePublication {
  readonly id: number
  readonly status: string
  readonly statusBeforeTrash: string | null
  readonly datedAt: number
  readonly isDated: boolean
  readonly slug: string
}

/** Changes the status of dates. */
export async function updatePublications(tx: Tx, dates: readonly DatePublication[], at: number): Promise<void> {
  if (dates.length === 0) return
  const rows = dates.map(({ isDated, ...date }) => ({ ...date, isDated: isDated ? 1 : 0 }))
  await sql`update records set status = given.value ->> 'status',
      status_before_trash = given.value ->> 'statusBeforeTrash',
      dated_at = cast(given.value ->> 'datedAt' as bigint), is_dated = cast(given.value ->> 'isDated' as integer),
      slug = given.value ->> 'slug', modified_at = ${at}, change_count = change_count + 1
    from ${dialectOf(tx).jsonRows(rows)} given
    where records.id = cast(given.value ->> 'id' as bigint)`.execute(tx)
}

/** Gives dates other local starts by which the series knows them. */
export async function moveOccurrences(
  tx: Tx,
  moved: readonly { readonly id: number; readonly recurrenceId: string }[],
): Promise<void> {
  if (moved.length === 0) return
  const dialect = dialectOf(tx)
  const ids = moved.map(({ id }) => id)
  // In two steps: a date may take the start of another one that moves too.
  await sql`update occurrences set recurrence_id = '-' || recurrence_id
    where ${dialect.isAmong(sql.ref('event_id'), ids)}`.execute(tx)
  await sql`update occurrences set recurrence_id = given.value ->> 'recurrenceId'
    from ${dialect.jsonRows(moved)} given
    where occurrences.event_id = cast(given.value ->> 'id' as bigint)`.execute(tx)
}

/** Makes dates translations of each other: each of a pair joins the group of the other. */
export async function joinGroups(
  tx: Tx,
  pairs: readonly { readonly id: number; readonly groupId: number }[],
): Promise<void> {
  if (pairs.length === 0) return
  const rows = [...pairs, ...pairs.map(({ groupId }) => ({ id: groupId, groupId }))]
  await sql`update records set group_id = cast(given.value ->> 'groupId' as bigint)
    from ${dialectOf(tx).jsonRows([...new Map(rows.map((row) => [row.id, row])).values()])} given
    where records.id = cast(given.value ->> 'id' as bigint)`.execute(tx)
}
