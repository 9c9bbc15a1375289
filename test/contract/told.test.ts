// What the answer reports of parameters that were ignored or adjusted (conventions.md §2, events.md §3, RFC 7240).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../src/access/auth/actor.ts'
import { startTestApp, type TestApp, type TestRequest } from '../support/app.ts'
import { givenEvent, givenTerm, givenVenue, plainEvent } from '../support/given.ts'
import { service } from '../support/signing.ts'

const strict = { prefer: 'handling=strict' }
const ignoredOf = async (app: TestApp, request: TestRequest) =>
  (await app.send(request)).headers['x-ignored-parameters']
const adjustedOf = async (app: TestApp, request: TestRequest) =>
  (await app.send(request)).headers['x-adjusted-parameters']

test('parameters that nobody reads are named, whatever kind of body they came in', async (t) => {
  const app = await startTestApp(t)
  const write = { as: 'editor', method: 'POST' } as const
  const { id } = await givenVenue(app)

  const sent = { ...plainEvent, venue_id: id, organizers: [1], featured_image: 3 }
  assert.equal(await ignoredOf(app, { ...write, path: '/events', json: sent }), 'venue_id, organizers, featured_image')
  assert.equal(await ignoredOf(app, { ...write, path: '/venues?fax=1', form: 'venue=Hall&slug=hall' }), 'fax, slug')
  const parts =
    '--x\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\nA\r\n' +
    '--x\r\nContent-Disposition: form-data; name="organizer"\r\n\r\nClub\r\n--x--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const multipart = await app.send({ ...write, path: '/organizers', payload: Buffer.from(parts), headers })
  assert.deepEqual([multipart.status, multipart.headers['x-ignored-parameters']], [201, 'image'])
  assert.equal(await ignoredOf(app, { ...write, path: '/categories', json: { name: 'New', color: 'red' } }), 'color')
  assert.equal(await ignoredOf(app, { path: '/venues', json: { city: 'Oslo' } }), 'city')
  assert.equal(await ignoredOf(app, { as: 'editor', method: 'DELETE', path: `/venues/${id}?force=true` }), 'force')
  // A request that fails for another reason also has the report.
  assert.equal(await ignoredOf(app, { ...write, path: '/events', json: { name: 'Concert' } }), 'name')
})

test('members of venues, organizers and terms within an event are named with their place', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)
  const create = (json: object) =>
    ignoredOf(app, { as: 'editor', method: 'POST', path: '/events', json: { ...plainEvent, ...json } })

  assert.equal(await create({ venue: { venue: 'Barn', town: 'Oslo' } }), 'venue.town')
  assert.equal(await create({ organizer: [{ organizer: 'Club', fax: '1' }, { organizer: 'Band' }] }), 'organizer.fax')
  assert.equal(await create({ venue: { id, city: 'Oslo' } }), 'venue.city')
  assert.equal(await create({ categories: [{ name: 'Jazz', color: 'red' }] }), 'categories.color')
})

test('what has no effect in the namespaces of the service is named as well, or refused', async (t) => {
  const app = await startTestApp(t)
  const path = service('/sources/feed/events/7')
  const put = { as: 'editor', method: 'PUT', path } as const
  const json = { title: 'Fair', start_date: '2030-02-01 19:00', Titel: 'Fair', venue: { venue: 'Barn', town: 'Oslo' } }

  const refused = await app.send({ ...put, json, headers: strict })
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ['Titel', 'venue.town']])
  const created = await app.send({ ...put, json })
  assert.deepEqual([created.status, created.headers['x-ignored-parameters']], [201, 'Titel, venue.town'])
  const { Titel: _, venue: __, ...known } = json
  const unchanged = await app.send({ ...put, path: `${path}?dry_run=1&ml_language=en`, json: known })
  assert.deepEqual([unchanged.status, unchanged.headers['x-ignored-parameters']], [200, undefined])
  const query = { as: 'editor', path: service('/media?per_page=1&colour=red&_=17') } as const
  assert.equal(await ignoredOf(app, query), 'colour')
})

test('what every route knows is not named, nor what the path says as well', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)

  for (const path of [
    '/events?_fields=id&_envelope=1&_pretty=1&_embed=1&_locale=fr&context=view&_method=GET&_=17&ml_language=en',
    `/venues/${id}?_fields=id&password=x&rest_route=/x`,
  ]) {
    const answer = await app.send({ path })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers['x-ignored-parameters'], undefined, path)
    assert.doesNotMatch(answer.headers.vary ?? '', /Prefer/, path)
  }
  const change = (json: object) => ignoredOf(app, { as: 'editor', method: 'PATCH', path: `/venues/${id}`, json })
  assert.equal(await change({ id, city: 'Oslo' }), undefined)
  assert.equal(await change({ id: 999, city: 'Oslo' }), 'id')
  // A client that cannot read headers reads the envelope.
  const { body } = await app.send({ path: '/venues?city=Oslo&_envelope=1' })
  assert.equal(body.headers['X-Ignored-Parameters'], 'city')
})

test('names are told safely, and only so many', async (t) => {
  const app = await startTestApp(t)

  const answer = await app.send({ path: `/venues?${encodeURIComponent('a,b\r\nX-Evil: é')}=1&%F0%9F%8E%89=1` })
  assert.equal(answer.headers['x-ignored-parameters'], 'a%2Cb%0D%0AX-Evil%3A%20%C3%A9, %F0%9F%8E%89')
  assert.equal(answer.headers['x-evil'], undefined)

  const many = Object.fromEntries(Array.from({ length: 990 }, (_, number) => [`p${number}`, 1]))
  const told = await ignoredOf(app, { as: 'editor', method: 'POST', path: '/venues', json: { venue: 'Many', ...many } })
  assert.match(String(told), /^p0, p1, .*p49, \.\.\.$/)
  const long = Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`${number}${'é'.repeat(500)}`, 1]))
  const short = await ignoredOf(app, {
    as: 'editor',
    method: 'POST',
    path: '/venues',
    json: { venue: 'Long', ...long },
  })
  assert.ok((short?.length ?? 0) <= 1005, String(short))
  assert.match(short ?? '', /, \.\.\.$/)
})

test('values that are not kept as they were sent are named', async (t) => {
  const app = await startTestApp(t, { MAX_PER_PAGE: '20' })
  const { id } = await givenEvent(app, { title: 'Taken', slug: 'taken' })
  await givenTerm(app, 'tags', { name: 'Taken', slug: 'taken' })
  const as = (role: Role, json: object, path = '/events', method: 'POST' | 'PATCH' = 'POST') =>
    adjustedOf(app, { as: role, method, path, json: path === '/events' ? { ...plainEvent, ...json } : json })

  assert.equal(await as('editor', { end_date: '2030-01-21 10:00:00' }), 'end_date')
  assert.equal(await as('editor', { all_day: true, end_date: '2030-01-21' }), 'end_date')
  assert.equal(await as('editor', { all_day: true }), undefined)
  assert.equal(await as('editor', { start_date: 'next friday 4pm', end_date: '2030-01-30' }), undefined)
  const gap = { timezone: 'America/Toronto', start_date: '2030-03-10 02:30:00', end_date: '2030-03-10 05:00:00' }
  assert.equal(await as('editor', gap), 'start_date')
  assert.equal(await as('contributor', { status: 'publish' }), 'status')
  assert.equal(await as('editor', { status: 'future' }), 'status')
  assert.equal(await as('editor', { status: 'draft' }), undefined)
  assert.equal(await as('editor', { date: '2029-01-01', date_utc: '2029-02-01' }), 'date')
  assert.equal(await as('editor', { slug: 'taken' }), 'slug')
  assert.equal(await as('editor', { slug: 'Jazz Fest' }), undefined)
  assert.equal(await as('editor', { categories: [999], tags: ['new'] }), 'categories')
  const { id: venue } = await givenVenue(app, { venue: 'One' })
  const { id: other } = await givenVenue(app, { venue: 'Two' })
  assert.equal(await as('editor', { venue: [venue, other] }), 'venue')
  assert.equal(await as('contributor', { venue: { venue: 'Barn', status: 'publish' } }), 'venue.status')
  assert.equal(await as('editor', { start_date: '2030-01-25 09:00:00' }, `/events/${id}`, 'PATCH'), 'end_date')
  assert.equal(
    await as('editor', { venue: 'One', status: 'draft', show_map: 'perhaps' }, '/venues'),
    'show_map, status',
  )
  assert.equal(await as('editor', { name: 'Taken too', slug: 'taken' }, '/tags'), 'slug')
  for (const [path, names] of [
    ['/events?per_page=21', 'per_page'],
    ['/events?per_page=20', undefined],
    ['/events?strict_dates=perhaps', 'strict_dates'],
    ['/venues?per_page=500&has_events=perhaps', 'has_events, per_page'],
    ['/venues?has_events=no&only_with_upcoming=1', undefined],
    ['/tags?order=upwards&orderby=colour', 'order, orderby'],
    ['/tags?order=DESC&orderby=NAME', undefined],
    ['/tags?orderby=include', 'orderby'],
  ] as const) {
    assert.equal(await adjustedOf(app, { path }), names, path)
  }
  assert.equal(await ignoredOf(app, { path: `/events?include=${id}&start_date=2030-01-01` }), 'start_date')
  assert.equal(await ignoredOf(app, { path: '/events?geoloc_lat=1&geoloc_lng=2' }), 'geoloc_lat, geoloc_lng')
})

test('a strict request is refused for them, naming each, and writes nothing', async (t) => {
  const app = await startTestApp(t)
  const count = async () => (await app.send({ path: '/events?per_page=100&start_date=2020-01-01' })).body.total
  const create = (json: object) =>
    app.send({ as: 'editor', method: 'POST', path: '/events', json: { ...plainEvent, ...json }, headers: strict })

  const unknown = await create({ venue_id: 3, venue: { venue: 'Barn', fax: '1' }, status: 'nonsense' })
  assert.deepEqual([unknown.status, unknown.body.code], [400, 'rest_invalid_param'])
  assert.deepEqual(Object.keys(unknown.body.data.params).toSorted(), ['status', 'venue.fax', 'venue_id'])
  assert.match(unknown.body.data.params.venue_id, /Allowed: .*\bvenue\b/)
  assert.match(unknown.body.data.params['venue.fax'], /\bcity\b/)
  assert.deepEqual(unknown.body.data.details, [])
  assert.equal(unknown.headers['preference-applied'], 'handling=strict')
  assert.equal(unknown.headers['x-ignored-parameters'], undefined)

  for (const json of [{ end_date: '2030-01-21' }, { status: 'future' }, { categories: [999] }]) {
    const refused = await create({ ...json, venue: { venue: 'Never' } })
    assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, Object.keys(json)], refused.text)
  }
  assert.match((await create({ end_date: '2030-01-21' })).body.data.params.end_date, /2030-01-22 19:00:00/)
  assert.equal(await count(), 0)
  assert.equal((await app.send({ path: '/venues' })).body.total, 0)

  const done = await create({})
  assert.deepEqual([done.status, done.headers['preference-applied']], [201, 'handling=strict'])
  assert.equal((await app.send({ path: '/tags?order=up', headers: strict })).status, 400)
  const french = await app.send({ path: '//fr/cal/events/v1/venues?city=Oslo', headers: strict })
  assert.match(french.body.data.params.city, /inconnu/)
})

test('how a request is to be handled is read as RFC 7240 writes it', async (t) => {
  const app = await startTestApp(t)

  for (const [prefer, status] of [
    ['handling=strict', 400],
    ['respond-async, HANDLING = "Strict"; foo="a,b"', 400],
    ['wait=10;x=1,handling=strict', 400],
    ['handling=lenient, handling=strict', 200],
    ['handling=lenient', 200],
    ['handling', 200],
    ['foo="a, handling=strict"', 200],
    ['"'.repeat(4000), 200],
    ['', 200],
  ] as const) {
    assert.equal((await app.send({ path: '/venues?city=Oslo', headers: { prefer } })).status, status, prefer)
  }
})

test('an answer that is kept is given with its own headers, and never to a strict request', async (t) => {
  const app = await startTestApp(t)
  await givenVenue(app)
  const path = '/venues?city=Oslo'

  const lenient = [await app.send({ path }), await app.send({ path })]
  const refused = await app.send({ path, headers: strict })
  const after = await app.send({ path })
  for (const { status, headers } of [...lenient, after]) {
    assert.deepEqual([status, headers['x-ignored-parameters']], [200, 'city'])
    assert.match(headers.vary ?? '', /\bPrefer\b/)
  }
  assert.equal(refused.status, 400)
  const plain = await app.send({ path: '/venues' })
  assert.deepEqual([plain.headers['x-ignored-parameters'], plain.headers.vary], [undefined, 'Accept-Encoding'])
  const done = [
    await app.send({ path: '/venues', headers: strict }),
    await app.send({ path: '/venues', headers: strict }),
  ]
  for (const { status, headers } of done) {
    assert.deepEqual([status, headers['preference-applied']], [200, 'handling=strict'])
    assert.match(headers.vary ?? '', /\bPrefer\b/)
  }
  assert.equal((await app.send({ path: '/venues' })).headers['preference-applied'], undefined)
})

test('a browser may ask for strict handling from a page of another site', async (t) => {
  const app = await startTestApp(t)
  const ask = (names: string) =>
    app.send({
      method: 'OPTIONS',
      path: '/events',
      headers: { origin: 'https://other.example', 'access-control-request-headers': names },
    })

  assert.match((await ask('authorization, prefer')).headers['access-control-allow-headers'] ?? '', /, Prefer$/)
  assert.doesNotMatch((await ask('authorization')).headers['access-control-allow-headers'] ?? '', /Prefer/)
})
