import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenTerm, givenVenue, listedIds } from '../../../test/support/given.ts'
import { givenRecording, readRecorded, recordedFiles, tecEvent } from '../../../test/support/recording.ts'
import type { UserId } from '../../access/auth/actor.ts'
import { findUserByLogin, insertUser } from '../../access/auth/user.repository.ts'
import { type ImportOptions, importRecordings } from './import.service.ts'
import { contentDigest } from './record.writer.ts'
import { readTecRecording } from './tec.ts'
import { parseTranslations, TranslationsError } from './translations.ts'

const administrator = 5 as UserId
const daySeconds = 86_400

/** Imports these events from one file. */
function imported(app: TestApp, events: readonly object[], options: Partial<ImportOptions> = {}) {
  const recording = readTecRecording('a.json', givenRecording(events))
  return importRecordings(app.deps, [recording], { authorId: administrator, ...options })
}

async function eventsOf(app: TestApp) {
  const { body } = await app.send({ path: '/events?per_page=100&start_date=2000-01-01&end_date=2100-01-01' })
  return body.events
}

const recordings = () => recordedFiles.map((file) => readTecRecording(file, readRecorded(file)))

test('an author is asked for once there is something to import, and one of a rehearsal is taken back', async (t) => {
  const app = await startTestApp(t)
  let asked = 0
  const authorId: ImportOptions['authorId'] = async (transact) => {
    asked += 1
    const user = await transact((tx) => insertUser(tx, { name: 'standin', email: '', role: 'administrator' }, 0))
    return user.id
  }
  const nothing = [readTecRecording('a.json', '{')]

  const none = await importRecordings(app.deps, nothing, { authorId })
  const askedForNothing = asked
  const rehearsed = await imported(app, [tecEvent(1)], { authorId, isDryRun: true })

  assert.deepEqual([none.failures.length, askedForNothing, asked], [1, 0, 1])
  assert.equal(rehearsed.events.created, 1)
  assert.equal(await findUserByLogin(app.deps.storage.db, 'standin'), undefined)
})

test('recorded lists are imported whole, ahead of today, and a second time changes nothing', async (t) => {
  const app = await startTestApp(t)
  const options = { authorId: administrator, isShifted: true }

  const first = await importRecordings(app.deps, recordings(), options)
  const before = await app.send({ path: '/events?per_page=50' })
  app.pass(30 * daySeconds)
  const second = await importRecordings(app.deps, recordings(), options)
  const after = await app.send({ path: '/events?per_page=50&start_date=2030-01-15' })

  assert.deepEqual(first.events, { created: 39, updated: 0, unchanged: 0, failed: 0 })
  assert.deepEqual(first.failures, [])
  assert.equal(before.body.total, 39)
  assert.deepEqual(second.events, { created: 0, updated: 0, unchanged: 39, failed: 0 })
  for (const group of ['venues', 'organizers', 'categories', 'tags'] as const) {
    assert.equal(second[group].created + second[group].updated, 0)
  }
  assert.deepEqual(after.body.events, before.body.events)
})

test('an event keeps what the source says of it', async (t) => {
  const app = await startTestApp(t)
  const venue = { id: 7, venue: 'Lee &amp; White', slug: 'the-hall', city: 'Atlanta', geo_lat: 33.7, geo_lng: -84.3 }
  const organizer = { id: 8, organizer: 'Club', email: 'club@example.org', website: 'club.example.org' }
  const sent = {
    title: 'Juice &#8211; &amp; more',
    venue,
    organizer: [organizer],
    featured: true,
    sticky: true,
    cost: '$5',
    website: 'https://example.org/fair',
    categories: [{ id: 3, name: 'Food', slug: 'food', parent: 0 }],
    tags: [{ id: 4, name: 'Free', slug: 'free' }],
  }

  const { venues, organizers, categories, tags } = await imported(app, [tecEvent(12, sent)])

  const [event] = await eventsOf(app)
  assert.deepEqual([venues.created, organizers.created, categories.created, tags.created], [1, 1, 1, 1])
  assert.deepEqual(
    [event.title, event.slug, event.start_date, event.utc_start_date, event.timezone, event.date_utc],
    [
      'Juice – &amp; more',
      'fair-12',
      '2022-08-10 08:30:00',
      '2022-08-10 12:30:00',
      'America/New_York',
      '2022-01-01 12:00:00',
    ],
  )
  assert.deepEqual([event.featured, event.sticky, event.cost, event.website], [true, true, '$5', sent.website])
  assert.deepEqual(
    [event.venue.venue, event.venue.slug, event.venue.geo_lat, event.venue.geo_lng],
    ['Lee &amp; White', 'the-hall', 33.7, -84.3],
  )
  assert.deepEqual([event.organizer[0].email, event.organizer[0].website], [organizer.email, 'http://club.example.org'])
  assert.deepEqual([event.categories[0].slug, event.tags[0].slug], ['food', 'free'])
})

test('an event without a website shows none, before and after an update from the source', async (t) => {
  const app = await startTestApp(t)

  await imported(app, [tecEvent(12)])
  const [first] = await eventsOf(app)
  await imported(app, [tecEvent(12, { title: 'Market' })])
  const [second] = await eventsOf(app)

  assert.deepEqual([first.website, second.website, second.title], ['', '', 'Market'])
})

test('what has changed at the source is changed here, and stays where it was moved to', async (t) => {
  const app = await startTestApp(t)
  await imported(app, [tecEvent(12), tecEvent(13)], { isShifted: true })
  const [before] = await eventsOf(app)
  app.pass(60 * daySeconds)

  const summary = await imported(app, [tecEvent(12, { title: 'Market' }), tecEvent(13)], { isShifted: true })

  const after = (await eventsOf(app)).find((event: { id: number }) => event.id === before.id)
  assert.deepEqual(summary.events, { created: 0, updated: 1, unchanged: 1, failed: 0 })
  assert.equal(after.title, 'Market')
  assert.equal(after.start_date, before.start_date)
})

test('a change made here stays while the source says nothing new', async (t) => {
  const app = await startTestApp(t)
  await imported(app, [tecEvent(12)])
  const [{ id }] = await eventsOf(app)
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { title: 'Ours' } })

  await imported(app, [tecEvent(12)])

  assert.equal((await eventsOf(app))[0].title, 'Ours')
})

test('an event that was put into the trash here stays there', async (t) => {
  const app = await startTestApp(t)
  await imported(app, [tecEvent(12)])
  const [{ id }] = await eventsOf(app)
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${id}` })

  const summary = await imported(app, [tecEvent(12, { title: 'Market' })])

  assert.equal(summary.events.unchanged, 1)
  assert.deepEqual(await eventsOf(app), [])
})

test('a record that the domain refuses is named, and the rest of its batch is kept', async (t) => {
  const app = await startTestApp(t)

  const summary = await imported(app, [tecEvent(1), tecEvent(2, { title: '<script>x</script>' }), tecEvent(3)])

  assert.deepEqual(summary.events, { created: 2, updated: 0, unchanged: 0, failed: 1 })
  assert.deepEqual(
    summary.failures.map(({ file, path }) => `${file}: ${path}`),
    ['a.json: events[1]'],
  )
  assert.equal((await eventsOf(app)).length, 2)
})

test('whatever is refused among them, the others are kept in the order of the files', async (t) => {
  const app = await startTestApp(t)
  const isRefused = (id: number) => id === 3 || id === 11 || id === 12
  const ids = Array.from({ length: 20 }, (_, index) => index + 1)
  const events = ids.map((id) =>
    tecEvent(id, {
      title: isRefused(id) ? '<script>x</script>' : 'Fair',
      slug: '',
      start_date: `2022-08-10 08:30:${id + 10}`,
    }),
  )

  const { failures } = await imported(app, events)

  const listed = await eventsOf(app)
  assert.deepEqual(
    failures.map(({ path }) => path),
    ['events[2]', 'events[10]', 'events[11]'],
  )
  assert.deepEqual(
    listed.map(({ slug }: { slug: string }) => slug),
    ['fair', ...Array.from({ length: 16 }, (_, place) => `fair-${place + 2}`)],
  )
})

test('an event that is gone when its file is read again is named, and the others are imported', async (t) => {
  const app = await startTestApp(t)
  const lists = [[tecEvent(1), tecEvent(2)], [tecEvent(1)]]
  const recordings = {
    *[Symbol.iterator]() {
      yield readTecRecording('a.json', givenRecording(lists.shift() ?? []))
    },
  }

  const { events, failures } = await importRecordings(app.deps, recordings, { authorId: administrator })

  assert.deepEqual(events, { created: 1, updated: 0, unchanged: 0, failed: 1 })
  assert.deepEqual(failures, [{ file: 'a.json', path: 'events[1]', text: { key: 'import.file.gone' }, of: 'events' }])
})

test('categories stand below those above them, in whatever order they come', async (t) => {
  const app = await startTestApp(t)
  const child = { id: 3, name: 'Running', slug: 'running', parent: 2 }
  const parent = { id: 2, name: 'Sports', slug: 'sports', parent: 0 }

  await imported(app, [tecEvent(1, { categories: [child] })])
  const early = await app.send({ path: '/categories' })
  const summary = await imported(app, [tecEvent(1, { categories: [child] }), tecEvent(2, { categories: [parent] })])

  const { body } = await app.send({ path: '/categories' })
  const bySlug = new Map<string, { id: number; parent: number }>(
    body.categories.map((term: { slug: string }) => [term.slug, term]),
  )
  assert.equal(early.body.categories[0].parent, 0)
  assert.deepEqual(summary.categories, { created: 1, updated: 1, unchanged: 0, failed: 0 })
  assert.equal(bySlug.get('running')?.parent, bySlug.get('sports')?.id)
})

test('categories that name each other as parents are imported all the same', async (t) => {
  const app = await startTestApp(t)
  const categories = [
    { id: 2, name: 'Hen', slug: 'hen', parent: 3 },
    { id: 3, name: 'Egg', slug: 'egg', parent: 2 },
  ]

  const summary = await imported(app, [tecEvent(1, { categories })])

  assert.equal(summary.categories.created, 2)
  assert.equal((await eventsOf(app))[0].categories.length, 2)
})

test('our own category and venue of the same name are taken and left as they are', async (t) => {
  const app = await startTestApp(t)
  const term = await givenTerm(app, 'categories', { name: 'Food', slug: 'eating', description: 'Ours' })
  const hall = await givenVenue(app, { venue: 'Hall', city: 'Laval', phone: '1' })
  const sent = {
    categories: [{ id: 3, name: 'food', slug: 'food', parent: 0, description: 'Theirs' }],
    venue: { id: 7, venue: 'Hall', city: 'Laval' },
  }

  await imported(app, [tecEvent(1, sent)])

  const [event] = await eventsOf(app)
  assert.deepEqual([event.categories[0].id, event.categories[0].description], [term.id, 'Ours'])
  assert.deepEqual([event.venue.id, event.venue.phone], [hall.id, '1'])
})

test('venues of one name in different places stay apart', async (t) => {
  const app = await startTestApp(t)
  const ours = await givenVenue(app, { venue: 'City Hall', city: 'Laval' })
  const inCity = (id: number, city: string) => ({ venue: { id, venue: 'City Hall', slug: `city-hall-${id}`, city } })

  await imported(app, [tecEvent(1, inCity(7, 'Atlanta')), tecEvent(2, inCity(8, 'Macon'))])

  const cities = (await eventsOf(app)).map((event: { venue: { venue: string; city: string } }) => event.venue)
  assert.deepEqual(cities.map(({ venue, city }: { venue: string; city: string }) => `${venue}, ${city}`).toSorted(), [
    'City Hall, Atlanta',
    'City Hall, Macon',
  ])
  const { body } = await app.send({ path: `/venues/${ours.id}` })
  assert.equal(body.city, 'Laval')
})

test('of an event that comes twice the newer one counts', async (t) => {
  const app = await startTestApp(t)
  const newer = tecEvent(1, { title: 'Newer', modified_utc: '2022-03-01 00:00:00' })

  const summary = await imported(app, [newer, tecEvent(1)])

  assert.deepEqual(summary.events, { created: 1, updated: 0, unchanged: 1, failed: 0 })
  assert.equal((await eventsOf(app))[0].title, 'Newer')
})

test('events that come later are moved as far as those of the same files before them', async (t) => {
  const app = await startTestApp(t)
  const later = tecEvent(2, { start_date: '2022-08-20 08:30:00', end_date: '2022-08-20 10:00:00' })
  const { shiftDays } = await imported(app, [tecEvent(1)], { isShifted: true })
  app.pass(2 * daySeconds)

  const summary = await imported(app, [tecEvent(1), later], { isShifted: true })

  assert.equal(summary.shiftDays, shiftDays)
})

test('a rehearsal counts what would be done and changes nothing', async (t) => {
  const app = await startTestApp(t)
  const events = [tecEvent(1, { venue: { id: 7, venue: 'Hall' } }), tecEvent(2, { title: '<script>x</script>' })]

  const rehearsed = await imported(app, events, { isDryRun: true })
  const listed = await listedIds(app, 'start_date=2000-01-01', 'administrator')
  const done = await imported(app, events)

  assert.deepEqual(listed, [])
  assert.deepEqual(rehearsed, done)
})

test('pictures are counted as left where they are', async (t) => {
  const app = await startTestApp(t)

  const summary = await imported(app, [tecEvent(1, { image: { url: 'https://source.test/a.jpg', id: 9 } })])

  assert.equal(summary.skippedImages, 1)
  assert.equal((await eventsOf(app))[0].image, false)
})

test('progress reaches the number of all records', async (t) => {
  const app = await startTestApp(t)
  const steps: (readonly [number, number])[] = []

  await imported(app, [tecEvent(1, { venue: { id: 7, venue: 'Hall' } }), tecEvent(2)], {
    onProgress: (done, total) => steps.push([done, total]),
  })

  assert.deepEqual(steps, [
    [1, 3],
    [2, 3],
    [3, 3],
  ])
})

test('the two exports of a bilingual site become groups of translations, in either order', async (t) => {
  const english = [tecEvent(10, { venue: { id: 30, venue: 'Hall' }, tags: [{ id: 4, name: 'Loud', slug: 'loud' }] })]
  const french = [
    tecEvent(12, { title: 'Foire', venue: { id: 31, venue: 'Salle' }, tags: [{ id: 5, name: 'Fort', slug: 'fort' }] }),
  ]
  const translations = parseTranslations('{"events": {"12": 10}, "venues": {"31": 30}, "tags": {"5": 4}}')
  const inFrench = { language: 'fr-CA', translations, isShifted: true } as const
  const inEnglish = { isShifted: true } as const

  for (const isFrenchFirst of [false, true]) {
    const app = await startTestApp(t)
    if (isFrenchFirst) await imported(app, french, inFrench)
    await imported(app, english, inEnglish)
    const second = await imported(app, french, inFrench)
    const again = await imported(app, french, inFrench)

    assert.equal(second.events.failed, 0)
    assert.deepEqual(again.events, { created: 0, updated: 0, unchanged: 1, failed: 0 })
    const { body: plain } = await app.send({ path: '/events' })
    const { body: asked } = await app.send({ path: '/events?ml_language=fr-CA' })
    assert.deepEqual([plain.total, asked.total], [1, 1])
    const [[one], [other]] = [plain.events, asked.events]
    assert.deepEqual([one.title, one.venue.venue, one.tags[0].name], ['Fair', 'Hall', 'Loud'])
    assert.deepEqual([other.title, other.venue.venue, other.tags[0].name], ['Foire', 'Salle', 'Fort'])
    assert.deepEqual([other.start_date, other.ml_translations], [one.start_date, { en: one.id, 'fr-CA': other.id }])
    assert.equal(other.tags[0].count, 1)
  }
})

test('a mapping of translations that is none is told', () => {
  for (const text of ['', '[]', '{"event": {}}', '{"events": []}', '{"events": {"x": 1}}', '{"events": {"1": "y"}}']) {
    assert.throws(() => parseTranslations(text), TranslationsError, text)
  }
})

test('the digest of a venue and an organizer is made of the names that it has always been made of', async (t) => {
  const app = await startTestApp(t)
  const site = { description: '<p>Big</p>', status: 'publish', date: '2024-01-01 10:00:00' }
  const date_utc = '2024-01-01 15:00:00'
  const address = { address: '1 Main St', city: 'Laval', country: 'Canada', province: 'QC', stateprovince: 'QC' }
  const point = { geo_lat: 45.5, geo_lng: -73.5 }
  const contact = { phone: '555-0100', website: 'https://club.example/' }
  const venue = { ...site, date_utc, id: 7, venue: 'Hall', slug: 'hall', ...address, zip: 'H1A', ...contact, ...point }
  const organizer = { ...site, date_utc, id: 8, organizer: 'Club', slug: 'club', ...contact, email: 'a@example.org' }
  await imported(app, [tecEvent(1, { venue: { ...venue, show_map: false }, organizer: [organizer] })])

  const rows = await app.deps.storage.db
    .selectFrom('imported_records')
    .select(['kind', 'digest'])
    .where('kind', 'in', ['venue', 'organizer'])
    .orderBy('kind')
    .execute()

  const shared = { description: '<p>Big</p>', status: 'publish', date_utc }
  const fields = {
    ...{ address: '1 Main St', city: 'Laval', country: 'Canada', province: 'QC', state: '', stateprovince: 'QC' },
    ...{ zip: 'H1A', ...contact, show_map: false, show_map_link: true, ...point },
  }
  assert.deepEqual(rows, [
    {
      kind: 'organizer',
      digest: contentDigest({
        ...{ name: 'Club', ...shared, fields: { ...contact, email: 'a@example.org' }, slug: 'club' },
      }),
    },
    { kind: 'venue', digest: contentDigest({ name: 'Hall', ...shared, fields, slug: 'hall' }) },
  ])
})
