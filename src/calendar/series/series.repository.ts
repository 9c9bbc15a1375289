import { sql } from 'kysely'
import type { Language } from '../../base/languages/language.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, RecordRow, Row, Tx } from '../../storage/database/tables.ts'
import { findTemplate } from '../events/event.repository.ts'
import type { EventState, PreviousStart } from '../events/model/state.ts'
import { listSegments } from '../occurrences/occurrence.repository.ts'
import type { RecordStatus } from '../records/record.ts'
import { listTranslationsInGroups } from '../translations/group.repository.ts'
import type { Series, SeriesDate } from './series.ts'

/** Returns the series of which this is a template in any language. Runs a fixed number of queries for each language. */
export async function findSeries(db: Db, templateId: number): Promise<Series | undefined> {
  const named = await findTemplate(db, templateId)
  if (!named) return undefined
  const { groupId: id } = named
  const versions = await listTranslationsInGroups(db, 'records', [id])
  const found = await Promise.all(
    versions.map((version) => (version.id === named.id ? named : findTemplate(db, version.id))),
  )
  const templates = found.flatMap((template) => template ?? [])
  const original = templates.find((template) => template.id === id) ?? named
  const state = await db.selectFrom('series_state').selectAll().where('series_id', '=', id).executeTakeFirst()
  return {
    id,
    templates: [original, ...templates.filter((template) => template.id !== original.id)],
    segments: (await listSegments(db, [id])).get(id) ?? [],
    madeUntil: (state?.made_until ?? '') as LocalDateTime,
    isEndless: state?.is_endless === 1,
    sequence: state?.sequence ?? 0,
  }
}

/** Stores until when the dates of a series exist. */
export async function saveState(
  tx: Tx,
  { id, madeUntil, isEndless, sequence }: Pick<Series, 'id' | 'madeUntil' | 'isEndless' | 'sequence'>,
): Promise<void> {
  const state = { made_until: madeUntil, is_endless: isEndless ? (1 as const) : (0 as const), sequence }
  await tx
    .insertInto('series_state')
    .values({ series_id: id, ...state })
    .onConflict((on) => on.column('series_id').doUpdateSet(state))
    .execute()
}

type DateRow = Omit<Row<'occurrences'>, 'series_id'> &
  Pick<RecordRow, 'group_id' | 'author_id' | 'status' | 'status_before_trash' | 'slug' | 'dated_at' | 'is_dated'> & {
    readonly start_local: string
    readonly end_local: string
    readonly timezone: string
    readonly start_utc: number
    readonly end_utc: number
    readonly is_all_day: number
    readonly event_status: EventState['eventStatus']
    readonly status_reason: string
    readonly status_at: number | null
    readonly previous_starts: string
    readonly attendance: EventState['attendance']
    readonly has_tickets: number
  }

const dateRows = compiledStatement<{ readonly id: number; readonly from: string }, DateRow>(
  ({ id, from }) => sql<DateRow>`
    select date.event_id, date.recurrence_id, date.path, date.own_fields, date.is_dropped, date.language,
      records.group_id, records.author_id, records.status, records.status_before_trash, records.slug,
      records.dated_at, records.is_dated,
      events.start_local, events.end_local, events.timezone, events.start_utc, events.end_utc, events.is_all_day,
      events.event_status, events.status_reason, events.status_at, events.previous_starts, events.attendance,
      case when events.tickets = '[]' then 0 else 1 end as has_tickets
    from occurrences date join records on records.id = date.event_id join events on events.record_id = date.event_id
    where date.series_id = ${id} and date.recurrence_id >= ${from}
    order by date.recurrence_id, date.event_id`,
)

/** Returns the dates of a series, dropped ones too, in order. Runs one query. */
export async function listDates(db: Db, seriesId: number, from = ''): Promise<readonly SeriesDate[]> {
  return (await dateRows(db, { id: seriesId, from })).map((row) => ({
    eventId: row.event_id,
    language: row.language as Language,
    groupId: row.group_id ?? row.event_id,
    authorId: row.author_id,
    recurrenceId: row.recurrence_id as LocalDateTime,
    path: row.path,
    ownFields: JSON.parse(row.own_fields) as readonly string[],
    isDropped: row.is_dropped === 1,
    status: row.status as RecordStatus,
    statusBeforeTrash: (row.status_before_trash ?? undefined) as RecordStatus | undefined,
    slug: row.slug,
    datedAt: row.dated_at,
    isDated: row.is_dated === 1,
    start: row.start_local as LocalDateTime,
    end: row.end_local as LocalDateTime,
    zone: parseZone(row.timezone) ?? { ...utcZone, name: row.timezone },
    startUtc: row.start_utc,
    endUtc: row.end_utc,
    isAllDay: row.is_all_day === 1,
    eventStatus: row.event_status,
    statusReason: row.status_reason,
    statusAt: row.status_at ?? undefined,
    previousStarts: JSON.parse(row.previous_starts) as readonly PreviousStart[],
    attendance: row.attendance,
    hasTickets: row.has_tickets === 1,
  }))
}

/** A series without an end that lacks dates. */
export interface ShortSeries {
  readonly id: number
  readonly madeUntil: LocalDateTime
}

/** Returns series without end whose dates exist until before this local time, those that need it most first. */
export async function listShortSeries(
  db: Db,
  { until, after, limit }: { readonly until: LocalDateTime; readonly after?: ShortSeries; readonly limit: number },
): Promise<readonly ShortSeries[]> {
  const isNext = after ? sql`and (made_until, series_id) > (${after.madeUntil}, ${after.id})` : sql``
  const { rows } = await sql<{ series_id: number; made_until: string }>`
    select series_id, made_until from series_state where is_endless = 1 and made_until < ${until} ${isNext}
      and (select status from records where records.id = series_id) <> 'trash'
    order by made_until, series_id limit ${sql.lit(limit)}`.execute(db)
  return rows.map((row) => ({ id: row.series_id, madeUntil: row.made_until as LocalDateTime }))
}
