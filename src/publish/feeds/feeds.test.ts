import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../test/support/given.ts'
import type { Role } from '../../access/auth/actor.ts'
import { FEED_FORMATS } from './feed.ts'

const types = {
  ics: 'text/calendar; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

/** Requests a feed, and fails if the response is not 200. */
async function feed(app: TestApp, path: string, as?: Role) {
  const answer = await app.send({ path, ...(as ? { as } : {}) })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

/** Returns the values of a property in a calendar, in their order, unfolded. */
function valuesOf(text: string, name: string): readonly string[] {
  return text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => new RegExp(`^${name}[;:]`).test(line))
    .map((line) => line.slice(line.indexOf(':') + 1))
}

const titles = async (app: TestApp, query: string, as?: Role) =>
  valuesOf((await feed(app, `/events.ics?${query}`, as)).text, 'SUMMARY')

test('every form of the list has its type, its name and the events of the list', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: 'Concert' })
  await givenEvent(app, { title: 'Lecture' })

  for (const format of FEED_FORMATS) {
    const { headers, text } = await feed(app, `/events.${format}?search=conc`)

    assert.equal(headers['content-type'], types[format])
    assert.match(headers['content-disposition'] ?? '', new RegExp(`filename="events.${format}"`))
    assert.deepEqual([headers['x-tec-total'], headers['content-language']], ['1', 'en'])
    assert.ok(text.includes('Concert') && !text.includes('Lecture'), text)
  }
})

test('a feed takes the parameters of the list and refuses bad ones in the words of the contract', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app)

  for (const format of FEED_FORMATS) {
    const list = await app.send({ path: '/events?start_date=someday&venue=999' })
    const wrong = await app.send({ path: `/events.${format}?start_date=someday&venue=999` })
    const far = await app.send({ path: `/events.${format}?page=2` })

    assert.deepEqual([wrong.status, wrong.body], [400, list.body])
    assert.deepEqual([far.status, far.body.code], [404, 'event-archive-page-not-found'])
  }
})

test('a feed has more events than a page of the list, and no more than it can make at once', async (t) => {
  const app = await startTestApp(t, { PER_PAGE: '2', MAX_PER_PAGE: '2' })
  for (let number = 0; number < 3; number += 1) await givenEvent(app, { title: `Event ${number}` })

  assert.equal((await titles(app, '')).length, 3)
  assert.equal((await titles(app, 'per_page=2&page=2')).length, 1)
  assert.equal((await feed(app, '/events.ics?per_page=999999')).headers['x-tec-totalpages'], '1')
})

test('a feed shows each caller what the list does, and only visitors get cached responses', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: 'Open' })
  await givenEvent(app, { title: 'Draft', status: 'draft' })
  await givenEvent(app, { title: 'Hidden', hide_from_listings: true })

  assert.deepEqual(await titles(app, ''), ['Open'])
  assert.deepEqual(await titles(app, '', 'editor'), ['Open', 'Draft'])
  assert.deepEqual(await titles(app, ''), ['Open'])
  assert.match((await feed(app, '/events.ics', 'editor')).headers['cache-control'] ?? '', /no-store/)
})

test('of a protected event everybody sees what it is called and when, and the rest who says its password', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { venue: 'Vault' })
  const secrets = {
    description: 'Knock twice',
    excerpt: 'Knock',
    cost: 'a gold coin',
    venue: venue.id,
    categories: ['Plots'],
  }
  const event = await givenEvent(app, { title: 'Meeting', event_password: 'open sesame', ...secrets })

  for (const format of FEED_FORMATS) {
    const { text } = await feed(app, `/events.${format}`)
    const opened = await feed(app, `/events.${format}?password=open%20sesame`)

    assert.match(text, /Meeting/)
    assert.doesNotMatch(text, /Knock|Vault|Plots|gold coin/)
    assert.match(opened.text, /Knock twice/)
    assert.doesNotMatch(opened.text, /sesame/)
  }
  const page = await feed(app, `//event/${event.slug}/ical/`)
  assert.doesNotMatch(page.text, /Knock|Vault|Plots/)
})

test('every feed has a validator, and what has not changed is not sent again, to visitors and to users', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app)
  await feed(app, '/events.ics') // The first request creates the identity of the calendar.
  const paths = [...FEED_FORMATS.map((format) => `/events.${format}`), `//event/${event.slug}/ical/`]

  for (const path of paths) {
    for (const as of [undefined, 'editor'] as const) {
      const etag = (await feed(app, path, as)).headers.etag ?? ''
      const ask = () => app.send({ path, ...(as ? { as } : {}), headers: { 'if-none-match': etag } })
      const same = await ask()
      app.pass(1)
      await changed(app, `/events/${event.id}`, { title: `Changed ${path} ${as}` })
      const other = await ask()

      assert.match(etag, /^"[\w-]+"$/)
      assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', etag], `${path} ${as}`)
      assert.equal(other.status, 200)
    }
  }
})

test('answers to visitors are kept until something is written', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app)
  const path = '/events.ics?start_date=2030-01-01'
  await feed(app, path)
  await feed(app, path)
  app.statements()

  const again = await feed(app, path)
  // Engines other than SQLite ask the server whether anything was written.
  const asked = app.statements().filter((statement) => /records/.test(statement))
  await changed(app, `/events/${event.id}`, { title: 'Changed' })
  const after = await feed(app, path)

  assert.deepEqual(asked, [])
  assert.deepEqual(valuesOf(again.text, 'SUMMARY'), ['Concert'])
  assert.deepEqual(valuesOf(after.text, 'SUMMARY'), ['Changed'])
})

test('the id of an event stays when all else changes, and each change has a higher number, even within a second', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app)
  const state = async (headers: Readonly<Record<string, string>> = {}) => {
    const { text } = await app.send({ path: '/events.ics', headers })
    return { uid: valuesOf(text, 'UID')[0], sequence: Number(valuesOf(text, 'SEQUENCE')[0]), text }
  }

  const first = await state()
  await changed(app, `/events/${event.id}`, { title: 'Other' })
  const second = await state({ host: 'elsewhere.test' })
  await changed(app, `/events/${event.id}`, { start_date: '2030-02-01 10:00:00', end_date: '2030-02-01 11:00:00' })
  const third = await state()

  assert.match(first.uid ?? '', /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  assert.deepEqual([second.uid, third.uid], [first.uid, first.uid])
  assert.ok(first.sequence < second.sequence && second.sequence < third.sequence)
})

test('a translation that shares the times of a changed event has a higher number as well', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app)
  await app.send({
    ...{ as: 'editor', method: 'POST', path: '/events?ml_language=fr-CA' },
    json: { title: 'Récital', ml_translation_of: event.id },
  })
  const sequence = async () => {
    const { text } = await feed(app, '/events.ics?ml_language=fr-CA')
    assert.deepEqual(valuesOf(text, 'SUMMARY'), ['Récital'])
    return Number(valuesOf(text, 'SEQUENCE')[0])
  }

  const before = await sequence()
  await changed(app, `/events/${event.id}`, { end_date: '2030-01-22 23:00:00' })

  assert.ok((await sequence()) > before)
})

test('when a venue changes, so does the last change of its events', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  await givenEvent(app, { venue: venue.id })
  const last = async () => valuesOf((await feed(app, '/events.ics')).text, 'LAST-MODIFIED')

  const before = await last()
  app.pass(60)
  await changed(app, `/venues/${venue.id}`, { venue: 'New name' })

  assert.deepEqual(before, ['20300115T120000Z', '20300115T120000Z'])
  assert.deepEqual(await last(), ['20300115T120100Z', '20300115T120100Z'])
})

test('feeds stand below /fr in French, and below the prefix of a drop-in under its own words', async (t) => {
  const app = await startTestApp(t, { REST_PREFIX: '/wp-json', VENDOR_WORD: 'acme', SITE_NAME: 'Ville' })
  await givenEvent(app)

  const english = await feed(app, '/events.ics')
  const french = await feed(app, '//wp-json/fr/acme/events/v1/events.ics?per_page=5')
  const named = await feed(app, '//?rest_route=/acme/events/v1/events.ics')

  assert.deepEqual(valuesOf(english.text, 'NAME'), ['Ville: events'])
  assert.deepEqual(valuesOf(french.text, 'NAME'), ['Ville\u00a0: événements'])
  assert.deepEqual(valuesOf(french.text, 'SOURCE'), [
    'http://calendar.test/wp-json/fr/acme/events/v1/events.ics?per_page=5',
  ])
  assert.deepEqual(valuesOf(named.text, 'SUMMARY'), ['Concert'])
})

test('an event has a calendar of its own below its page, in its language, for who may read it', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { title: 'Fall fair' })
  await app.send({
    ...{ as: 'editor', method: 'POST', path: '/events?ml_language=fr-CA' },
    json: { title: 'Foire d’automne', ml_translation_of: event.id },
  })
  const secret = await givenEvent(app, { title: 'Board', status: 'private' })
  const page = async (path: string, as?: Role) => app.send({ path: `/${path}`, ...(as ? { as } : {}) })

  const english = await page('/event/fall-fair/ical/')
  const french = await page('/fr/event/foire-dautomne/ical')
  const hidden = await page(`/event/${secret.slug}/ical/`)
  const unknown = await app.send({ path: '//fr/event/nothing/ical/', headers: { accept: 'application/json' } })
  const nowhere = await page('/fr/event/nothing/ical/')

  assert.deepEqual(valuesOf(english.text, 'SUMMARY'), ['Fall fair'])
  assert.deepEqual(valuesOf(english.text, 'URL'), ['http://calendar.test/', 'http://calendar.test/event/fall-fair/'])
  assert.deepEqual(valuesOf(french.text, 'SUMMARY'), ['Foire d’automne'])
  assert.deepEqual([hidden.status, (await page(`/event/${secret.slug}/ical/`, 'editor')).status], [404, 200])
  assert.deepEqual([unknown.status, unknown.body.message], [404, 'Cet événement n’existe pas.'])
  assert.deepEqual([nowhere.status, nowhere.headers['content-type']], [404, 'text/html; charset=utf-8'])
})

test('the index knows nothing of feeds, and the OpenAPI document all', async (t) => {
  const app = await startTestApp(t)

  const index = await app.send({ path: '' })
  const { body: document } = await app.send({ path: '/doc' })

  assert.doesNotMatch(index.text, /events\.(ics|rss|atom|csv)/)
  for (const format of FEED_FORMATS) {
    const operation = document.paths[`/events.${format}`].get
    const parameters = operation.parameters.map(({ name }: { readonly name?: string }) => name)
    assert.equal(operation['x-extension'], true)
    assert.ok(['search', 'categories', 'start_date'].every((name) => parameters.includes(name)))
  }
})

test('an event with all that it can have is written as it always was', async (t) => {
  const app = await startTestApp(t, { PUBLIC_URL: 'https://calendar.example.org', SITE_TIMEZONE: 'America/Toronto' })
  await app.deps.storage.write((tx) =>
    tx
      .insertInto('settings')
      .values({ name: 'calendar_identity', value: '0f0e0d0c-0b0a-4908-8706-050403020100' })
      .execute(),
  )
  await givenTerm(app, 'categories', { name: 'Music & dance' })
  const place = { address: '4000, avenue du Parc', city: 'Montréal', province: 'QC', country: 'Canada', zip: 'H2L 3M8' }
  const venue = await givenVenue(app, { venue: 'Théâtre', ...place, geo_lat: 45.527, geo_lng: -73.569 })
  const organizer = await givenOrganizer(app, { organizer: 'Club; “Jazz”', email: 'club@example.org' })
  const long = 'Une soirée où l’été s’étire, à la belle étoile, bien au-delà de ce qu’une ligne peut porter. '.repeat(2)
  await givenEvent(app, {
    title: 'Jazz, in the park',
    description: `<p>${long}</p><ul><li>One</li><li>Two; three</li></ul>`,
    timezone: 'America/Toronto',
    categories: ['Music & dance'],
    tags: ['free'],
    venue: venue.id,
    organizer: organizer.id,
    cost: '$10 - $20',
    website: 'https://jazz.example/',
  })
  const days = { start_date: '2030-03-09', end_date: '2030-03-11', all_day: true }
  await givenEvent(app, { title: '=Festival', timezone: 'Europe/Paris', ...days })
  await givenEvent(app, { title: 'Call', timezone: 'UTC-5' })

  for (const format of FEED_FORMATS) {
    const { bytes } = await feed(app, `/events.${format}?start_date=2030-01-01`)
    t.assert.fileSnapshot(bytes.toString(), new URL(`golden/events.${format}`, import.meta.url).pathname, {
      serializers: [(text: string) => text],
    })
  }
})

test('a request for one event with a body that is too large is refused as such', async (t) => {
  const app = await startTestApp(t)

  const { status, body } = await app.send({ path: '//event/nothing/ical/', payload: Buffer.alloc(2_000_000) })

  assert.deepEqual([status, body.code], [413, 'rest_request_too_large'])
})

test('news begin with what was published last, unless another order is asked for', async (t) => {
  const app = await startTestApp(t)
  const on = (day: string) => ({ start_date: `2030-02-${day} 19:00:00`, end_date: `2030-02-${day} 21:00:00` })
  const late = await givenEvent(app, { title: 'Late', status: 'draft', ...on('01') })
  for (const [title, day] of Object.entries({ First: '03', Second: '02', Third: '04' })) {
    app.pass(60)
    await givenEvent(app, { title, ...on(day) })
  }
  app.pass(60)
  await changed(app, `/events/${late.id}`, { status: 'publish' })
  const titlesIn = async (path: string) =>
    (await feed(app, path)).text.match(/(?<=<(?:item|entry[^>]*)>.*?<title>)\w+/g) ?? []

  for (const format of ['rss', 'atom']) {
    for (const asked of ['', 'order=desc'])
      assert.deepEqual(await titlesIn(`/events.${format}?${asked}`), ['Late', 'Third', 'Second', 'First'], asked)
    assert.deepEqual(await titlesIn(`/events.${format}?per_page=2&page=2`), ['Second', 'First'], format)
    assert.deepEqual(await titlesIn(`/events.${format}?orderby=start`), ['Late', 'Second', 'First', 'Third'], format)
    for (const asked of ['orderby=published&order=asc', 'order=asc'])
      assert.deepEqual(await titlesIn(`/events.${format}?${asked}`), ['First', 'Second', 'Third', 'Late'], asked)
  }
  assert.deepEqual(await titles(app, ''), ['Late', 'Second', 'First', 'Third'])
})

test('what follows a text tells its page, website and price in the language of the event', async (t) => {
  const app = await startTestApp(t, { PUBLIC_URL: 'https://calendar.example.org', CURRENCY_CODE: 'CAD' })
  const sent = { website: 'https://fair.example/', cost: '10 $ à 25 $', description: '<a href="/about">Us</a>' }
  await givenEvent(app, { title: 'Foire', ml_language: 'fr-CA', ...sent })

  const { text } = await feed(app, '/events.ics?ml_language=fr-CA')
  const news = await feed(app, '/events.rss?ml_language=fr-CA')

  const page = 'https://calendar.example.org/fr/event/foire/'
  const [description] = valuesOf(text, 'DESCRIPTION').slice(1)
  const end = [`Page\u00a0: ${page}`, 'Site Web\u00a0: https://fair.example/', 'Prix\u00a0: 10\u00a0$ – 25\u00a0$']
  assert.equal(description, ['Us (https://calendar.example.org/about)', '', ...end].join('\\n'))
  assert.ok(news.text.includes(`&lt;p&gt;${end.join('&lt;br&gt;')}&lt;/p&gt;`), news.text)
})

test('a calendar of what is not over is made anew when a day ends where the site is, and not before', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto', READERS: '0' })
  const days = { start_date: '2030-01-10 09:00:00', end_date: '2030-01-15 21:00:00', timezone: 'America/Toronto' }
  await givenEvent(app, { title: 'Running', ...days })
  const path = '/events.ics?ends_after=-29+hours'
  const read = async () => valuesOf((await feed(app, path)).text, 'SUMMARY')

  assert.deepEqual(await read(), ['Running'])
  app.pass(12 * 3600)
  assert.deepEqual(await read(), ['Running'])
  app.statements()
  assert.deepEqual(await read(), ['Running'])
  assert.deepEqual(
    app.statements().filter((statement) => /records/.test(statement)),
    [],
  )
  // Midnight in Toronto is five hours later than in UTC.
  app.pass(5 * 3600)
  assert.deepEqual(await read(), [])
})
