import fc from 'fast-check'
import { sql } from 'kysely'
import { fold } from '../../../src/base/text/fold.ts'
import { addSeconds, type LocalDateTime, secondsOfLocalDateTime } from '../../../src/base/time/local.date.time.ts'
import { ATTENDANCES, EVENT_STATUSES } from '../../../src/calendar/events/model/state.ts'
import { STATUSES } from '../../../src/calendar/records/record.ts'
import type { Tx } from '../../../src/storage/database/tables.ts'

// Random calendars for tests of lists.

export const languages = ['en', 'fr-CA', 'en-CA'] as const
export const ids = {
  venues: [1, 2, 3, 4, 5],
  organizers: [6, 7],
  terms: [1, 2, 3, 4],
  series: [8, 9, 10],
  firstEvent: 100,
} as const
const day = (number: number, time: string) =>
  `${new Date(Date.UTC(2029, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)} ${time}` as LocalDateTime

export const moment = fc
  .tuple(fc.nat(200), fc.constantFrom('00:00:00', '09:30:00', '19:00:00', '23:59:59'))
  .map(([number, time]) => day(number, time))

export const drawnEvent = fc.record({
  start: moment,
  hours: fc.oneof({ weight: 6, arbitrary: fc.nat(30) }, fc.integer({ min: 150, max: 200 }), fc.nat(3000)),
  offset: fc.constantFrom(0, 0, -5 * 3600, 14 * 3600, -11 * 3600),
  status: fc.oneof({ weight: 3, arbitrary: fc.constant('publish') }, fc.constantFrom(...STATUSES)),
  author: fc.integer({ min: 1, max: 3 }),
  isProtected: fc.integer({ min: 0, max: 7 }).map((draw) => draw === 0),
  isHidden: fc.integer({ min: 0, max: 7 }).map((draw) => draw === 0),
  isFeatured: fc.boolean(),
  hasTickets: fc.boolean(),
  eventStatus: fc.oneof({ weight: 3, arbitrary: fc.constant('scheduled') }, fc.constantFrom(...EVENT_STATUSES)),
  attendance: fc.constantFrom(...ATTENDANCES),
  /** The place of an earlier event that this one translates. */
  translates: fc.option(fc.nat(10)),
  language: fc.constantFrom(...languages),
  venue: fc.option(fc.constantFrom(...ids.venues)),
  organizers: fc.uniqueArray(fc.constantFrom(...ids.organizers)),
  terms: fc.uniqueArray(fc.constantFrom(...ids.terms)),
  series: fc.option(fc.constantFrom(...ids.series)),
  title: fc.constantFrom('Dance night', 'Fair', 'Dancing fair', 'A b'),
})
type DrawnEvent = typeof drawnEvent extends fc.Arbitrary<infer T> ? T : never

/** Writes the users, venues, organizers, terms and series that drawn events refer to. */
export async function addBasis(tx: Tx): Promise<void> {
  for (const id of [1, 2, 3]) {
    const name = `user${id}`
    await sql`insert into users (id, name, name_folded, email, role, created_at)
      values (${id}, ${name}, ${name}, ${name}, 'author', 0)`.execute(tx)
  }
  for (const id of ids.venues) {
    // The second and the third are translations of each other, of which only one has a place.
    const groupId = id === 2 || id === 3 ? 2 : null
    const language = id === 3 ? 'fr-CA' : 'en'
    await addRecord(tx, { id, kind: 'venue', groupId, language, status: id === 5 ? 'draft' : 'publish' })
    await sql`insert into venues (record_id, address, city, country, province, state, stateprovince, zip, phone, website,
        show_map, show_map_link, latitude, longitude)
      values (${id}, '', '', '', '', '', '', '', '', '', 1, 1, ${id % 2 === 0 ? null : 45 + id / 2}, ${-73})`.execute(
      tx,
    )
  }
  for (const id of ids.organizers) {
    await addRecord(tx, { id, kind: 'organizer' })
    await sql`insert into organizers (record_id, phone, website, email) values (${id}, '', '', '')`.execute(tx)
  }
  for (const id of ids.series) {
    await addRecord(tx, { id, kind: 'series' })
    await sql`insert into series_state (series_id, made_until, is_endless, sequence) values (${id}, '', 0, 0)`.execute(
      tx,
    )
  }
  for (const id of ids.terms) {
    await sql`insert into terms (id, taxonomy, name, name_folded, slug, description, parent_id, language, event_count)
      values (${id}, ${id < 3 ? 'category' : 'tag'}, ${`t${id}`}, ${`t${id}`}, ${`t${id}`}, '', 0, 'en', 0)`.execute(tx)
  }
}

interface NewRecord {
  readonly id: number
  readonly kind: string
  readonly status?: string
  readonly groupId?: number | null
  readonly language?: string
  readonly author?: number
  readonly title?: string
  readonly isProtected?: boolean
  readonly datedAt?: number
}

async function addRecord(tx: Tx, record: NewRecord): Promise<void> {
  const { id, kind, status = 'publish', groupId = null, language = 'en', author = 1, title = 'x', datedAt = 0 } = record
  await sql`insert into records (id, kind, status, slug, title, title_folded, title_html, content, content_html, excerpt,
      excerpt_html, author_id, password, language, group_id, created_at, modified_at, dated_at, is_dated, search_text)
    values (${id}, ${kind}, ${status}, ${`s${id}`}, ${title}, ${fold(title)}, ${title}, '', '', '', '', ${author},
      ${record.isProtected ? 'secret' : null}, ${language}, ${groupId}, 0, 0, ${datedAt}, 1, ${fold(title)})`.execute(
    tx,
  )
}

export async function addEvents(tx: Tx, events: readonly DrawnEvent[]): Promise<void> {
  const groups = new Map<number, { readonly id: number; readonly languages: Set<string> }>()
  for (const [place, event] of events.entries()) {
    const id = ids.firstEvent + place
    const target = event.translates === null ? undefined : groups.get(event.translates)
    const isTranslation = target && !target.languages.has(event.language)
    if (isTranslation) {
      target.languages.add(event.language)
      await sql`update records set group_id = id where id = ${target.id}`.execute(tx)
    } else groups.set(groups.size, { id, languages: new Set([event.language]) })
    const groupId = isTranslation ? target.id : null
    await addRecord(tx, { ...event, id, kind: 'event', groupId, datedAt: place % 3 })
    const end = addSeconds(event.start, event.hours * 3600)
    const utc = (local: LocalDateTime) => secondsOfLocalDateTime(local) - event.offset
    await sql`insert into events (record_id, start_local, end_local, timezone, start_utc, end_utc, is_all_day, cost,
        show_map, show_map_link, is_hidden, is_sticky, is_featured, custom_fields, tickets, has_tickets, event_status,
        attendance)
      values (${id}, ${event.start}, ${end}, 'UTC', ${utc(event.start)}, ${utc(end)}, 0, '[]', 1, 1,
        ${Number(event.isHidden)}, 0, ${Number(event.isFeatured)}, '{}', '[]', ${Number(event.hasTickets)},
        ${event.eventStatus}, ${event.attendance})`.execute(tx)
    if (event.venue) await sql`insert into event_venues values (${id}, ${event.venue}, 0)`.execute(tx)
    for (const organizer of event.organizers)
      await sql`insert into event_organizers values (${id}, ${organizer}, 0)`.execute(tx)
    if (event.series)
      await sql`insert into occurrences (event_id, series_id, recurrence_id, path, language)
        values (${id}, ${event.series}, ${String(id)}, ${`s/${id}`}, ${event.language})`.execute(tx)
    for (const term of event.terms) await sql`insert into event_terms values (${id}, ${term})`.execute(tx)
  }
}
