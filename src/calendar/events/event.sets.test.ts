import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { runs } from '../../../test/support/long.ts'
import { type Actor, ROLES, type UserId, visitor } from '../../access/auth/actor.ts'
import { mayCreate } from '../../access/auth/policy.ts'
import { listPreference } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { fold } from '../../base/text/fold.ts'
import { addSeconds, type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { TimeBound } from '../index/event.index.ts'
import { wrongSets } from '../index/event.sets.check.repository.ts'
import { type IndexRange, indexEntries } from '../index/index.entries.repository.ts'
import { startOfPage } from '../index/late.page.repository.ts'
import { STATUSES } from '../records/record.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { COUNTED, countByStatus } from './event.counts.repository.ts'
import { planEventList } from './event.list.plan.ts'
import { listEvents, rangeOf } from './event.list.repository.ts'
import type { EventQuery } from './event.query.ts'
import { isBySets } from './event.selection.repository.ts'
import { ATTENDANCES, EVENT_STATUSES } from './event.state.ts'

const languages = ['en', 'fr-CA', 'en-CA'] as const
const ids = { venues: [1, 2, 3, 4, 5], organizers: [6, 7], terms: [1, 2, 3, 4], firstEvent: 100 } as const
const day = (number: number, time: string) =>
  `${new Date(Date.UTC(2029, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)} ${time}` as LocalDateTime

const moment = fc
  .tuple(fc.nat(200), fc.constantFrom('00:00:00', '09:30:00', '19:00:00', '23:59:59'))
  .map(([number, time]) => day(number, time))

const drawnEvent = fc.record({
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
  title: fc.constantFrom('Dance night', 'Fair', 'Dancing fair', 'A b'),
})
type DrawnEvent = typeof drawnEvent extends fc.Arbitrary<infer T> ? T : never

const bound = (edge: TimeBound['edge'], operator: TimeBound['operator']) =>
  moment.map((localDateTime): TimeBound => ({ edge, operator, localDateTime }))
const windows: readonly (readonly fc.Arbitrary<TimeBound>[])[] = [
  [],
  [bound('start', '>='), bound('end', '<=')],
  [bound('end', '>'), bound('start', '<')],
  [bound('end', '>=')],
  [bound('end', '<')],
  [bound('start', '>')],
  [bound('start', '<=')],
  [bound('start', '>'), bound('end', '>'), bound('end', '<')],
]
const bounds = fc.oneof(...windows.map((some) => fc.tuple(...some)))

const some = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined })
const question = fc.record({
  bounds,
  isInUtc: fc.boolean(),
  role: fc.constantFrom(undefined, ...ROLES),
  user: fc.integer({ min: 1, max: 3 }),
  status: fc.oneof(
    fc.constant(undefined),
    fc.constantFrom('any' as const, 'readable' as const),
    fc.subarray([...STATUSES], { minLength: 1 }),
  ),
  asked: fc.constantFrom(undefined, ...languages),
  fallback: fc.constantFrom('none' as const, 'language' as const, 'any' as const),
  page: fc.constantFrom(1, 1, 2, 3),
  perPage: fc.constantFrom(2, 5, 50),
  categoryIds: some([1, 2]),
  tagIds: some([3, 4]),
  venueIds: some(ids.venues),
  organizerIds: some(ids.organizers),
  isFeatured: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
  hasTickets: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
  eventStatuses: some(EVENT_STATUSES),
  attendances: some(ATTENDANCES),
  hasPlace: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
  radiusKm: fc.constantFrom(undefined, 5, 400, 20_000),
  words: fc.constantFrom(undefined, undefined, undefined, 'dance', 'fair', 'a b', 'dan'),
  kept: fc.subarray([
    ...(['categoryIds', 'tagIds', 'venueIds', 'organizerIds', 'isFeatured', 'hasTickets'] as const),
    ...(['eventStatuses', 'attendances'] as const),
  ]),
})

async function addBasis(tx: Tx): Promise<void> {
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

async function addEvents(tx: Tx, events: readonly DrawnEvent[]): Promise<void> {
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
    for (const term of event.terms) await sql`insert into event_terms values (${id}, ${term})`.execute(tx)
  }
}

/** Returns the ids of a range in the order of its list. */
async function idsOfRange(db: Db, range: IndexRange, isLatestFirst: boolean): Promise<readonly number[]> {
  const order = sql.raw(isLatestFirst ? 'desc' : 'asc')
  const { rows } = await sql<{ event_id: number }>`select event_id from ${indexEntries(range)} listing
    order by start_local ${order}, dated_at ${order}, event_id ${order}`.execute(db)
  return rows.map(({ event_id }) => event_id)
}

test('every caller is listed from sets what the events themselves answer', async (t) => {
  let listed = 0
  let late = 0
  let countings = 0
  for (let calendar = 0; calendar < runs(2, 4); calendar += 1) {
    const { storage, config, remove } = await openTestDatabase({
      EVENTS_FALLBACK: ['any', 'none', 'language'][calendar % 3],
    })
    t.after(remove)
    const drawn = fc.sample(drawnEvent, { numRuns: 120, seed: 20_261_122 + calendar })
    await storage.write(addBasis)
    await storage.write((tx) => addEvents(tx, drawn))
    // Some events change, move and go after they were derived.
    await storage.write(async (tx) => {
      await sql`update records set status = 'draft' where kind = 'event' and id % 11 = 0`.execute(tx)
      await sql`update records set author_id = 2 where kind = 'event' and id % 13 = 0`.execute(tx)
      await sql`update events set start_local = '2029-03-01 09:00:00', end_local = '2029-03-20 09:00:00',
        start_utc = ${secondsOfLocalDateTime('2029-03-01 09:00:00' as LocalDateTime)},
        end_utc = ${secondsOfLocalDateTime('2029-03-20 09:00:00' as LocalDateTime)} where record_id % 17 = 0`.execute(
        tx,
      )
      await sql`update events set has_tickets = 1 - has_tickets where record_id % 7 = 0`.execute(tx)
      await sql`update events set event_status = 'scheduled' where record_id % 3 = 0`.execute(tx)
      await sql`update events set event_status = 'canceled' where record_id % 10 = 0`.execute(tx)
      await sql`update events set attendance = 'mixed' where record_id % 9 = 0`.execute(tx)
      await sql`delete from event_terms where event_id % 5 = 0 and term_id = 1`.execute(tx)
    })
    assert.deepEqual(await Array.fromAsync(wrongSets(storage.db)), [])

    await fc.assert(
      fc.asyncProperty(
        question,
        async ({ bounds, isInUtc, role, user, asked, radiusKm, words, kept, ...drawnQuery }) => {
          const actor: Actor = role ? { kind: 'user', id: user as UserId, role } : visitor
          const filters = Object.fromEntries(kept.map((name) => [name, drawnQuery[name]]))
          const query: EventQuery = {
            page: drawnQuery.page,
            perPage: drawnQuery.perPage,
            window: { bounds, isInUtc },
            // Others may ask for published events only.
            status: mayCreate(actor) ? drawnQuery.status : undefined,
            preference: listPreference(asked as Language | undefined, config, config.eventsFallback),
            search: words === undefined ? undefined : { include: [fold(words)], exclude: [] },
            ...{ categoryIds: undefined, tagIds: undefined, venueIds: undefined, organizerIds: undefined },
            ...{ isFeatured: undefined, hasTickets: undefined, ids: undefined, parentIds: undefined },
            ...{ eventStatuses: undefined, attendances: undefined },
            hasPlace: drawnQuery.hasPlace,
            around: radiusKm === undefined ? undefined : { latitude: 45.5, longitude: -73, radiusKm },
            ...filters,
          }
          const { languages, defaultLanguage } = config
          const viewer = { actor, language: asked as Language | undefined, languages, defaultLanguage }
          const context: ReadContext = { db: storage.db, dialect: storage.dialect, viewer }
          // A filter by a version of a venue names all of them.
          const venueIds = query.venueIds && [
            ...new Set(query.venueIds.flatMap((id) => (id === 2 || id === 3 ? [2, 3] : [id]))),
          ]
          const complete = { ...query, venueIds }

          const plan = await planEventList(context, complete)
          const found = await listEvents(context, plan)
          const plain = await listEvents(context, { readFrom: 'records', query: complete })

          listed += plain.items.length
          assert.deepEqual(
            { ids: found.items.map(({ id }) => id), total: found.total },
            { ids: plain.items.map(({ id }) => id), total: plain.total },
          )
          if (mayCreate(actor) && drawnQuery.page === 3) {
            const plainly = await Promise.all(
              COUNTED.map(async (counted) => {
                const status = counted === 'any' ? 'any' : [counted]
                const one = { ...complete, status, page: 1, perPage: 1 } as const
                return [counted, (await listEvents(context, { readFrom: 'records', query: one })).total] as const
              }),
            )
            assert.deepEqual(await countByStatus(context, complete), Object.fromEntries(plainly))
            countings += 1
          }
          if (plan.readFrom === 'records' || isBySets(plan)) return
          const range = rangeOf(plan)
          for (const isLatestFirst of [false, true]) {
            const whole = await idsOfRange(storage.db, range, isLatestFirst)
            const offset = Math.floor(whole.length / 2)
            const start = await startOfPage(storage.db, range, { offset, isLatestFirst })
            if (!start) continue
            late += 1
            const rest = await idsOfRange(storage.db, start.range, isLatestFirst)
            assert.deepEqual(rest.slice(start.offset), whole.slice(offset))
          }
        },
      ),
      { numRuns: runs(300, 800), seed: 20_261_122 },
    )
  }
  assert.ok(listed > 500, `Only ${listed} were listed: the test asks for nothing.`)
  assert.ok(countings > 10, `Only ${countings} lists were counted by status.`)
  assert.ok(late > 10, `Only ${late} late pages were found by the counts of days.`)
})
