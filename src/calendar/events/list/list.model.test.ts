import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import {
  addBasis,
  addEvents,
  drawnEvent,
  ids,
  languages,
  moment,
} from '../../../../test/support/arbitraries/event.arbitrary.ts'
import { openTestDatabase } from '../../../../test/support/database.ts'
import { isLong, runs } from '../../../../test/support/long.ts'
import { type Actor, ROLES, type UserId, visitor } from '../../../access/auth/actor.ts'
import { mayCreate } from '../../../access/auth/policy.ts'
import { listPreference } from '../../../base/languages/chain.ts'
import type { Language } from '../../../base/languages/language.ts'
import { fold } from '../../../base/text/fold.ts'
import { type LocalDateTime, secondsOfLocalDateTime } from '../../../base/time/local.date.time.ts'
import { listIndexedWithoutEvent, listWithoutFacets } from '../../index/event.index.repository.ts'
import type { TimeBound } from '../../index/event.index.ts'
import { STATUSES } from '../../records/record.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import type { LinkedEvent } from '../model/event.ts'
import { ATTENDANCES, EVENT_STATUSES } from '../model/state.ts'
import { COUNTED, countByStatus } from './counts.repository.ts'
import { planEventList } from './list.plan.ts'
import { listEvents } from './list.repository.ts'
import type { EventQuery } from './query.ts'

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
const anyBound = fc.oneof(
  ...(['start', 'end'] as const).flatMap((edge) =>
    (['>', '>=', '<', '<='] as const).map((operator) => bound(edge, operator)),
  ),
)
const manyBounds = fc.array(anyBound, { minLength: 2, maxLength: 5 })
const bounds = fc.oneof(...windows.map((some) => fc.tuple(...some)), { arbitrary: manyBounds, weight: 3 })

/** A list of visitors with a window and no filters. */
const visitorQuery = {
  ...{ page: 1, perPage: 3, status: undefined, search: undefined, hasPlace: false, around: undefined },
  ...{ categoryIds: undefined, tagIds: undefined, venueIds: undefined, organizerIds: undefined },
  ...{ isFeatured: undefined, hasTickets: undefined, ids: undefined, parentIds: undefined },
  ...{ eventStatuses: undefined, attendances: undefined },
}

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
  seriesIds: some(ids.series),
  isNextOnly: fc.boolean(),
  isFeatured: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
  hasTickets: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
  eventStatuses: some(EVENT_STATUSES),
  attendances: some(ATTENDANCES),
  hasPlace: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
  radiusKm: fc.constantFrom(undefined, 5, 400, 20_000),
  words: fc.constantFrom(undefined, undefined, undefined, 'dance', 'fair', 'a b', 'dan'),
  kept: fc.subarray([
    ...(['categoryIds', 'tagIds', 'venueIds', 'organizerIds', 'isFeatured', 'hasTickets'] as const),
    ...(['eventStatuses', 'attendances', 'seriesIds', 'isNextOnly'] as const),
  ]),
})

/** Returns the events of no series and the first event of each series. */
function onlyFirstOfSeries<E extends Pick<LinkedEvent, 'seriesId'>>(inOrder: readonly E[]): readonly E[] {
  const seen = new Set<number>()
  return inOrder.filter(({ seriesId }) => {
    if (seriesId === undefined) return true
    const isFirst = !seen.has(seriesId)
    seen.add(seriesId)
    return isFirst
  })
}

/** The lists that are asked of each calendar. */
const lists = runs(300, 800)
/** Whether the lists found enough. `expected` belongs to the quick form on SQLite. */
const isEnough = (found: number, expected: number) => found > (expected * lists) / 300

test('every caller is listed from the event index what the events themselves answer', async (t) => {
  let listed = 0
  let countings = 0
  let folded = 0
  let inWindows = 0
  // As many on PostgreSQL, because each calendar has other settings.
  for (let calendar = 0; calendar < (isLong ? 4 : 2); calendar += 1) {
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
    assert.deepEqual(await listWithoutFacets(storage.db), [])
    assert.deepEqual(await listIndexedWithoutEvent(storage.db), [])

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
          if (complete.isNextOnly) {
            const every = { ...complete, isNextOnly: false, page: 1, perPage: 1000 }
            const all = await listEvents(context, { readFrom: 'records', query: every })
            const next = onlyFirstOfSeries(all.items)
            folded += all.total - next.length
            const { page, perPage } = complete
            assert.deepEqual(
              { ids: plain.items.map(({ id }) => id), total: plain.total },
              { ids: next.slice((page - 1) * perPage, page * perPage).map(({ id }) => id), total: next.length },
            )
          }
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
        },
      ),
      { numRuns: lists, seed: 20_261_122 },
    )

    const { db, dialect } = storage
    const { languages, defaultLanguage } = config
    const context: ReadContext = {
      ...{ db, dialect },
      viewer: { actor: visitor, language: undefined, languages, defaultLanguage },
    }
    await fc.assert(
      fc.asyncProperty(manyBounds, fc.boolean(), async (bounds, isInUtc) => {
        const preference = listPreference(undefined, config, config.eventsFallback)
        const query: EventQuery = { ...visitorQuery, window: { bounds, isInUtc }, preference }
        const found = await listEvents(context, await planEventList(context, query))
        const plain = await listEvents(context, { readFrom: 'records', query })
        inWindows += plain.total
        assert.deepEqual(
          { ids: found.items.map(({ id }) => id), total: found.total },
          { ids: plain.items.map(({ id }) => id), total: plain.total },
        )
      }),
      { numRuns: lists },
    )
  }
  assert.ok(isEnough(listed, 500), `Only ${listed} were listed: the test asks for nothing.`)
  assert.ok(isEnough(inWindows, 500), `Only ${inWindows} events were in windows of several bounds.`)
  assert.ok(isEnough(folded, 100), `Only ${folded} dates of series were left out.`)
  assert.ok(isEnough(countings, 10), `Only ${countings} lists were counted by status.`)
})
