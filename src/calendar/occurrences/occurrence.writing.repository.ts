import { sql } from 'kysely'
import type { Language } from '../../base/languages/language.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { compiledInsert, compiledStatement, dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, Row, Tx } from '../../storage/database/tables.ts'
import { ruleText } from '../recurrence/rule.text.ts'
import type { SeriesSegment } from './occurrence.ts'

type RuleRow = Omit<Row<'series_rules'>, 'id'>

function ruleRow(seriesId: number, segment: SeriesSegment): RuleRow {
  const { rule, dates, except } = segment.recurrence
  return {
    series_id: seriesId,
    position: segment.position,
    from_local: segment.from,
    start_local: segment.start,
    end_local: segment.end,
    timezone: segment.zone.name,
    is_all_day: segment.isAllDay ? 1 : 0,
    rrule: rule === undefined ? '' : ruleText(rule),
    dates: JSON.stringify(dates),
    except: JSON.stringify(except),
  }
}

/** Stores the segments of a series. They keep their ids. Only rows that differ are written. */
export async function saveSegments(
  tx: Tx,
  seriesId: number,
  { before, after }: { readonly before: readonly SeriesSegment[]; readonly after: readonly SeriesSegment[] },
): Promise<void> {
  if (after.length === 0) throw new Error(`The series ${seriesId} would have no rules.`)
  const known = new Map(before.map((segment) => [segment.id, segment]))
  const placed = after.map((segment, position) => ({ ...segment, position }))
  const isKept = new Set(placed.map(({ id }) => id))
  const lost = before.filter(({ id }) => !isKept.has(id)).map(({ id }) => id)
  const moved = placed.filter(({ id, position }) => known.has(id) && known.get(id)?.position !== position)
  if (lost.length > 0) await tx.deleteFrom('series_rules').where('id', 'in', lost).execute()
  // In two steps, because a segment may get the position of another one that moves too.
  const ids = moved.map(({ id }) => id)
  const aside = sql<number>`-1 - position`
  if (ids.length > 0) await tx.updateTable('series_rules').set({ position: aside }).where('id', 'in', ids).execute()
  for (const segment of placed) {
    const row = ruleRow(seriesId, segment)
    const stored = known.get(segment.id)
    // A segment that was cut in two is stored once under its id.
    known.delete(segment.id)
    if (!stored) await tx.insertInto('series_rules').values(row).execute()
    else if (JSON.stringify(ruleRow(seriesId, stored)) !== JSON.stringify(row))
      await tx.updateTable('series_rules').set(row).where('id', '=', segment.id).execute()
  }
}

/** Counts a change of the rules or times of a series, for iCalendar. */
export async function countSequence(tx: Tx, seriesId: number): Promise<void> {
  await tx
    .updateTable('series_state')
    .set((e) => ({ sequence: e('sequence', '+', 1) }))
    .where('series_id', '=', seriesId)
    .execute()
}

/**
 * Notes a change of the rules or times of a series as a change of its templates, so that writers see that they changed.
 *
 * @param at The time of the write, in seconds since 1970.
 */
export async function touchTemplates(tx: Tx, seriesId: number, at: number): Promise<void> {
  await sql`update records set modified_at = ${at}, change_count = change_count + 1
    where kind = 'series' and (id = ${seriesId} or group_id = ${seriesId})`.execute(tx)
}

/** A new date of a series. */
export interface NewOccurrence {
  readonly event_id: number
  readonly series_id: number
  readonly recurrence_id: string
  readonly path: string
  readonly own_fields: string
  readonly is_dropped: 0 | 1
  readonly language: string
}

const insertOccurrenceRows = compiledInsert<NewOccurrence>('occurrences')

/** Makes events dates of a series. */
export async function insertOccurrences(tx: Tx, rows: readonly NewOccurrence[]): Promise<void> {
  await insertOccurrenceRows(tx, rows)
}

/**
 * Returns paths for new dates of a series in one language: the slug of the series and the day, with a number from 2 for
 * further dates of a day. No other date has had them. Runs one query, and another one for each number that is needed.
 */
export async function freePaths(
  db: Db,
  { base, language }: { readonly base: string; readonly language: Language },
  dates: readonly LocalDateTime[],
): Promise<readonly string[]> {
  const paths: (string | undefined)[] = dates.map(() => undefined)
  const taken = new Set<string>()
  for (let number = 1; paths.includes(undefined); number += 1) {
    const end = number === 1 ? '' : `/${number}`
    const open = dates.flatMap((date, place) =>
      paths[place] === undefined ? [{ place, path: `${base}/${dayOf(date)}${end}` }] : [],
    )
    const known = await takenPaths(db, { language, paths: open.map(({ path }) => path) })
    for (const { path } of known) taken.add(path)
    for (const { place, path } of open) {
      if (taken.has(path)) continue
      paths[place] = path
      taken.add(path)
    }
  }
  return paths.flatMap((path) => path ?? [])
}

const takenPaths = compiledStatement<
  { readonly language: string; readonly paths: readonly string[] },
  { readonly path: string }
>(
  ({ language, paths }, dialect) => sql`
    select path from occurrences where ${dialect.isAmongTexts(sql.ref('path'), paths)} and language = ${language}
    union all
    select path from retired_paths where ${dialect.isAmongTexts(sql.ref('path'), paths)} and language = ${language}`,
)

/** Notes the addresses of dates that will be deleted, so that no other date gets them. */
export async function retirePaths(tx: Tx, eventIds: readonly number[]): Promise<void> {
  if (eventIds.length === 0) return
  await sql`insert into retired_paths (path, language) select path, language from occurrences
    where ${dialectOf(tx).isAmong(sql.ref('event_id'), eventIds)}
    on conflict (path, language) do nothing`.execute(tx)
}

/** Says whether the series still has these dates. */
export async function markDropped(tx: Tx, ids: readonly number[], isDropped: boolean): Promise<void> {
  if (ids.length === 0) return
  await sql`update occurrences set is_dropped = ${sql.lit(isDropped ? 1 : 0)}
    where ${dialectOf(tx).isAmong(sql.ref('event_id'), ids)}`.execute(tx)
}

/** Sets in which fields dates do not follow their series. */
export async function saveOwnFields(
  tx: Tx,
  dates: readonly { readonly id: number; readonly ownFields: readonly string[] }[],
): Promise<void> {
  if (dates.length === 0) return
  const rows = dates.map(({ id, ownFields }) => ({ id, fields: JSON.stringify(ownFields) }))
  await sql`update occurrences set own_fields = given.value ->> 'fields'
    from ${dialectOf(tx).jsonRows(rows)} given
    where occurrences.event_id = cast(given.value ->> 'id' as bigint)`.execute(tx)
}

/** A date of a series in one language, as its own changes concern it. */
export interface DateTranslation {
  readonly event_id: number
  readonly series_id: number
  readonly recurrence_id: LocalDateTime
  readonly language: Language
  readonly path: string
  readonly own_fields: string
  readonly is_dropped: number
  readonly status: string
}

const versionRows = compiledStatement<{ readonly ids: readonly number[] }, DateTranslation>(
  ({ ids }, dialect) => sql<DateTranslation>`
    select date.event_id, date.series_id, date.recurrence_id, date.language, date.path, date.own_fields,
      date.is_dropped, records.status
    from occurrences given join occurrences date
        on date.series_id = given.series_id and date.recurrence_id = given.recurrence_id
      join records on records.id = date.event_id
    where ${dialect.isAmong(sql.ref('given.event_id'), ids)} order by date.event_id`,
)

/** Returns all versions of the dates with these events, once each. Runs one query. */
export async function listDateTranslations(db: Db, eventIds: readonly number[]): Promise<readonly DateTranslation[]> {
  const rows = await versionRows(db, { ids: eventIds })
  return [...new Map(rows.map((row) => [row.event_id, row])).values()]
}

/** Returns the slug and status of the template of a series in a language, or else of the original. Runs one query. */
export async function findTemplateSlug(
  db: Db,
  seriesId: number,
  language: Language,
): Promise<{ readonly id: number; readonly slug: string; readonly status: string; readonly language: string }> {
  const { rows } = await sql<{ id: number; slug: string; status: string; language: string }>`
    select id, slug, status, language from records where kind = 'series' and (id = ${seriesId} or group_id = ${seriesId})
    order by case when language = ${language} then 0 when id = ${seriesId} then 1 else 2 end limit 1`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`The series ${seriesId} has no template.`)
  return row
}
