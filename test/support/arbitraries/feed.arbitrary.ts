import fc from 'fast-check'
import { addressesOf } from '../../../src/access/http/addresses.ts'
import { readConfig } from '../../../src/base/config/config.ts'
import { escapeHtml } from '../../../src/base/text/escape.ts'
import type { LocalDateTime } from '../../../src/base/time/local.date.time.ts'
import { localDateTimeAt, parseZone } from '../../../src/base/time/zone.ts'
import type { DirectoryEntry } from '../../../src/calendar/directory/directory.ts'
import { defaultEventFields } from '../../../src/calendar/events/model/event.changes.ts'
import { type LinkedEvent, timesOf } from '../../../src/calendar/events/model/event.ts'
import { organizers } from '../../../src/calendar/organizers/organizer.directory.ts'
import type { OrganizerFields } from '../../../src/calendar/organizers/organizer.ts'
import type { CalendarRecord, RecordId, RecordKind } from '../../../src/calendar/records/record.ts'
import { type Term, type TermId, topLevel } from '../../../src/calendar/terms/term.ts'
import { venues } from '../../../src/calendar/venues/venue.directory.ts'
import type { VenueFields } from '../../../src/calendar/venues/venue.ts'
import { type FeedWriter, type WholeFeed, wholeFeedWriter } from '../../../src/publish/feeds/feed.ts'
import { cities, secondsAround } from './zone.arbitrary.ts'

const config = readConfig({ SITE_NAME: 'Fêtes & Cie', SITE_TIMEZONE: 'America/Toronto' })

/** For tests: a feed of these events. */
export function feedOf(events: readonly LinkedEvent[]): WholeFeed {
  return {
    config,
    addresses: addressesOf(config, 'https://calendar.test', 'en'),
    language: 'fr-CA',
    self: 'https://calendar.test/cal/events/v1/events.ics?categories=a%2Cb&per_page=5',
    identity: '0f0e0d0c-0b0a-4908-8706-050403020100',
    isSignedIn: false,
    events,
  }
}

/** For tests: returns a function that writes a whole feed as one text. */
export function textWriter(writer: FeedWriter): (feed: WholeFeed) => { readonly text: string } {
  const write = wholeFeedWriter(writer)
  return (feed) => ({ text: String(write(feed).text) })
}

/** For tests: a published record. */
function record(kind: RecordKind, id: number, title: string): CalendarRecord {
  return {
    ...{ id: id as RecordId, kind, status: 'publish', statusBeforeTrash: undefined, slug: `${kind}-${id}` },
    ...{ title, titleHtml: escapeHtml(title), content: '', contentHtml: '', excerpt: '', excerptHtml: '' },
    ...{ authorId: 1, passwordDigest: undefined, imageId: undefined, parentId: undefined },
    ...{ language: 'en', groupId: id, changeCount: 0 },
    ...{ modifiedAt: 1_893_456_000, datedAt: 1_893_456_000, isDated: true },
  }
}

/** For tests: a plain evening in Toronto, except for the given properties. */
export function eventWith(given: Partial<LinkedEvent> & { readonly title?: string } = {}): LinkedEvent {
  const zone = parseZone('America/Toronto')
  if (!zone) throw new Error('The zone is unknown.')
  return {
    ...record('event', 12, given.title ?? 'Concert'),
    ...timesOf({
      start: '2030-05-03 19:00:00' as LocalDateTime,
      end: '2030-05-03 21:30:00' as LocalDateTime,
      zone,
      isAllDay: false,
    }),
    ...{ ...defaultEventFields, customFields: {}, image: undefined, seriesId: undefined, path: undefined },
    ...{ venues: [], organizers: [], categories: [], tags: [] },
    ...given,
  }
}

export function venueWith(name: string, fields: Partial<VenueFields> = {}): DirectoryEntry<VenueFields> {
  return { ...record('venue', 3, name), fields: { ...venues.blank, ...fields }, image: undefined }
}

export function organizerWith(name: string, fields: Partial<OrganizerFields> = {}): DirectoryEntry<OrganizerFields> {
  return { ...record('organizer', 4, name), fields: { ...organizers.blank, ...fields }, image: undefined }
}

function termWith(name: string): Term {
  return {
    ...{ id: 7 as TermId, taxonomy: 'category', name: escapeHtml(name), slug: 'term', description: '' },
    ...{ parentId: topLevel, language: 'en', groupId: 7, changeCount: 0, eventCount: 1 },
  }
}

/**
 * For tests: a title, which is one line of any printable characters, without blanks at its ends and without repeated
 * blanks.
 */
const titles: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 120 }),
    fc.string({ unit: fc.constantFrom(...';,:"^\\nN=+-@<>&é😀 '), maxLength: 80 }),
  )
  .map((text) =>
    text
      .replace(/\p{Cc}|[\ufffe\uffff]/gu, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  .filter((text) => text !== '')

/**
 * Titles without backslashes, for parameters and members of lists: one of the readers does not understand backslashes
 * there.
 */
const names = titles.map((title) => title.replaceAll('\\', '/'))

/** For tests: events with arbitrary titles, places and times, many of them around changes of the UTC offset. */
export const events: fc.Arbitrary<LinkedEvent> = fc
  .constantFrom(...cities, 'UTC-5', 'America/Sao_Paulo')
  .chain((name) => {
    const zone = parseZone(name)
    if (!zone) throw new Error('The zone is unknown.')
    const drawn = fc.record({
      id: fc.integer({ min: 1, max: 2 ** 40 }),
      title: titles,
      start: secondsAround(zone.isManual ? 'UTC' : name),
      length: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 * 86_400 })),
      isAllDay: fc.boolean(),
      changeCount: fc.nat(9),
      venue: fc.option(titles),
      organizer: fc.option(names),
      terms: fc.uniqueArray(names, { maxLength: 3 }),
    })
    return drawn.map(({ id, title, start, length, isAllDay, changeCount, venue, organizer, terms }) =>
      eventWith({
        ...record('event', id, title),
        ...timesOf({ start: localDateTimeAt(start, zone), end: localDateTimeAt(start + length, zone), zone, isAllDay }),
        changeCount,
        venues: venue === null ? [] : [venueWith(venue, { latitude: 45.5, longitude: -73.25 })],
        organizers: organizer === null ? [] : [organizerWith(organizer, { email: 'club@example.org' })],
        categories: terms.map(termWith),
      }),
    )
  })
