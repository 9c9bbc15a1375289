import { readFile } from 'node:fs/promises'
import type { UserId } from '../src/access/auth/actor.ts'
import type { Deps } from '../src/access/deps.ts'
import { htmlToText } from '../src/base/text/escape.ts'
import type { LocalDateTime } from '../src/base/time/local.date.time.ts'
import { localDateTimeAt } from '../src/base/time/zone.ts'
import { shiftByDays } from '../src/exchange/imports/date.shift.ts'
import { importRecordings } from '../src/exchange/imports/import.service.ts'
import { readTecRecording } from '../src/exchange/imports/tec.ts'
import { type DemoClient, inTurns } from './client.ts'
import { drawCover } from './covers.ts'
import {
  type Activity,
  type Conference,
  demoZone,
  mondayOfData,
  readActivities,
  readConferences,
  shiftAt,
} from './laval.ts'
import { createSeries } from './series.ts'
import { ANNOUNCEMENTS, announce, type EventVersions, ONLINE } from './states.ts'
import { CATEGORIES, categoryOf, TAGS, TOPICS } from './terms.ts'
import { CITIES, type DemoVenue, LAVAL_PLACES } from './venues.ts'

type Ids = ReadonlyMap<string, number>

const recordings = ['atlanta-beltline', 'atlanta-regional-commission', 'fulton-dekalb-hospital-authority']
const coversOfCategory = 2
const stepsBeforeEvents = 4

/** The ids of the records that events of the demo refer to. */
interface CreatedIds {
  readonly places: Ids
  readonly cities: Ids
  readonly organizers: Ids
  readonly categories: Ids
  readonly tags: Ids
  /** By category and number. */
  readonly covers: Ids
}

/** Receives the next step, and the progress. */
export type OnStep = (what: string, done: number, total: number) => void

/** Fills an empty calendar with the records that the demo shows around the current date. */
export async function fillDemo(client: DemoClient, deps: Deps, authorId: UserId, onStep: OnStep): Promise<void> {
  const { siteZone } = deps.config
  const shiftDays = shiftAt(deps.now())
  const activities = await readActivities(shiftDays)
  const conferences = await readConferences(shiftDays)
  const total = stepsBeforeEvents + activities.length + conferences.length
  let done = 0
  const step = (what: string) => {
    onStep(what, done, total)
    done += 1
  }
  step('categories and tags')
  const terms = {
    categories: await createCategories(client),
    tags: await createTags(client, activities, conferences),
  }
  step('venues and organizers')
  const directory = {
    places: await createPlaces(client),
    cities: await createCities(client, conferences),
    organizers: await createOrganizers(client),
  }
  step('pictures')
  const known: CreatedIds = { ...terms, ...directory, covers: await createCovers(client) }
  step('series')
  const now = localDateTimeAt(deps.now(), siteZone)
  await createSeries(client, known, { monday: shiftByDays(mondayOfData, shiftDays), now })
  const ofEvents = `${activities.length + conferences.length} events`
  const versions = await inTurns(activities, async (activity, place) => {
    const created = await createActivity(client, known, { activity, place })
    step(ofEvents)
    return created
  })
  await announceChanges(client, { activities, versions, now })
  await inTurns(conferences, async (conference, place) => {
    await createConference(client, known, conference, place)
    step(ofEvents)
  })
  await importAtlanta(deps, authorId)
}

async function createCategories(client: DemoClient): Promise<Ids> {
  const ids = new Map<string, number>()
  // One after the other, because a parent must exist before its children.
  for (const { key, french, english, above } of CATEGORIES) {
    const parent = above === undefined ? {} : { parent: ids.get(above) }
    const id = await client.create('categories', { name: english, ...parent }, 'en')
    await client.create('categories', { name: french }, 'fr-CA', id)
    ids.set(key, id)
  }
  return ids
}

async function createTags(
  client: DemoClient,
  activities: readonly Activity[],
  conferences: readonly Conference[],
): Promise<Ids> {
  const french = [...new Set(activities.flatMap(tagNames))]
  const inLaval = await inTurns(french, async (name): Promise<[string, number]> => {
    const id = await client.create('tags', { name }, 'fr-CA')
    const english = TAGS[name]
    if (english) await client.create('tags', { name: english }, 'en', id)
    return [name, id]
  })
  const topics = [...new Set(conferences.map(({ topic }) => topic))]
  const ofConferences = await inTurns(topics, async (topic): Promise<[string, number]> => {
    return [topic, await client.create('tags', { name: topicName(topic) }, 'en')]
  })
  return new Map([...inLaval, ...ofConferences])
}

function tagNames({ tags, audience }: Activity): readonly string[] {
  return [...new Set([...audience, ...tags])]
}

async function createPlaces(client: DemoClient): Promise<Ids> {
  const created = await inTurns(LAVAL_PLACES, async (place): Promise<[string, number]> => {
    const id = await client.create('venues', venueOf(place, place.name), 'fr-CA')
    await client.create('venues', { venue: place.english }, 'en', id)
    return [keyOf(place.name), id]
  })
  return new Map(created)
}

async function createCities(client: DemoClient, conferences: readonly Conference[]): Promise<Ids> {
  const cities = [...new Map(conferences.map(({ city, country }) => [city, country]))]
  const created = await inTurns(cities, async ([city, country]): Promise<[string, number]> => {
    const [name = city, state = ''] = city.split(', ')
    const at = CITIES[city]
    if (!at) throw new Error(`Nobody says where ${city} is.`)
    const place = { name, english: name, city: name, province: state, country, at }
    return [city, await client.create('venues', venueOf(place, `Conference centre, ${name}`), 'en')]
  })
  return new Map(created)
}

function venueOf({ address = '', city, province = '', country, at }: DemoVenue, venue: string) {
  const [geo_lat, geo_lng] = at
  return { venue, address, city, province, country, geo_lat, geo_lng, show_map: true, show_map_link: true }
}

/** Names in the data have straight apostrophes. */
function keyOf(name: string): string {
  return name.replaceAll('’', "'")
}

const organizers = [
  { key: 'city', french: 'Ville de Laval', english: 'City of Laval' },
  { key: 'libraries', french: 'Bibliothèques de Laval', english: 'Laval Public Libraries' },
  { key: 'arts', french: 'Maison des arts de Laval', english: 'Laval House of the Arts' },
] as const

async function createOrganizers(client: DemoClient): Promise<Ids> {
  const created = await inTurns(organizers, async ({ key, french, english }): Promise<[string, number]> => {
    const address = { email: `${key}@example.org`, website: `https://${key}.example.org/`, phone: '450-555-0100' }
    const id = await client.create('organizers', { organizer: french, ...address }, 'fr-CA')
    await client.create('organizers', { organizer: english }, 'en', id)
    return [key, id]
  })
  return new Map(created)
}

async function createCovers(client: DemoClient): Promise<Ids> {
  const wanted = CATEGORIES.flatMap(({ key, hue }) =>
    Array.from({ length: coversOfCategory }, (_, number) => ({
      name: `${key}-${number}`,
      hue,
      seed: hue * 10 + number,
    })),
  )
  const created = await inTurns(wanted, async ({ name, hue, seed }): Promise<[string, number]> => {
    return [name, await client.upload(`${name}.jpg`, await drawCover(hue, seed))]
  })
  return new Map(created)
}

interface CreatedActivities {
  readonly activities: readonly Activity[]
  /** In the same order. */
  readonly versions: readonly EventVersions[]
  readonly now: LocalDateTime
}

/** Announces what happens to some events, as organizers do after they have published them. */
async function announceChanges(client: DemoClient, { activities, versions, now }: CreatedActivities): Promise<void> {
  for (const [title, { days, ...announcement }] of Object.entries(ANNOUNCEMENTS)) {
    const named = activities.filter((activity) => activity.title === title)
    const activity = named.find(({ start }) => start > now) ?? named.at(-1)
    const created = activity && versions[activities.indexOf(activity)]
    if (!created) throw new Error(`No activity is called “${title}”.`)
    const { start, end } = activity
    const times = days === undefined ? {} : { start_date: shiftByDays(start, days), end_date: shiftByDays(end, days) }
    await announce(client, created, { ...announcement, ...times })
  }
}

async function createActivity(
  client: DemoClient,
  known: CreatedIds,
  { activity, place }: { readonly activity: Activity; readonly place: number },
): Promise<EventVersions> {
  const { title, text, start, end, isAllDay, english, categories, places } = activity
  const category = categoryOf(title, categories)
  const isShow = ['theatre', 'music'].includes(category)
  const organizer = isShow ? 'arts' : categories.includes('Bibliothèques') ? 'libraries' : 'city'
  const id = await client.create(
    'events',
    {
      ...{ title, description: text, excerpt: beginningOf(htmlToText(text)) },
      ...{ start_date: start, end_date: end, all_day: isAllDay, timezone: demoZone },
      ...{ cost: isShow ? '28' : '0', featured: /festival|hivernal|symphonique|exposition :/i.test(title) },
      categories: [known.categories.get(category)],
      tags: tagNames(activity).map((name) => known.tags.get(name)),
      venue: places.flatMap((name) => known.places.get(keyOf(name)) ?? []),
      organizer: [known.organizers.get(organizer)],
      image: known.covers.get(`${category}-${place % coversOfCategory}`),
      ...{ show_map: true, show_map_link: true, ...ONLINE[title] },
    },
    'fr-CA',
  )
  if (!english) return { french: id, english: undefined }
  const texts = { title: english.title, description: `<p>${english.text}</p>`, excerpt: english.text }
  return { french: id, english: await client.create('events', { ...texts, cost: isShow ? '28' : '0' }, 'en', id) }
}

/** Returns the beginning of a text for an excerpt, cut between words. */
function beginningOf(text: string): string {
  const most = 140
  if (text.length <= most) return text
  return `${text.slice(0, text.lastIndexOf(' ', most - 1)).replace(/[\s,;:.–-]+$/, '')}…`
}

function aboutConference({ topic, city }: Conference): string {
  if (topic === 'general') return `A conference in ${city}.`
  const name = topicName(topic)
  return `${/^(?:[aeio]|SRE)/i.test(name) ? 'An' : 'A'} ${name} conference in ${city}.`
}

function topicName(topic: string): string {
  return TOPICS[topic] ?? topic
}

async function createConference(
  client: DemoClient,
  known: CreatedIds,
  conference: Conference,
  place: number,
): Promise<void> {
  const { name, topic, url, startDate, endDate, city } = conference
  await client.create(
    'events',
    {
      title: name,
      description: `<p>${aboutConference(conference)}</p>`,
      ...{ start_date: startDate, end_date: endDate, all_day: true, timezone: demoZone, website: url },
      categories: [known.categories.get('conferences')],
      tags: [known.tags.get(topic)],
      venue: [known.cities.get(city)],
      image: known.covers.get(`conferences-${place % coversOfCategory}`),
      show_map: true,
    },
    'en',
  )
}

/** Imports recorded lists of events, in the same way as any recording. */
async function importAtlanta(deps: Deps, authorId: UserId): Promise<void> {
  const folder = new URL('../test/fixtures/recorded-responses/', import.meta.url)
  const read = recordings.map(async (name) => {
    const file = `${name}.events.json`
    return readTecRecording(file, await readFile(new URL(file, folder), 'utf8'))
  })
  await importRecordings(deps, await Promise.all(read), { authorId, isShifted: true, language: 'en' })
}
