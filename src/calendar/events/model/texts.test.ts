import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent, givenTerm, givenVenue, listedIds } from '../../../../test/support/given.ts'
import { page } from '../../../../test/support/pages.ts'

const found = (app: TestApp, search: string, as?: 'editor') =>
  listedIds(app, `search=${encodeURIComponent(search)}`, as)

test('an event is found by its text and not by its markup, by visitors as by editors', async (t) => {
  const app = await startTestApp(t)
  const { id: soul } = await givenEvent(app, { title: 'R&B night' })
  const { id: phone } = await givenEvent(app, {
    title: 'Talk',
    description: '<p class="lead">By AT&amp;T &#38; co</p>',
  })
  const { id: cafe } = await givenEvent(app, { title: 'Tasting', excerpt: 'caf&eacute;s <em>de</em>mo &lt;5 5k\\10k' })
  const { id: source } = await givenEvent(app, { title: 'How to write R&amp;amp;B' })

  for (const as of [undefined, 'editor'] as const) {
    for (const [search, ids] of [
      ['R&B', [soul]],
      ['r&b', [soul]],
      ['"R&B night"', [soul]],
      ['AT&T', [phone]],
      ['"AT&T & co"', [phone]],
      ['R&amp;B', [source]],
      ['cafés', [cafe]],
      ['demo', [cafe]],
      ['<5', [cafe]],
      ['5k\\10k', [cafe]],
      ['lead', []],
      ['eacute', []],
      ['<em>', []],
      ['night -R&B', []],
      ['talk -R&B', [phone]],
    ] as const) {
      assert.deepEqual(await found(app, search, as), ids, `${as}: ${search}`)
    }
  }
})

test('pages and feeds find by the text as the list does; visitors find no protected event by it', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'R&B night' })
  const secret = await givenEvent(app, { title: 'R&B cellar', event_password: 'open' })

  const query = new URLSearchParams({ search: 'R&B' })
  const list = await page(app, `/events/?${query}`)
  const feed = await app.send({ path: `/events.ics?${query}` })

  for (const { text } of [list, feed]) {
    assert.match(text, /R(?:&amp;|&#038;|&)B night/)
    assert.doesNotMatch(text, /cellar/)
  }
  assert.deepEqual(await listedIds(app, `${query}`), [id])
  assert.deepEqual(await listedIds(app, `${query}`, 'editor'), [id, secret.id])
})

test('a changed text is found by what it says now', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'R&B night' })

  await changed(app, `/events/${id}`, { title: 'D&D night' })

  assert.deepEqual([await found(app, 'R&B'), await found(app, 'D&D')], [[], [id]])
})

test('an empty password of a list counts as left out', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app)
  await givenEvent(app, { event_password: 'open' })

  const plain = await app.send({ path: '/events' })
  for (const path of ['/events?password=', '/events.ics?password=', '/events.csv?password=']) {
    assert.equal((await app.send({ path })).status, 200, path)
  }
  assert.deepEqual((await app.send({ path: '/events?password=' })).body, plain.body)
  assert.equal((await app.send({ path: '/events/2?password=' })).status, 400)
})

test('a search of blanks alone finds nothing, on every list', async (t) => {
  const app = await startTestApp(t)
  await givenVenue(app, { venue: 'Great Hall' })
  const { id } = await givenTerm(app, 'categories', { name: 'Live music' })
  await givenTerm(app, 'tags', { name: 'Very loud' })
  const event = await givenEvent(app, {
    title: 'Big concert',
    categories: [id],
    organizer: [{ organizer: 'Our Club' }],
  })

  for (const list of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    for (const as of [undefined, 'editor'] as const) {
      for (const search of ['%20', '%20%09%20', '%C2%A0']) {
        const path = `/${list}?hide_empty=false&search=${search}`
        const { status, body } = await app.send({ ...(as ? { as } : {}), path })

        assert.deepEqual([status, body.total, body[list]], [200, 0, []], `${as} ${path}`)
      }
    }
  }
  assert.equal((await app.send({ path: '/events.csv?search=%20' })).text.trim().split('\n').length, 1)
  // A form that is submitted empty does not search.
  assert.match((await page(app, '/events/?search=%20')).text, new RegExp(event.title))
})

test('excluding a stop word excludes nothing', async (t) => {
  const app = await startTestApp(t)
  const { id: jazz } = await givenEvent(app, { title: 'The jazz of the night' })
  const { id: choir } = await givenEvent(app, { title: 'Choir' })

  for (const as of [undefined, 'editor'] as const) {
    assert.deepEqual(await found(app, 'jazz -the', as), [jazz])
    assert.deepEqual(await found(app, 'the -of', as), [jazz])
    assert.deepEqual(await found(app, '-the', as), [jazz, choir])
    assert.deepEqual(await found(app, '-the -jazz', as), [choir])
  }
})

test('a slug of which nothing remains counts as left out', async (t) => {
  const app = await startTestApp(t)
  const made = await givenEvent(app, { title: 'Straße', slug: '!!!' })
  const again = await givenEvent(app, { title: 'Straße', slug: '&nbsp; ' })
  const draft = await givenEvent(app, { slug: '…', status: 'draft' })

  assert.deepEqual([made.slug, again.slug, draft.slug], ['strasse', 'strasse-2', ''])
  const named = await changed(app, `/events/${made.id}`, { slug: 'own' })
  const kept = await changed(app, `/events/${made.id}`, { slug: '!!!' })
  assert.deepEqual([named.slug, kept.slug], ['own', 'own'])
  assert.equal((await givenEvent(app, { title: '???', slug: '!!!' })).slug, String(draft.id + 1))
  assert.equal(
    (await app.send({ as: 'editor', method: 'PATCH', path: `/events/${made.id}`, json: { slug: '' } })).status,
    400,
  )
})

test('an offer is valid from the local day of publication', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  const { id } = await givenEvent(app, { cost: '10', date_utc: '2030-01-10T03:00:00Z' })

  const { body } = await app.send({ path: `/events/${id}` })

  assert.equal(body.date, '2030-01-09 22:00:00')
  assert.equal(body.json_ld.offers.validFrom, '2030-01-09T00:00:00+00:00')
})

test('date texts that the reference reads are dates of events and of lists', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { start_date: '20300202 193000', end_date: 'Sat Feb 2 21:30:00 2030' })

  assert.deepEqual([event.start_date, event.end_date], ['2030-02-02 19:30:00', '2030-02-02 21:30:00'])
  const moved = await changed(app, `/events/${event.id}`, { start_date: '2030-02-02 7.45pm' })
  assert.equal(moved.start_date, '2030-02-02 19:45:00')
  for (const date of ['30-02-01', '2030-02-01T', 'a week ago', '+3 weekdays', '19.30']) {
    assert.deepEqual(await listedIds(app, `start_date=${encodeURIComponent(date)}`), [event.id], date)
  }
})
