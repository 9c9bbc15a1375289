import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { events } from '../../../../test/support/arbitraries/feed.arbitrary.ts'
import { addressesOf } from '../../../access/http/addresses.ts'
import { readConfig } from '../../../base/config/config.ts'
import { addSeconds } from '../../../base/time/local.date.time.ts'
import { type LinkedEvent, timesOf } from '../../../calendar/events/model/event.ts'
import {
  ATTENDANCES,
  EVENT_STATUSES,
  nextState,
  scheduledState,
  VIRTUAL_ACCESSES,
} from '../../../calendar/events/model/state.ts'
import { presentJsonLd } from '../../../calendar/events/present/event.jsonld.ts'
import type { PageCall } from '../frame/page.ts'
import { eventData } from './event.data.ts'

const config = readConfig({ SITE_TIMEZONE: 'America/Toronto' })
const addresses = addressesOf(config, 'https://calendar.test', 'en')
const call = { deps: { config }, addresses, language: 'en', textLanguage: 'en' } as unknown as PageCall
const daySeconds = 86_400

/** An event in one of the states that it can reach, with all that the write of the state keeps. */
const stated: fc.Arbitrary<LinkedEvent> = fc
  .record({
    event: events,
    moves: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
    eventStatus: fc.constantFrom(...EVENT_STATUSES),
    attendance: fc.constantFrom(...ATTENDANCES),
    virtualUrl: fc.constantFrom('', 'https://meet.example.org/room?id=1&key=2'),
    virtualAccess: fc.constantFrom(...VIRTUAL_ACCESSES),
    statusReason: fc.constantFrom('', 'Storm </script>'),
  })
  .map(({ event, moves, eventStatus, attendance, virtualUrl, virtualAccess, statusReason }) => {
    let current = { ...event, ...scheduledState }
    for (const days of eventStatus === 'rescheduled' ? moves : []) current = stepped(current, days)
    const state = nextState(
      { ...current, isAnnounced: true },
      { eventStatus, statusReason, attendance },
      { times: current, at: event.startUtc - daySeconds },
    )
    assert.ok(typeof state !== 'string', String(state))
    return { ...current, ...state, virtualUrl, virtualAccess }
  })

/** The same event some days later, announced as rescheduled. */
function stepped(event: LinkedEvent, days: number): LinkedEvent {
  const { zone, isAllDay, startUtc } = event
  // By the clock, because a day may have 25 hours.
  const [start, end] = [addSeconds(event.start, days * daySeconds), addSeconds(event.end, days * daySeconds)]
  const times = timesOf({ start, end, zone, isAllDay })
  const state = nextState(
    { ...event, isAnnounced: true },
    { eventStatus: 'rescheduled' },
    { times, at: startUtc - daySeconds },
  )
  assert.ok(typeof state !== 'string', String(state))
  return { ...event, ...times, ...state }
}

interface Described {
  readonly name: string
  readonly startDate: string
  readonly endDate: string
  readonly eventStatus: string
  readonly eventAttendanceMode?: string
  readonly previousStartDate?: string | readonly string[]
  readonly location?: Place | readonly Place[]
}

interface Place {
  readonly '@type': 'Place' | 'VirtualLocation'
  readonly name?: string
  readonly url?: string
  readonly address?: object | string
}

const dateTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?$/
const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T]
const placesOf = ({ location }: Described) => listOf<Place>(location)
const kindsOf = (described: Described) => placesOf(described).map((place) => place['@type'])
const schema = (name: string) => `https://schema.org/${name}`

/**
 * The rules of Google for events, and those of schema.org for the same properties.
 *
 * @see https://developers.google.com/search/docs/appearance/structured-data/event
 */
const rules: Readonly<Record<string, (described: Described, event: LinkedEvent) => boolean>> = {
  'The name has no status and no date.': ({ name }) =>
    name !== '' && !/^(?:Canceled|Postponed|Moved online):/.test(name),
  'The start and the end are ISO 8601, with an offset if they have a time.': ({ startDate, endDate }) =>
    dateTime.test(startDate) && dateTime.test(endDate) && startDate.length === endDate.length,
  'The start is the current one, also of a canceled or postponed event.': ({ startDate }, { start }) =>
    startDate.startsWith(start.slice(0, 10)),
  'The status is one of schema.org, with https.': ({ eventStatus }, event) =>
    eventStatus ===
    {
      scheduled: schema('EventScheduled'),
      canceled: schema('EventCancelled'),
      postponed: schema('EventPostponed'),
      rescheduled: schema('EventRescheduled'),
      moved_online: schema('EventMovedOnline'),
    }[event.eventStatus],
  'Only a rescheduled event has an earlier start.': ({ eventStatus, previousStartDate }) =>
    previousStartDate === undefined || eventStatus === schema('EventRescheduled'),
  'A rescheduled event has all earlier starts, the latest last.': (
    { previousStartDate },
    { eventStatus, previousStarts },
  ) =>
    eventStatus !== 'rescheduled' ||
    (listOf(previousStartDate).length === previousStarts.length &&
      listOf(previousStartDate).every(
        (date, place) => dateTime.test(date) && date.startsWith(previousStarts[place]?.start.slice(0, 10) ?? '?'),
      )),
  'The attendance mode is one of schema.org, if there is a location.': ({ eventAttendanceMode, location }, event) =>
    eventAttendanceMode === undefined
      ? location === undefined
      : eventAttendanceMode ===
        {
          offline: schema('OfflineEventAttendanceMode'),
          online: schema('OnlineEventAttendanceMode'),
          mixed: schema('MixedEventAttendanceMode'),
        }[event.attendance],
  'An event on site has places only.': (described, { attendance }) =>
    attendance !== 'offline' || kindsOf(described).every((kind) => kind === 'Place'),
  'An online event has an online location only.': (described, { attendance }) =>
    attendance !== 'online' || kindsOf(described).join() === 'VirtualLocation',
  'A mixed event has its places and an online location.': (described, { attendance, venues }) =>
    attendance !== 'mixed' || kindsOf(described).join() === [...venues.map(() => 'Place'), 'VirtualLocation'].join(),
  'A place has a name and an address.': (described) =>
    placesOf(described).every(
      (place) => place['@type'] !== 'Place' || (place.name !== '' && place.address !== undefined),
    ),
  'An online location has an absolute address.': (described) =>
    placesOf(described).every((place) => place['@type'] === 'Place' || /^https?:\/\/[^/]+\//.test(place.url ?? '')),
  'The address of an online event is there only if a visitor may see it.': (described, event) =>
    JSON.stringify(described).includes('meet.example.org') ===
    (event.attendance !== 'offline' && event.virtualUrl !== '' && event.virtualAccess === 'all'),
}

/** What else search engines require, and the contract of the interface does not have. */
const pageRules: typeof rules = {
  'There is a location, and each venue of an event on site is one.': (described, { attendance, venues }) =>
    placesOf(described).length >= Math.max(1, attendance === 'online' ? 0 : venues.length),
  'No address is empty.': (described) =>
    placesOf(described).every(({ address, '@type': type }) =>
      typeof address === 'string' ? address !== '' : type !== 'Place' || Object.keys(address ?? {}).length > 1,
    ),
}

test('the rules of search engines hold for events in all states, in the interface and on pages', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(stated, (event) => {
      const { eventStatus, attendance } = event
      seen.add(`${eventStatus}, ${attendance}`)
      const documents = {
        page: eventData(call, event) as Described,
        interface: presentJsonLd(event, { config, addresses }) as unknown as Described,
      }
      for (const [kind, described] of Object.entries(documents)) {
        for (const [rule, isKept] of Object.entries(kind === 'page' ? { ...rules, ...pageRules } : rules))
          assert.ok(isKept(described, event), `${kind}: ${rule}\n${JSON.stringify(described)}`)
      }
      const { previousStartDate, location: _location, ...others } = documents.page
      assert.equal(others.eventStatus, documents.interface.eventStatus)
      assert.equal(listOf(previousStartDate).length, listOf(documents.interface.previousStartDate).length)
    }),
    { numRuns: 500 },
  )
  assert.equal(seen.size, EVENT_STATUSES.length * ATTENDANCES.length)
})

test('a signed-in reader of the interface gets the address that visitors do not see', () => {
  const [drawn] = fc.sample(stated, 1)
  assert.ok(drawn)
  const url = 'https://meet.example.org/room'
  const event = { ...drawn, attendance: 'online', virtualUrl: url, virtualAccess: 'registered' } as const

  const forVisitors = presentJsonLd(event, { config, addresses })
  const forOthers = presentJsonLd(event, { config, addresses, isSignedIn: true })

  assert.deepEqual(forVisitors.location, {
    '@type': 'VirtualLocation',
    url: `https://calendar.test/event/${event.slug}/`,
  })
  assert.deepEqual(forOthers.location, { '@type': 'VirtualLocation', url })
})
