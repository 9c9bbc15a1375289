import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenEvent, givenTerm, givenVenue, listedIds, plainEvent } from '../../../test/support/given.ts'

const json = { 'content-type': 'application/json' }
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1)
/** Combining marks after a letter. Normalization must sort them. */
const marks = (pairs: number) => `a${'\u0301\u0323'.repeat(pairs)}`
/** The letter that becomes longest when folded: eighteen letters. */
const longLetter = '\ufdfa'

const searched = [
  '/events',
  '/venues',
  '/organizers',
  '/categories',
  '/tags',
  '/events.ics',
  '/events.csv',
  '/events.rss',
]

test('a search has at most 200 characters, counted as they are compared, and is told so', async (t) => {
  const app = await startTestApp(t)
  const tooLong = ['e'.repeat(201), 'word '.repeat(50).trim(), longLetter.repeat(12), marks(1500)]

  for (const path of searched) {
    for (const as of [undefined, 'subscriber', 'administrator'] as const) {
      for (const text of tooLong) {
        const { status, body } = await app.send({ ...(as ? { as } : {}), path, json: { search: text } })
        assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], `${path} ${text.slice(0, 20)}`)
        assert.match(body.data.params.search, /200/)
      }
    }
    const { status } = await app.send({ path: `${path}?search=${encodeURIComponent('é'.repeat(200))}` })
    assert.equal(status, 200, path)
  }
})

test('a search that is too long is refused in French as well, and pages say so beside the field', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: 'Zydeco' })
  const text = encodeURIComponent(longLetter.repeat(12))

  const french = await app.send({ path: `//fr/cal/events/v1/events?search=${text}` })
  const page = await app.send({ path: `//events/?search=${text}` })

  assert.match(french.body.data.params.search, /200\u00a0?.*caractères/)
  assert.equal(page.status, 400)
  assert.match(page.text, /aria-invalid="true" aria-describedby="f-search-fault"/)
  assert.doesNotMatch(page.text, /Zydeco/)
})

test('a phrase of many words asks the index for all of them at once, whoever searches', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: `Found ${numbers(40).join('xy ')}` })
  const phrase = numbers(30).join('xy ')
  // The first search of a process reads the tokens too.
  await listedIds(app, 'search=other')
  app.statements()

  assert.equal((await listedIds(app, `search=${phrase}`)).length, 1)
  const statements = app.statements().filter((text) => /search_/.test(text))

  assert.ok(statements.length <= 4, String(statements.length))
})

test('a list is narrowed by at most 100 venues, organizers, categories and tags, each counted once', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const tag = await givenTerm(app, 'tags', { name: 'Jazz' })
  const event = await givenEvent(app, { venue: venue.id, tags: [tag.id] })

  for (const path of ['/events', '/events.ics']) {
    for (const name of ['venue', 'organizer', 'categories', 'tags']) {
      for (const items of [numbers(101).join(), numbers(101), numbers(2000).join()]) {
        const { status, body } = await app.send({ path, json: { [name]: items } })
        assert.equal(status, 400, `${path} ${name}`)
        assert.match(body.data.params[name], /100/)
      }
    }
  }
  const often = (id: number) => numbers(300).fill(id).join()
  assert.deepEqual(await listedIds(app, `venue=${often(venue.id)}&tags=${often(tag.id)}`), [event.id])
  assert.deepEqual(await listedIds(app, `tags=${numbers(90).fill(tag.id).join('%2C')}`, 'editor'), [event.id])
})

test('a list of ids to include has at most 1000, and is told so', async (t) => {
  const app = await startTestApp(t)

  const most = await app.send({ path: '/events', json: { include: numbers(1000).join() } })
  const more = await app.send({ path: '/events', json: { include: numbers(1001).join() } })

  assert.equal(most.status, 200)
  assert.equal(more.status, 400)
  assert.match(more.body.data.params.include, /1000/)
})

const longText = 'é'.repeat(32 * 1024 + 1)
const writes = [
  ['/events', { title: 'x', start_date: '2030-02-01', end_date: '2030-02-01' }],
  ['/venues', { venue: 'x' }],
  ['/organizers', { organizer: 'x' }],
  ['/categories', { name: 'x' }],
  ['/tags', { name: 'x' }],
] as const

test('no text of a record is longer than 64 KB, however it is sent, and 64 KB are taken', async (t) => {
  const app = await startTestApp(t)
  const fields = {
    '/events': ['title', 'description', 'excerpt', 'slug', 'cost', 'website', 'timezone', 'start_date', 'categories'],
    '/venues': ['venue', 'description', 'address', 'city', 'country', 'province', 'zip', 'phone', 'website'],
    '/organizers': ['organizer', 'description', 'phone', 'email', 'website'],
    '/categories': ['name', 'description', 'slug'],
    '/tags': ['name', 'description', 'slug'],
  } as const

  for (const [path, sent] of writes) {
    const { id } = (await app.send({ as: 'administrator', method: 'POST', path, json: sent })).body
    for (const field of fields[path]) {
      for (const [method, target] of [
        ['POST', path],
        ['PATCH', `${path}/${id}`],
      ] as const) {
        const refused = await app.send({
          as: 'administrator',
          method,
          path: target,
          json: { ...sent, [field]: longText },
        })
        assert.equal(refused.status, 400, `${method} ${path} ${field}`)
        assert.match(refused.body.data.params[field], /64/, `${method} ${path} ${field}`)
      }
    }
    const description = longText.slice(1)
    const taken = await app.send({ as: 'administrator', method: 'PATCH', path: `${path}/${id}`, json: { description } })
    assert.equal(taken.status, 200, path)
  }
})

test('no text inside what an event is sent with is longer than 64 KB', async (t) => {
  const app = await startTestApp(t)
  const create = (json: object) =>
    app.send({ as: 'editor', method: 'POST', path: '/events', json: { ...plainEvent, ...json } })

  for (const [name, json] of [
    ['venue', { venue: { venue: 'Hall', address: longText } }],
    ['organizer', { organizer: [{ organizer: 'Club', description: longText }] }],
    ['tags', { tags: ['jazz', { name: longText }] }],
  ] as const) {
    const { status, body } = await create(json)
    assert.equal(status, 400, name)
    assert.match(body.data.params[name], /64/)
  }
  const form = `title=x&start_date=2030-02-01&end_date=2030-02-01&description=${encodeURIComponent(longText)}`
  assert.equal((await app.send({ as: 'editor', method: 'POST', path: '/events', form })).status, 400)
})

test('runs of combining marks in any text of a write are stored without being sorted at length', async (t) => {
  const app = await startTestApp(t)
  // With texts of 64 KB these requests took seconds.
  const text = marks(16_000)

  const event = await app.send({
    as: 'editor',
    method: 'POST',
    path: '/events',
    json: { ...plainEvent, title: text.slice(0, 16_000), description: text, excerpt: text, slug: text, tags: [text] },
  })

  assert.equal(event.status, 201)
  assert.equal(event.body.title, text.slice(0, 16_000))
  assert.ok(event.body.slug.length <= 200)
})

test('a request that reads has a body of at most 16 KB, whatever method it comes by', async (t) => {
  const app = await startTestApp(t)
  const payload = (bytes: number) => Buffer.from(JSON.stringify({ page: 1, unknown: 'x'.repeat(bytes) }))
  const override = { ...json, 'x-http-method-override': 'GET' }

  for (const path of searched) {
    const within = await app.send({ path, payload: payload(16_000), headers: json })
    const beyond = await app.send({ path, payload: payload(17_000), headers: json })
    const disguised = await app.send({ method: 'POST', path, payload: payload(17_000), headers: override })
    assert.deepEqual([within.status, beyond.status, disguised.status], [200, 413, 413], path)
    assert.equal(disguised.body.code, 'rest_request_too_large')
  }
  assert.equal((await app.send({ path: '//events/', payload: payload(17_000), headers: json })).status, 413)
})

test('the body of a request that reads names parameters of the contract, and none of our own', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { event_password: 'secret', description: 'Hidden' })
  await givenEvent(app, { title: 'Other' })

  const shown = await app.send({ path: '/events', json: { search: 'other', per_page: 1, _fields: 'total' } })
  const ofOurs = await app.send({
    path: '/events',
    json: { geoloc_radius: -1, geoloc_lat: 1, geoloc_lng: 1, password: 'secret' },
  })
  const opened = await app.send({ path: `/events/${event.id}`, json: { password: 'secret' } })

  assert.deepEqual(shown.body, { total: 1 })
  assert.equal(ofOurs.status, 200)
  assert.match(opened.body.description, /Hidden/)
})
