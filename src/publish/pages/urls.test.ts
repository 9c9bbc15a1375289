import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { elementIn, page, titlesIn } from '../../../test/support/pages.ts'

const french = { ml_language: 'fr-CA' }

/** Creates one record of each kind in both languages, with names that make unusual slugs. */
async function fill(app: TestApp) {
  const root = await givenTerm(app, 'categories', { name: 'Arts' })
  const arts = await givenTerm(app, 'categories', { name: 'Les arts', ...french, ml_translation_of: root.id })
  const music = await givenTerm(app, 'categories', { name: '音楽', parent: root.id })
  await givenTerm(app, 'categories', { name: 'Musique', parent: arts.id, ...french, ml_translation_of: music.id })
  const tags = ['C++', '🎉🎉', 'déjà vu']
  const hall = await givenVenue(app, { venue: '日本 Hall' })
  const salle = await givenVenue(app, { venue: 'Salle', ...french, ml_translation_of: hall.id })
  const club = await givenOrganizer(app, { organizer: '100% Club/Bar?' })
  await givenOrganizer(app, { organizer: 'Le club', ...french })
  const titles = ['Concert', '日本語', '🎉', 'Ελλάδα', 'a/b?c#d%20', 'Événement']
  for (const title of titles) {
    const event = { title, venue: hall.id, organizer: club.id, categories: [music.id], tags }
    const { id } = await givenEvent(app, event)
    await givenEvent(app, { title: `${title} fr`, ...french, ml_translation_of: id })
  }
  return { hall, salle, club, root }
}

/** Returns every `url` of a page in a response of the interface. */
function urlsIn(value: unknown): readonly string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'url' && typeof part === 'string' && part.startsWith(`${site}/`) ? [part] : urlsIn(part),
  )
}

test('whatever `url` the interface gives, a page stands there', async (t) => {
  const app = await startTestApp(t)
  await fill(app)
  const urls = new Set<string>()
  for (const plural of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    for (const language of ['en', 'fr-CA']) {
      const { body } = await app.send({ path: `/${plural}?per_page=100&hide_empty=0&ml_language=${language}` })
      for (const url of urlsIn(body)) urls.add(url)
    }
  }

  assert.ok(urls.size >= 20, String(urls.size))
  for (const url of urls) assert.equal((await page(app, url.slice(site.length))).status, 200, url)
})

test('the address of a draft leads to its page once it is published', async (t) => {
  const app = await startTestApp(t)
  const { id, url } = await givenEvent(app, { status: 'draft', slug: 'later' })
  const path = url.slice(site.length)

  assert.equal((await page(app, path)).status, 404)
  await app.send({ as: 'administrator', method: 'PATCH', path: `/events/${id}`, json: { status: 'publish' } })
  assert.equal((await app.send({ path: `/${path}` })).headers.location, '/event/later/')
})

test('venue, organizer, category and tag each list what is on there, those below and in other languages too', async (t) => {
  const app = await startTestApp(t)
  const { hall, salle, club, root } = await fill(app)
  await givenEvent(app, { title: 'Elsewhere' })

  for (const url of [hall.url, club.url, root.url, `${site}/tag/deja-vu/`]) {
    const answer = await page(app, url.slice(site.length))
    assert.equal(titlesIn(answer).length, 6, url)
    assert.ok(!titlesIn(answer).includes('Elsewhere'))
  }
  const french = await page(app, salle.url.slice(site.length))
  assert.deepEqual([elementIn(french, 'h1'), titlesIn(french).length], ['Salle', 6])
  assert.match(french.text, /class="language" href="[^"]*\/venue\//)
})

test('a category has one address, which its slug alone names as well, and every other one leads there', async (t) => {
  const app = await startTestApp(t)
  await fill(app)

  const { headers, status } = await app.send({ path: '//fr/events/category/autres/musique/?past=1' })
  const alone = await page(app, '/fr/events/category/musique/')

  assert.deepEqual([status, headers.location], [302, '/fr/events/category/les-arts/musique/?past=1'])
  assert.equal(alone.status, 200)
  assert.match(alone.text, new RegExp(`<link rel="canonical" href="${site}/fr/events/category/les-arts/musique/">`))
  for (const path of ['/events/category/none/', '/events/category/%/', '/tag/none/', '/venue/none/'])
    assert.equal((await page(app, path)).status, 404, path)
})

test('an address without its last slash leads to the one with it', async (t) => {
  const app = await startTestApp(t)

  for (const path of ['/events', '/fr/events', '/event/x', '/events/month']) {
    const { status, headers } = await app.send({ path: `/${path}?a=b` })
    assert.deepEqual([status, headers.location], [301, `${path}/?a=b`])
  }
})

test('whoever looks at the root of the site comes to the calendar; programs find the interface there', async (t) => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  for (const environment of [{}, { REST_PREFIX: '/wp-json' }] as const) {
    const app = await startTestApp(t, environment)
    const leading = async (path: string) => {
      const { status, headers } = await app.send({ path: `/${path}`, headers: browser })
      return [status, headers.location, headers.vary]
    }

    assert.deepEqual(await leading('/'), [302, '/events/', 'Accept, Accept-Encoding'])
    assert.deepEqual(await leading('//elsewhere.example'), [404, undefined, 'Accept, Accept-Encoding'])
    assert.deepEqual(await leading('/fr/'), [302, '/fr/events/', 'Accept, Accept-Encoding'])
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      assert.ok((await app.send({ path: '//', headers })).body.namespaces)
    }
    const asked = await app.send({ path: `//?rest_route=/cal/events/v1/events`, headers: browser })
    assert.deepEqual(asked.body.events, [])
  }
})

test('with pages switched off the root of the site is that of the interface', async (t) => {
  const app = await startTestApp(t, { PAGES: 'false' })

  assert.ok((await app.send({ path: '//', headers: { accept: 'text/html' } })).body.namespaces)
})

test('what was at a venue’s address and is in the trash is gone', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)
  await app.send({ as: 'administrator', method: 'DELETE', path: `/venues/${id}` })

  assert.equal((await page(app, '/venue/hall/')).status, 410)
})
