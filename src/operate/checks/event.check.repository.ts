import { sql } from 'kysely'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone } from '../../base/time/zone.ts'
import { timesOf } from '../../calendar/events/event.ts'
import { expectedListings, withListings } from '../../storage/database/listings.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { CheckContext, IntegrityCheck } from './check.ts'

const eventsAtOnce = 1000

interface TimesRow {
  readonly record_id: number
  readonly start_local: string
  readonly end_local: string
  readonly start_utc: number
  readonly end_utc: number
  readonly is_all_day: number
  readonly timezone: string
}

/** All events by their ids, so many at once. */
async function* pagesOfEvents({ db, onProgress }: CheckContext): AsyncGenerator<readonly TimesRow[]> {
  const last =
    (
      await db
        .selectFrom('events')
        .select((e) => e.fn.max('record_id').as('id'))
        .executeTakeFirst()
    )?.id ?? 0
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('events')
      .select(['record_id', 'start_local', 'end_local', 'start_utc', 'end_utc', 'is_all_day', 'timezone'])
      .where('record_id', '>', after)
      .orderBy('record_id')
      .limit(eventsAtOnce)
      .execute()
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.record_id ?? last
    onProgress(after / last)
  }
}

export const times: IntegrityCheck = {
  name: 'times',
  holds: 'The UTC times of every event match its local times and its time zone.',
  find: async function* (subject) {
    for await (const rows of pagesOfEvents(subject)) {
      for (const row of rows) {
        if (!areTimesRight(row)) yield `event ${row.record_id}, ${row.start_local} ${row.timezone}`
      }
    }
  },
}

function areTimesRight(row: TimesRow): boolean {
  const { start_local: start, end_local: end } = row
  if (!isLocalDateTime(start) || !isLocalDateTime(end)) return false
  const zone = parseZone(row.timezone)
  // A zone that a newer time zone database has dropped: there is nothing to hold the instants against.
  if (!zone) return row.start_utc <= row.end_utc
  const { startUtc, endUtc, ...local } = timesOf(start, end, zone, row.is_all_day === 1)
  return startUtc === row.start_utc && endUtc === row.end_utc && local.start === start && local.end === end
}

export const eventIndexCheck: IntegrityCheck = {
  name: 'listings',
  holds: 'Public lists show every event that is published and not hidden, in order, and nothing else.',
  find: async function* (subject) {
    for await (const rows of pagesOfEvents(subject)) {
      const ids = rows.map((row) => row.record_id)
      const expected = new Set((await expectedListings(subject.db, subject.dialect, ids)).map(rowText))
      const found = new Set((await storedEventIndex(subject, ids)).map(rowText))
      yield* expected.difference(found)
      yield* found.difference(expected)
    }
    for (const id of await orphans(subject.db)) yield `event ${id}`
  },
}

async function storedEventIndex({ db, dialect }: CheckContext, ids: readonly number[]) {
  return withListings(db)
    .selectFrom('event_listings')
    .selectAll()
    .where(dialect.isAmong(sql.ref('event_id'), ids))
    .execute()
}

/** Events that are listed and not there. */
async function orphans(db: Db): Promise<readonly number[]> {
  const rows = await withListings(db)
    .selectFrom('event_listings')
    .select('event_id')
    .distinct()
    .where((e) =>
      e.not(e.exists(e.selectFrom('events').select('record_id').whereRef('record_id', '=', 'event_listings.event_id'))),
    )
    .execute()
  return rows.map((row) => row.event_id)
}

function rowText(listing: Awaited<ReturnType<typeof expectedListings>>[number]): string {
  const { event_id: id, facet, start_local, dated_at, end_local, start_utc, end_utc, shown_to, is_long } = listing
  const times = [start_local, dated_at, end_local, start_utc, end_utc].join(' ')
  return `event ${id}, facet ${facet}: ${times}, shown to ${shown_to}${is_long === 1 ? ', long' : ''}`
}
