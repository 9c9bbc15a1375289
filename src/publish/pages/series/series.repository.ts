import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../../../base/languages/language.ts'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import {
  type RenderedEventRow,
  renderedEventColumns,
  renderedEventFromRow,
  withLinks,
} from '../../../calendar/events/event.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import type { RecordStatus } from '../../../calendar/records/record.ts'
import type { ReadContext } from '../../../calendar/translations/viewer.ts'
import { compiledStatement } from '../../../storage/database/statements/compiled.statement.ts'
import { bigintParameter } from '../../../storage/database/statements/sql.parameters.ts'
import type { Db } from '../../../storage/database/tables.ts'

export interface SeriesTemplate {
  readonly id: number
  /** The original of the templates. */
  readonly seriesId: number
  readonly language: Language
  readonly slug: string
  readonly titleHtml: string
  readonly status: RecordStatus
  readonly statusBeforeTrash: RecordStatus | null
  readonly isProtected: 0 | 1
}

const templateColumns = sql.raw(`records.id, coalesce(records.group_id, records.id) as "seriesId", records.language,
  records.slug, records.title_html as "titleHtml", records.status, records.status_before_trash as "statusBeforeTrash",
  case when records.password is null then 0 else 1 end as "isProtected"`)

/** Returns the templates with this slug, in order of id. Runs one query. */
export const listTemplatesBySlug = compiledStatement<{ readonly slug: string }, SeriesTemplate>(
  ({ slug }) =>
    sql<SeriesTemplate>`select ${templateColumns} from records where kind = 'series' and slug = ${slug} order by id`,
)

/** Returns the templates of a series, the original first. Runs one query. */
export const listTemplates = compiledStatement<{ readonly id: number }, SeriesTemplate>(
  ({ id }) => sql<SeriesTemplate>`
    select ${templateColumns} from records where id = ${id} and kind = 'series'
    union all
    select ${templateColumns} from records where group_id = ${id} and kind = 'series' and id <> ${id}
    order by 1`,
)

/** The dates of a series that a visitor sees in a list: not those that a password protects. */
const shown = sql`from occurrences date join records on records.id = date.event_id
  join events on events.record_id = date.event_id and events.is_hidden = 0
  where records.status = 'publish' and records.password is null`

/** The dates of a series in one language that a visitor sees. */
export interface ShownDates {
  readonly language: Language
  readonly count: number
  readonly first: LocalDateTime
  readonly last: LocalDateTime
  /** The end of the last one, in seconds since 1970. */
  readonly lastEnd: number
}

/** Returns how many dates of a series a visitor sees, by language. Runs one query. */
export async function countShownDates(db: Db, seriesId: number): Promise<readonly ShownDates[]> {
  const rows = await shownCounts(db, { seriesId })
  return rows.map((row) => ({ ...row, count: Number(row.count), lastEnd: Number(row.lastEnd) }))
}

const shownCounts = compiledStatement<{ readonly seriesId: number }, ShownDates>(
  ({ seriesId }) => sql<ShownDates>`
    select date.language, count(*) as count, min(events.start_local) as first, max(events.start_local) as last,
      max(events.end_utc) as "lastEnd"
    ${shown} and date.series_id = ${seriesId} group by date.language order by date.language`,
)

export interface DatesIn {
  readonly seriesId: number
  readonly language: Language
}

const ofSeries = ({ seriesId, language }: DatesIn) => sql`date.series_id = ${seriesId} and date.language = ${language}`

/**
 * Returns the id of the next date that takes place, else of the next one, else of the last one. Dates that a visitor
 * does not see in lists only count if there are no others. Runs one or two queries.
 *
 * @param now Whole seconds since 1970, UTC.
 */
export async function findNextDate(db: Db, dates: DatesIn, now: number): Promise<number | undefined> {
  const isComing = sql`events.end_utc >= ${now}`
  const inOrder = sql`order by case when ${isComing} and events.event_status not in ('canceled', 'postponed') then 0
      when ${isComing} then 1 else 2 end,
    case when ${isComing} then events.start_utc else -events.start_utc end, records.id limit 1`
  const open = await sql<{ id: number }>`select records.id ${shown} and ${ofSeries(dates)} ${inOrder}`.execute(db)
  if (open.rows[0]) return open.rows[0].id
  const other = await sql<{ id: number }>`select records.id from occurrences date
    join records on records.id = date.event_id join events on events.record_id = date.event_id
    where records.status = 'publish' and ${ofSeries(dates)} ${inOrder}`.execute(db)
  return other.rows[0]?.id
}

export interface DateQuery extends DatesIn {
  /** Dates that end at or after this local time, or before it. */
  readonly ends?: { readonly operator: '>=' | '<'; readonly at: LocalDateTime }
  readonly isLatestFirst?: boolean
  readonly limit: number
  readonly offset?: number
}

const ending = ({ ends }: Pick<DateQuery, 'ends'>): RawBuilder<unknown> =>
  ends === undefined ? sql`` : sql`and events.end_local ${sql.raw(ends.operator)} ${ends.at}`

/** Returns the number of these dates that a visitor sees. Runs one query. */
export async function countDates(db: Db, query: DatesIn & Pick<DateQuery, 'ends'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count ${shown} and ${ofSeries(query)} ${ending(query)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Returns dates of a series that a visitor sees, in order. Runs a fixed number of queries. */
export async function listDates(context: ReadContext, query: DateQuery): Promise<readonly LinkedEvent[]> {
  const { limit, offset = 0, isLatestFirst = false } = query
  const direction = sql.raw(isLatestFirst ? 'desc' : 'asc')
  const { rows } = await sql<RenderedEventRow>`
    select ${renderedEventColumns} from (
      select records.id, events.start_local ${shown} and ${ofSeries(query)} ${ending(query)}
      order by events.start_local ${direction}, records.id ${direction} limit ${bigintParameter(limit)} offset ${bigintParameter(offset)}
    ) page join records on records.id = page.id join events on events.record_id = page.id
    order by page.start_local ${direction}, page.id ${direction}`.execute(context.db)
  return withLinks(context, rows.map(renderedEventFromRow))
}

/** A date before or after another one. */
export type NearDate = Pick<LinkedEvent, 'language' | 'start' | 'end' | 'isAllDay' | 'eventStatus' | 'attendance'> & {
  readonly path: string
}

/** Returns the dates before and after a date that a visitor sees. Runs two queries. */
export async function findNearDates(
  db: Db,
  dates: DatesIn,
  { id, start }: Pick<LinkedEvent, 'id' | 'start'>,
): Promise<{ readonly previous: NearDate | undefined; readonly next: NearDate | undefined }> {
  const find = async (operator: '<' | '>', direction: 'asc' | 'desc'): Promise<NearDate | undefined> => {
    const { rows } = await sql<Omit<NearDate, 'isAllDay'> & { readonly isAllDay: number }>`
      select date.path, date.language, events.start_local as start, events.end_local as "end",
        events.is_all_day as "isAllDay", events.event_status as "eventStatus", events.attendance
      ${shown} and ${ofSeries(dates)} and (events.start_local, records.id) ${sql.raw(operator)} (${start}, ${id})
      order by events.start_local ${sql.raw(direction)}, records.id ${sql.raw(direction)} limit 1`.execute(db)
    return rows[0] && { ...rows[0], isAllDay: rows[0].isAllDay === 1 }
  }
  return { previous: await find('<', 'desc'), next: await find('>', 'asc') }
}
