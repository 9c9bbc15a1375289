import { sql } from 'kysely'
import { addSeconds, endOfDay, type LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Db } from '../../storage/database/tables.ts'
import { type WindowDays, windowDays } from './certain.days.ts'
import { localDateTimeOfDay, localDay } from './daily.counts.ts'
import { type IndexRange, indexEntries } from './index.entries.repository.ts'
import { windowConditions } from './time.window.repository.ts'
import { beyondEnd } from './whole.days.ts'

/**
 * A page after more events than this is found by the daily counts. Up to here, reading the entries before the page is at
 * least as fast.
 */
export const mostSkipped = 100_000

/** Where to begin to read a page. */
interface PageStart {
  readonly range: IndexRange
  /** The number of events of the range before the page. */
  readonly offset: number
}

/**
 * Returns a later beginning of a list for a late page, so that the events before the page are not read one by one.
 * Undefined if the daily counts do not help.
 */
export async function startOfPage(
  db: Db,
  range: IndexRange,
  { offset, isLatestFirst }: { readonly offset: number; readonly isLatestFirst: boolean },
): Promise<PageStart | undefined> {
  const { certain, certainLong } = windowDays(range.window)
  // If long events are uncertain, the counts of days include some that are not in the list.
  const isExact = certainLong.first === certain.first && certainLong.last === certain.last
  if (certain.first > certain.last) return undefined
  const [first, last] = [localDateTimeOfDay(certain.first), endOfDay(localDateTimeOfDay(certain.last))]
  const [counts, outside] = await Promise.all([
    countsOfDays(db, range, certain),
    countOf(db, { ...range, within: isLatestFirst ? { from: addSeconds(last, 1) } : { to: addSeconds(first, -1) } }),
  ])
  const absent = isExact ? new Map<number, number>() : await absentLong(db, range, certain)
  let skipped = outside
  if (skipped > offset) return undefined
  for (const { day, number } of isLatestFirst ? counts.toReversed() : counts) {
    const listed = number - (absent.get(day) ?? 0)
    if (skipped + listed > offset) {
      const within = isLatestFirst ? { to: endOfDay(dateOf(day)) } : { from: dateOf(day) }
      return { range: { ...range, within }, offset: offset - skipped }
    }
    skipped += listed
  }
  return undefined
}

function dateOf(day: number): LocalDateTime {
  const text = String(day).padStart(8, '0')
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)} 00:00:00` as LocalDateTime
}

async function countOf(db: Db, range: IndexRange): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${indexEntries(range)} listing`.execute(
    db,
  )
  return Number(rows[0]?.total ?? 0)
}

interface DayCount {
  readonly day: number
  readonly number: number
}

async function countsOfDays(
  db: Db,
  { isOfClass }: IndexRange,
  { first, last }: WindowDays['certain'],
): Promise<readonly DayCount[]> {
  const [from, to] = [localDay(localDateTimeOfDay(first)), localDay(localDateTimeOfDay(last))]
  const { rows } = await sql<DayCount>`
    select day, sum(number) as number from event_tallies
    where clock = 0 and day between ${from} and ${to}
      and class in (select class from event_classes where ${isOfClass})
    group by day order by day`.execute(db)
  return rows.map(({ day, number }) => ({ day, number: Number(number) }))
}

/** Returns the number of long events on each of these days that are not in the list, because they end after the window. */
async function absentLong(
  db: Db,
  range: IndexRange,
  { first, last }: WindowDays['certain'],
): Promise<ReadonlyMap<number, number>> {
  const beyond = beyondEnd(range.window.bounds)
  if (!beyond) return new Map()
  const within = { from: localDateTimeOfDay(first), to: endOfDay(localDateTimeOfDay(last)) }
  const conditions = windowConditions('entry', { ...range.window, bounds: [beyond], within, isByEnd: true })
  const { rows } = await sql<DayCount>`
    select cast(replace(substr(start_local, 1, 10), '-', '') as bigint) as day, count(*) as number from event_order entry
    where is_long = 1 and ${sql.join(conditions, sql` and `)} and class in (select class from event_classes where ${range.isOfClass})
    group by 1`.execute(db)
  return new Map(rows.map(({ day, number }) => [day, Number(number)]))
}
