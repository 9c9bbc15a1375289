import { type RawBuilder, sql } from 'kysely'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Db } from '../../storage/database/tables.ts'
import { hasTimes, timesOfDate } from '../events/model/date.times.ts'
import { endOfTime, expandSeries, isMade } from './series.dates.ts'
import { copiedFields, timesField } from './series.fields.ts'
import { findSeries, listDates } from './series.repository.ts'

interface ViolationRow {
  readonly place: string
}

const isFollowing = (name: string) => sql`date.own_fields not like ${sql.lit(`%"${name}"%`)}`

const followers = sql`occurrences date
  join records template on template.kind = 'series' and template.language = date.language
    and (template.id = date.series_id or template.group_id = date.series_id)
  join records on records.id = date.event_id
  join events on events.record_id = date.event_id
  join events pattern on pattern.record_id = template.id
  where date.is_dropped = 0 and records.status <> 'trash' and template.status <> 'trash'`

const linkTables = {
  venue: ['event_venues', 'venue_id', ''],
  organizer: ['event_organizers', 'organizer_id', ''],
  category: ['event_terms', 'term_id', 'category'],
  tag: ['event_terms', 'term_id', 'tag'],
} as const

function linksDiffer(kind: keyof typeof linkTables): RawBuilder<unknown> {
  const [table, column, taxonomy] = linkTables[kind]
  const isOfKind =
    taxonomy === '' ? sql`true` : sql`term_id in (select id from terms where taxonomy = ${sql.lit(taxonomy)})`
  const linksOf = (id: string) =>
    sql`select ${sql.ref(column)} from ${sql.table(table)} where event_id = ${sql.ref(id)} and ${isOfKind}`
  return sql`(exists (${linksOf('records.id')} except ${linksOf('template.id')})
    or exists (${linksOf('template.id')} except ${linksOf('records.id')}))`
}

const differences = Object.entries(copiedFields).map(([name, { records = [], events = [], links }]) => {
  const conditions = [
    ...records.map((column) => sql`${sql.ref(`records.${column}`)} is distinct from ${sql.ref(`template.${column}`)}`),
    ...events.map((column) => sql`${sql.ref(`events.${column}`)} is distinct from ${sql.ref(`pattern.${column}`)}`),
    ...(links ? [linksDiffer(links)] : []),
  ]
  return sql`(${isFollowing(name)} and (${sql.join(conditions, sql` or `)}))`
})

/** Dates that differ from their series in a field that is not their own. For checks. */
export const wrongFollowers = sql<ViolationRow>`
  select 'event ' || date.event_id as place from ${followers} and (${sql.join(differences, sql` or `)})`

/** Dates without a series or an event, and series without rules. For checks. */
export const wrongSeries = sql<ViolationRow>`
  select 'event ' || event_id as place from occurrences
    where not exists (select 1 from records where id = event_id and kind = 'event')
      or not exists (select 1 from records where id = series_id and kind = 'series' and coalesce(group_id, id) = id)
  union all select 'series ' || id from records where kind = 'series' and coalesce(group_id, id) = id
    and (not exists (select 1 from series_rules where series_rules.series_id = records.id and position = 0)
      or not exists (select 1 from series_state where series_state.series_id = records.id))`

/** Returns some series, in order of id. */
const seriesPage = (after: number, limit: number) => sql<{ readonly id: number }>`
  select series_id as id from series_state where series_id > ${after} order by series_id limit ${sql.lit(limit)}`

const seriesAtOnce = 100

/** Yields the dates of all series that are not what the rules give: missing, too many, or at another time. For checks. */
export async function* listWrongDates(db: Db): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const { rows } = await seriesPage(after, seriesAtOnce).execute(db)
    for (const { id } of rows) yield* wrongDatesOf(db, id)
    const last = rows.at(-1)
    if (!last || rows.length < seriesAtOnce) return
    after = last.id
  }
}

async function* wrongDatesOf(db: Db, id: number): AsyncGenerator<string> {
  const series = await findSeries(db, id)
  if (!series) return
  const through = series.isEndless ? series.madeUntil : endOfTime
  const { dates } = expandSeries(series.segments, { through: endOfTime, limit: Number.POSITIVE_INFINITY })
  const given = new Map(dates.map((date) => [date.recurrenceId, date]))
  const live = (await listDates(db, id)).filter(({ isDropped }) => !isDropped)
  const seen = new Set<LocalDateTime>()
  for (const date of live) {
    seen.add(date.recurrenceId)
    const rule = given.get(date.recurrenceId)
    if (!rule) yield `event ${date.eventId}, ${date.recurrenceId}: the rules do not give it`
    else if (!date.ownFields.includes(timesField) && !hasTimes(date, timesOfDate(rule.segment, date.recurrenceId))) {
      yield `event ${date.eventId}, ${date.recurrenceId}: it has other times`
    }
  }
  for (const [recurrenceId, date] of given) {
    // The rules of a series without an end may know dates before they are due.
    if (!seen.has(recurrenceId) && isMade(date, through)) yield `series ${id}, ${recurrenceId}: it has no event`
  }
}
