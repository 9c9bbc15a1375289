// Members, their order and their types: recorded lists of three public calendars against ours of the same content.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'

type Json = Readonly<Record<string, unknown>>

interface RecordedEvent extends Json {
  readonly categories: readonly Json[]
  readonly tags: readonly Json[]
  readonly venue: Json | readonly never[]
  readonly organizer: readonly Json[]
}

interface RecordedList extends Json {
  readonly events: readonly RecordedEvent[]
}

/** Members added by extensions of the recorded sites. No client of the interface may rely on them. */
const ofExtensions = new Set(['is_virtual', 'virtual_url', 'virtual_video_source', 'term_order'])
/** Always present (events.md §2), except on sites without the extension that fills it. */
const alwaysOurs = ['custom_fields', []] as const
const venueFields = ['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'phone', 'website']
const organizerFields = ['phone', 'website', 'email']
const eventFields = [
  ...['title', 'description', 'slug', 'all_day', 'start_date', 'end_date', 'timezone', 'cost', 'website'],
  ...['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'date_utc'],
]

for (const file of ['atlanta-beltline', 'atlanta-regional-commission', 'fulton-dekalb-hospital-authority']) {
  const recorded = JSON.parse(
    readFileSync(new URL(`../fixtures/recorded-responses/${file}.events.json`, import.meta.url), 'utf8'),
  ) as RecordedList

  test(`${file}: our events have the members of the recorded ones`, async (t) => {
    const app = await startTestApp(t)
    for (const event of recorded.events) {
      const id = await givenSame(app, event)

      const { body } = await app.send({ path: `/events?include=${id}` })

      assert.deepEqual(shapeOf(body.events[0]), [...shapeOf(withNames(event)), alwaysOurs], String(event.slug))
    }
  })

  test(`${file}: our list has the members of the recorded one`, async (t) => {
    const app = await startTestApp(t)
    const { events, ...members } = recorded
    const hasNext = 'next_rest_url' in members
    for (const event of events.slice(0, 2)) await givenSame(app, event)

    const { body } = await app.send({ path: `/events?start_date=2022-01-01&per_page=${hasNext ? 1 : 10}` })

    assert.deepEqual(Object.keys(body), Object.keys(recorded))
    const { events: _, ...ours } = body
    assert.deepEqual(shapeOf(ours), shapeOf(members))
  })
}

type Shape = readonly (readonly [key: string, shape: unknown])[]

/** Members in their order, each with the type of its value. */
function shapeOf(value: Json): Shape {
  return Object.entries(value)
    .filter(([key]) => !ofExtensions.has(key))
    .map(([key, member]) => [key, typeOf(member)] as const)
}

function typeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typeOf)
  return value !== null && typeof value === 'object' ? shapeOf(value as Json) : value === null ? 'null' : typeof value
}

/** The interface cannot create a venue without a name. Ours has a name in its place. */
function withNames(event: RecordedEvent): RecordedEvent {
  if (Array.isArray(event.venue) || 'venue' in event.venue) return event
  const members = Object.entries(event.venue).flatMap(([key, value]): [string, unknown][] =>
    key === 'slug'
      ? [
          ['venue', ''],
          [key, value],
        ]
      : [[key, value]],
  )
  return { ...event, venue: Object.fromEntries(members) }
}

/** Creates the same event over the interface, with its terms, venue and organizers, and returns its id. */
async function givenSame(app: TestApp, event: RecordedEvent): Promise<number> {
  const made = async (path: string, json: Json): Promise<number> => {
    const { status, text, body } = await app.send({ as: 'administrator', method: 'POST', path, json })
    assert.equal(status, 201, text)
    return body.id
  }
  // Equal names would become one record, so each name is unique.
  const named = (name: unknown, { id }: Json) => `${name} ${id} of ${event.id}`
  const terms = (list: readonly Json[], path: string) =>
    Promise.all(
      list.map(async (term) => {
        const parent = term.parent ? { parent: await made(path, { name: named('Parent', term) }) } : {}
        return made(path, { name: named(term.name, term), ...parent })
      }),
    )
  const { venue, organizer } = event
  const organizers = await Promise.all(
    organizer.map((one) =>
      made('/organizers', { organizer: named(one.organizer, one), ...picked(one, organizerFields) }),
    ),
  )
  return made('/events', {
    ...picked(event, eventFields),
    categories: await terms(event.categories, '/categories'),
    tags: await terms(event.tags, '/tags'),
    organizer: organizers,
    ...(isList(venue) ? {} : { venue: await made('/venues', venueOf(venue, named('Venue', venue))) }),
  })
}

function venueOf(venue: Json, name: string): Json {
  const place = 'geo_lat' in venue ? { geo_lat: venue.geo_lat, geo_lng: venue.geo_lng } : {}
  return { venue: name, ...picked(venue, venueFields), ...place }
}

/**
 * The values of these fields in a record. The recorded sites contain websites without a scheme, which this service
 * refuses.
 */
function picked(from: Json, names: readonly string[]): Json {
  const said = names.filter((name) => name in from && from[name] !== '')
  return Object.fromEntries(
    said.map((name) => [name, name === 'website' ? `https://example.org/?${from[name]}` : from[name]]),
  )
}

function isList(value: Json | readonly never[]): value is readonly never[] {
  return Array.isArray(value)
}
