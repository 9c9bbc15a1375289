import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenTerm, givenVenue, listedIds } from '../../../../test/support/given.ts'

const montreal = { geo_lat: 45.5019, geo_lng: -73.5674 }
const laval = { geo_lat: '45.6066', geo_lng: '-73.7124' }
const quebec = { geo_lat: 46.8139, geo_lng: -71.208 }
const near = 'geoloc=true&geoloc_lat=45.5019&geoloc_lng=-73.5674'

async function givenPlaces(app: TestApp) {
  const at = async (title: string, venue: Record<string, unknown>) =>
    (await givenEvent(app, { title, venue: (await givenVenue(app, { venue: title, ...venue })).id })).id as number
  return {
    montreal: await at('Montréal', montreal),
    laval: await at('Laval', laval),
    quebec: await at('Québec', quebec),
    nowhere: await at('Nowhere', {}),
  }
}

test('geoloc keeps events whose venue has coordinates, with a point those around it', async (t) => {
  const app = await startTestApp(t)
  const ids = await givenPlaces(app)

  assert.deepEqual(await listedIds(app, 'geoloc=true'), [ids.montreal, ids.laval, ids.quebec])
  assert.deepEqual(await listedIds(app, near), [ids.montreal, ids.laval])
  assert.deepEqual(await listedIds(app, `${near}&geoloc_radius=10`), [ids.montreal])
  assert.deepEqual(await listedIds(app, `${near}&geoloc_radius=300`), [ids.montreal, ids.laval, ids.quebec])
  assert.equal((await listedIds(app, 'geoloc=false&geoloc_lat=0&geoloc_lng=0')).length, 4)
})

test('events around the antimeridian and the pole are near on the sphere', async (t) => {
  const app = await startTestApp(t)
  const { id: fiji } = await givenEvent(app, { venue: { venue: 'Taveuni', geo_lat: -16.8, geo_lng: -179.95 } })
  const { id: pole } = await givenEvent(app, { venue: { venue: 'Pole', geo_lat: 89.9, geo_lng: 10 } })

  assert.deepEqual(await listedIds(app, 'geoloc=1&geoloc_lat=-16.8&geoloc_lng=179.95&geoloc_radius=20'), [fiji])
  assert.deepEqual(await listedIds(app, 'geoloc=1&geoloc_lat=89.9&geoloc_lng=-170&geoloc_radius=30'), [pole])
})

test('a coordinate alone, out of range or no number is refused by name', async (t) => {
  const app = await startTestApp(t)
  const wrong: Record<string, string> = {
    'geoloc=1&geoloc_lat=45': 'geoloc_lat',
    'geoloc=1&geoloc_lng=45': 'geoloc_lng',
    'geoloc_lat=north&geoloc_lng=1': 'geoloc_lat',
    'geoloc=1&geoloc_lat=91&geoloc_lng=1': 'geoloc_lat',
    'geoloc=1&geoloc_lat=1&geoloc_lng=-180.5': 'geoloc_lng',
    'geoloc=1&geoloc_lat=1&geoloc_lng=1&geoloc_radius=0': 'geoloc_radius',
    'geoloc=1&geoloc_lat=1&geoloc_lng=1&geoloc_radius=20041': 'geoloc_radius',
    'geoloc=1&geoloc_lat=1&geoloc_lng=1&geoloc_radius=wide': 'geoloc_radius',
    'geoloc=1&geoloc_lat=%20&geoloc_lng=1': 'geoloc_lat',
  }

  for (const [query, name] of Object.entries(wrong)) {
    const { status, body } = await app.send({ path: `/events?${query}` })
    assert.equal(status, 400, query)
    assert.deepEqual(Object.keys(body.data.params), [name])
  }
  for (const edge of ['geoloc_lat=90&geoloc_lng=180', 'geoloc_lat=-90&geoloc_lng=-180']) {
    assert.deepEqual(await listedIds(app, `geoloc=1&${edge}&geoloc_radius=20040`), [])
  }
})

test('dates beside include, and a place without geoloc, are reported as ignored', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const ignored = async (query: string) => {
    const { status, headers } = await app.send({ path: `/events?${query}` })
    assert.equal(status, 200, query)
    return headers['x-ignored-parameters']
  }
  const [place, dates] = ['geoloc_lat=1&geoloc_lng=2', 'start_date=2030-01-01&end_date=2031-01-01']

  assert.equal(await ignored(`geoloc=1&${place}&geoloc_radius=5&${dates}`), undefined)
  assert.equal(await ignored(`${place}&geoloc_radius=5`), 'geoloc_lat, geoloc_lng, geoloc_radius')
  assert.equal(await ignored('geoloc=1&geoloc_radius=5'), 'geoloc_radius')
  assert.equal(await ignored(`include=${id}&${dates}`), 'start_date, end_date')
  assert.equal(await ignored(`include=${id}&starts_after=2030-01-01`), undefined)
})

test('a venue takes both coordinates or none, in range, and shows them', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, laval)
  assert.deepEqual([venue.geo_lat, venue.geo_lng], [45.6066, -73.7124])

  for (const json of [{ geo_lat: 91, geo_lng: 0 }, { geo_lat: 'x', geo_lng: 0 }, { geo_lat: 1 }, { geo_lng: 1 }]) {
    const { status } = await app.send({
      as: 'editor',
      method: 'POST',
      path: '/venues',
      json: { venue: 'New', ...json },
    })
    assert.equal(status, 400, JSON.stringify(json))
  }
  const path = `/venues/${venue.id}`
  const moved = await app.send({ as: 'editor', method: 'PATCH', path, json: { geo_lat: 45.7 } })
  assert.deepEqual([moved.body.geo_lat, moved.body.geo_lng], [45.7, -73.7124])
  assert.equal((await app.send({ as: 'editor', method: 'PATCH', path, json: { geo_lat: '' } })).status, 400)
  const cleared = await app.send({ as: 'editor', method: 'PATCH', path, json: { geo_lat: null, geo_lng: null } })
  assert.ok(!('geo_lat' in cleared.body) && !('geo_lng' in cleared.body))
})

test('ticketed asks for ticket offers, and a cost is none', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { cost: '20' })

  assert.deepEqual(await listedIds(app, 'ticketed=true'), [])
  assert.deepEqual(await listedIds(app, 'ticketed=false'), [id])
  assert.match((await app.send({ path: '/events?ticketed=false' })).body.rest_url, /&ticketed=0$/)
  assert.equal((await app.send({ path: '/events?ticketed=maybe' })).status, 400)
})

test('a list takes a fixed number of statements, one fewer where its last page tells the total, whatever the filters', async (t) => {
  const app = await startTestApp(t, { CACHE_MEGABYTES: '0' })
  const category = await givenTerm(app, 'categories', { name: 'Music' })
  const add = async (number: number) =>
    givenEvent(app, {
      title: `Event ${number}`,
      venue: { venue: `Hall ${number}` },
      organizer: [{ organizer: `Club ${number}` }, { organizer: 'Club' }],
      categories: [category.id, `Category ${number}`],
      tags: ['One', `Tag ${number}`],
    })
  const count = async (query: string) => {
    app.statements()
    const { body } = await app.send({ path: `/events?per_page=50&${query}` })
    return { statements: app.statements().length, shown: body.events.length }
  }
  const first = await add(1)
  const filters = [
    '',
    `search=event&categories=${category.id}&tags=one&featured=0&venue=${first.venue.id}`,
    `include=${first.id}`,
  ]
  const before = await Promise.all([count('')])
  const single = []
  for (const filter of filters) single.push(await count(filter))
  for (let number = 2; number <= 50; number += 1) await add(number)

  const many = await count('')

  assert.deepEqual(before, [{ statements: 8, shown: 1 }])
  // A full page does not reveal the total.
  assert.deepEqual(many, { statements: 9, shown: 50 })
  // A filter by an item looks up the item and its translations. A search finds the events of the window, and
  // those that began before it.
  assert.deepEqual(single, [
    { statements: 8, shown: 1 },
    { statements: 15, shown: 1 },
    { statements: 9, shown: 1 },
  ])
})

test('every page tells the same total, be it full, the last one or empty', async (t) => {
  const app = await startTestApp(t)
  for (let number = 1; number <= 4; number += 1) await givenEvent(app, { title: `Event ${number}` })
  const totalOf = async (query: string, as?: 'editor') => {
    const { status, headers } = await app.send({ ...(as ? { as } : {}), path: `/events?${query}` })
    return status === 200 ? headers['x-tec-total'] : status
  }

  for (const as of [undefined, 'editor'] as const) {
    const totals = []
    for (const page of [
      'per_page=3',
      'per_page=3&page=2',
      'per_page=4',
      'per_page=5',
      'per_page=4&page=2',
      'search=none',
    ])
      totals.push(await totalOf(page, as))

    assert.deepEqual(totals, ['4', '4', '4', '4', 404, '0'])
  }
})

test('a list is narrowed by many venues and many tags at once', async (t) => {
  const app = await startTestApp(t)
  const venues = []
  for (let number = 0; number < 20; number += 1) venues.push((await givenVenue(app, { venue: `Hall ${number}` })).id)
  const tags = Array.from({ length: 100 }, (_, number) => `Tag ${number}`)
  const event = await givenEvent(app, { venue: venues[7], tags })
  await givenEvent(app, { venue: venues[7] })
  const tagIds = event.tags.map(({ id }: { id: number }) => id)

  const { status, body } = await app.send({ path: `/events?venue=${venues}&tags=${tagIds}&ends_after=2020-01-01` })

  assert.deepEqual([status, body.total, body.events?.[0]?.id], [200, 1, event.id])
})

test('the default window begins yesterday and ends in two years, wholly around an event', async (t) => {
  const app = await startTestApp(t)
  const at = async (start_date: string, end_date: string) => (await givenEvent(app, { start_date, end_date })).id
  await at('2030-01-13 23:00', '2030-01-14 01:00')
  const yesterday = await at('2030-01-14 00:00', '2030-01-14 01:00')
  const last = await at('2032-01-15 22:00', '2032-01-15 23:59:59')
  await at('2032-01-15 22:00', '2032-01-16 00:00')

  assert.deepEqual(await listedIds(app, ''), [yesterday, last])
  const { rest_url } = (await app.send({ path: '/events' })).body
  const sent = new URL(rest_url).searchParams
  assert.deepEqual([sent.get('start_date'), sent.get('end_date')], ['2030-01-14 00:00:00', '2032-01-15 23:59:59'])
})

test('events are ordered by their own clock, then publication, then id', async (t) => {
  const app = await startTestApp(t)
  const same = { start_date: '2030-02-01 10:00', end_date: '2030-02-01 11:00' }
  const tokyo = await givenEvent(app, { ...same, start_date: '2030-02-01 10:01', timezone: 'Asia/Tokyo' })
  const [late, early, third] = [
    await givenEvent(app, { ...same, date: '2020-01-02' }),
    await givenEvent(app, { ...same, date: '2020-01-01', featured: true, sticky: true }),
    await givenEvent(app, { ...same, date: '2020-01-02', timezone: 'America/Vancouver' }),
  ]

  assert.deepEqual(await listedIds(app, ''), [early.id, late.id, third.id, tokyo.id])
})

test('search folds case and accents, takes phrases, and leaves out what a minus names', async (t) => {
  const app = await startTestApp(t)
  const jazz = await givenEvent(app, { title: 'Fête du Jazz', description: 'Œuvres <b>choisies</b> 100%' })
  const rock = await givenEvent(app, { title: 'Fête du rock' })

  assert.deepEqual(await listedIds(app, 'search=FETE'), [jazz.id, rock.id])
  assert.deepEqual(await listedIds(app, 'search=oeuvres jazz'), [jazz.id])
  assert.deepEqual(await listedIds(app, `search=${encodeURIComponent('"du rock"')}`), [rock.id])
  assert.deepEqual(await listedIds(app, 'search=fete -rock'), [jazz.id])
  assert.deepEqual(await listedIds(app, `search=${encodeURIComponent('100%')}`), [jazz.id])
  assert.deepEqual(await listedIds(app, `search=${encodeURIComponent('1_0')}`), [])
})

test('a hidden event is in no list, for nobody, but can be read by its id', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { hide_from_listings: true })

  assert.deepEqual(await listedIds(app, `include=${id}`, 'administrator'), [])
  assert.equal((await app.send({ path: `/events/${id}` })).status, 200)
})

test('post_parent lists the children of an event of any status, and must name an event', async (t) => {
  const app = await startTestApp(t)
  const [parent, child, venue] = [
    await givenEvent(app, { status: 'draft' }),
    await givenEvent(app),
    await givenVenue(app),
  ]
  await givenEvent(app)
  await app.deps.storage.write((tx) =>
    tx.updateTable('records').set({ parent_id: parent.id }).where('id', '=', child.id).execute(),
  )

  assert.deepEqual(await listedIds(app, `post_parent=${parent.id}`), [child.id])
  assert.deepEqual(await listedIds(app, `post_parent=${child.id}`), [])
  for (const wrong of ['x', '', '0', 999_999, venue.id]) {
    const { status, body } = await app.send({ path: `/events?post_parent=${wrong}` })
    assert.deepEqual([status, Object.keys(body.data.params)], [400, ['post_parent']], String(wrong))
  }
})

test('strict_dates is on for its words only, other words count as off, and an empty one is refused', async (t) => {
  const app = await startTestApp(t)
  const answerTo = async (word: string) => {
    const { status, headers, body } = await app.send({ path: `/events?strict_dates=${word}` })
    const isOn = /strict_dates=1/.test(body.rest_url ?? '')
    return [status, status === 200 ? isOn : Object.keys(body.data.params), headers['x-adjusted-parameters']]
  }

  for (const word of ['1', 'true', 'YES', 'on']) assert.deepEqual(await answerTo(word), [200, true, undefined], word)
  for (const word of ['false', 'no', 'OFF']) assert.deepEqual(await answerTo(word), [200, false, undefined], word)
  const [status, isOn, adjusted] = await answerTo('maybe')
  assert.deepEqual([status, isOn], [200, false])
  assert.match(String(adjusted), /^strict_dates\b/)
  for (const word of ['', '0']) assert.deepEqual((await answerTo(word)).slice(0, 2), [400, ['strict_dates']], word)
})
