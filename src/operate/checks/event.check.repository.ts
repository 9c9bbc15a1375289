import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone } from '../../base/time/zone.ts'
import { timesOf } from '../../calendar/events/model/event.ts'
import { listIndexedWithoutEvent, listWithoutFacets } from '../../calendar/index/event.index.repository.ts'
import { listIndexedEvents } from '../../calendar/index/indexed.event.repository.ts'
import { wrongSearchTexts } from '../../calendar/search/search.check.repository.ts'
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

/** Reads all events in batches by id. */
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
  // If a newer time zone database has dropped the zone, the instants cannot be verified.
  if (!zone) return row.start_utc <= row.end_utc
  const { startUtc, endUtc, ...local } = timesOf({ start, end, zone, isAllDay: row.is_all_day === 1 })
  return startUtc === row.start_utc && endUtc === row.end_utc && local.start === start && local.end === end
}

export const eventIndexCheck: IntegrityCheck = {
  name: 'event-index',
  holds: 'The event index has every event, with its times and the filters and lists that find it, and nothing else.',
  find: async function* (subject) {
    for await (const rows of pagesOfEvents(subject)) {
      const ids = rows.map((row) => row.record_id)
      for (const { before, after } of await listIndexedEvents(subject.db, subject.dialect, ids)) {
        const [found, expected] = [before, after].map((entry) => JSON.stringify(entry))
        if (found !== expected) yield `event ${after?.event_id}: ${found} instead of ${expected}`
      }
    }
    yield* await listIndexedWithoutEvent(subject.db)
    yield* await listWithoutFacets(subject.db)
  },
}

export const searchCheck: IntegrityCheck = {
  name: 'words',
  holds: 'The search index has the text of every event, and nothing else.',
  find: wrongSearchTexts,
}
