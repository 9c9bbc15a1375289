import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenVenue } from '../../../../test/support/given.ts'
import { elementIn, page } from '../../../../test/support/pages.ts'
import { townFile } from '../../../../test/support/town.ts'
import { landPaths } from './map.land.ts'
import { mapHeight, mapWidth, readView, toMercator, toPixels, viewOf, viewOfMost, viewParameters } from './map.view.ts'

const degrees = fc.record({
  latitude: fc.double({ min: -84, max: 84, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})

test('every place is within the view that is chosen for all of them', () => {
  fc.assert(
    fc.property(fc.array(degrees, { minLength: 1, maxLength: 20 }), (points) => {
      const spots = points.map(toMercator)
      const view = viewOf(spots)

      for (const { x, y } of spots.map((spot) => toPixels(view, spot))) {
        // At the lowest zoom, the Earth may extend beyond the picture at the top and the bottom.
        assert.ok(view.zoom === 1 || (x >= 0 && x <= mapWidth && y >= 0 && y <= mapHeight), `${x} ${y}`)
      }
    }),
  )
})

test('a map opens on most events, and one of scattered events on all of them', () => {
  const at = (latitude: number, longitude: number, count = 1) => ({ spot: toMercator({ latitude, longitude }), count })
  const town = [at(45.56, -73.71, 3), at(45.57, -73.7, 3), at(45.55, -73.75, 2)]
  const far = [at(35.7, 139.7), at(51.5, -0.1, 2)]
  const spots = (places: typeof town) => places.map(({ spot }) => spot)

  assert.deepEqual(viewOfMost([...far, ...town]), viewOf(spots(town)))
  assert.deepEqual(viewOfMost([...far, ...town.slice(0, 1)]), viewOf(spots([...far, ...town.slice(0, 1)])))
  assert.deepEqual(viewOfMost([]), viewOf([]))
})

test('a view is read from the address that shows it', () => {
  fc.assert(
    fc.property(degrees, fc.integer({ min: 1, max: 16 }), (point, zoom) => {
      const shown = viewParameters({ centre: toMercator(point), zoom })
      const again = viewParameters(readView(String(shown.z), shown.at) ?? viewOf([]))
      const [one, other] = [shown, again].map(({ at }) => at.split(',').map(Number))

      assert.equal(again.z, shown.z)
      assert.ok(
        one?.every((degree, place) => Math.abs(degree - (other?.[place] ?? 999)) < 0.0002),
        `${shown.at} ${again.at}`,
      )
    }),
  )
})

test('land is drawn small enough wherever one looks', async () => {
  for (const zoom of [1, 2, 3, 4, 5, 8, 16]) {
    for (const [latitude, longitude] of [
      [0, 0],
      [60, 10],
      [45, -73],
      [-40, 175],
      [55, -130],
      [85, 180],
    ] as const) {
      const { land, borders } = await landPaths({ centre: toMercator({ latitude, longitude }), zoom })
      assert.ok(
        land.length + borders.length < 40_000,
        `${zoom} ${latitude} ${longitude}: ${land.length} ${borders.length}`,
      )
      assert.doesNotMatch(land + borders, /NaN|Infinity/)
    }
  }
})

test('the map shows the places of upcoming events, and never that of a protected one', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall', geo_lat: 45.5, geo_lng: -73.7 })
  const far = await givenVenue(app, { venue: 'Far Away', geo_lat: 49.3, geo_lng: -123.1 })
  const secret = await givenVenue(app, { venue: 'Hideout', geo_lat: 48.8, geo_lng: 2.3 })
  const nowhere = await givenVenue(app, { venue: 'Somewhere' })
  await givenEvent(app, { venue: hall.id })
  await givenEvent(app, { venue: far.id })
  await givenEvent(app, { venue: secret.id, event_password: 'sesame' })
  await givenEvent(app, { venue: nowhere.id })

  const { text } = await page(app, '/events/map/')

  assert.match(text, /class="marker" href="\/venue\/hall\/"[^>]*><title>Hall, 1 event</)
  // Venues are public, so filters name them.
  assert.doesNotMatch(text.split('<div data-results>')[1] ?? '', /Hideout|Somewhere/)
  assert.doesNotMatch(text, /<image/)
})

/** Starts a service whose next events are at these places, by name: latitude and longitude. */
async function givenPlaces(
  t: TestContext,
  places: Readonly<Record<string, readonly [number, number]>>,
  environment: Readonly<Record<string, string>> = {},
) {
  const app = await startTestApp(t, { EVENTS_FALLBACK: 'any', ...environment })
  for (const [venue, [geo_lat, geo_lng]] of Object.entries(places)) {
    const { id } = await givenVenue(app, { venue, geo_lat, geo_lng, address: '1 Main Street', city: 'Laval' })
    await givenEvent(app, { venue: id })
  }
  return app
}

const town = { Hall: [45.56, -73.71], Arena: [45.57, -73.7], Park: [45.563, -73.712] } as const

test('a town without streets is a list of places with distances, not land that is drawn wrong', async (t) => {
  const app = await givenPlaces(t, town)

  const english = await page(app, '/events/map/')
  const french = await page(app, '/fr/events/map/?z=14&at=45.56,-73.71')

  for (const { text } of [english, french]) assert.doesNotMatch(text, /<svg|Natural Earth|data-streets/)
  assert.deepEqual(
    [english, french].map((one) => elementIn(one, 'h1')),
    ['Events by place', 'Événements par lieu'],
  )
  assert.match(french.text, /<title>Événements par lieu – /)
  assert.match(english.text, /Distances are in a straight line from “Park”\./)
  assert.deepEqual(
    [...english.text.matchAll(/<p class="distance">([^<]*)</g)].map(([, text]) => text),
    ['Distances are measured from here.', '370 m southeast', '1.2 km northeast'],
  )
  assert.match(english.text, /<p class="address">1 Main Street, Laval</)
  assert.match(french.text, /«\u00a0Park\u00a0»/)
  assert.deepEqual(
    [...french.text.matchAll(/<p class="distance">([^<]*)</g)].map(([, text]) => text?.replaceAll('\u00a0', ' ')),
    ['Les distances se mesurent à partir d’ici.', '370 m au sud-est', '1,2 km au nord-est'],
  )
})

test('of what is on already a place says until when, not since when', async (t) => {
  const app = await startTestApp(t, { EVENTS_FALLBACK: 'any' })
  const { id } = await givenVenue(app, { venue: 'Hall', geo_lat: 45.56, geo_lng: -73.71 })
  for (const [title, start_date, end_date] of [
    ['Show', '2029-11-01 10:00:00', '2030-12-15 17:00:00'],
    ['Course', '2029-12-01 10:00:00', '2030-01-15 20:00:00'],
    ['Concert', '2030-01-20 19:00:00', '2030-01-20 21:00:00'],
  ])
    await givenEvent(app, { title, start_date, end_date, venue: id })
  const days = async (path: string) =>
    [...(await page(app, path)).text.matchAll(/<span class="when">([^<]*)</g)].map(([, text]) =>
      text?.replaceAll('\u00a0', ' '),
    )

  assert.deepEqual(await days('/events/map/'), ['Until Dec 15, 2030', 'Ends today', 'Jan 20, 2030'])
  assert.deepEqual(await days('/fr/events/map/'), [
    ...['Jusqu’au 15 déc. 2030', 'Se termine aujourd’hui', '20 janv. 2030'],
  ])
})

test('land is drawn no nearer than it is true, whatever an address asks for', async (t) => {
  const app = await givenPlaces(t, { ...town, Québec: [46.81, -71.22] })
  const land = (text: string) => /<path class="land" d="([^"]*)"/.exec(text)?.[1]

  const { text } = await page(app, '/events/map/?z=16&at=45.56,-73.71')

  assert.equal(land(text), land((await page(app, '/events/map/?z=6&at=45.56,-73.71')).text))
  assert.doesNotMatch(text, /aria-label="Zoom in"/)
  // The places of the town coincide at this zoom; the list contains all of them.
  assert.match(text, /class="marker many" href="#places"/)
  assert.match(text, /<h3><a href="\/venue\/hall\/">/)
})

test('all places are named below the map, however many', async (t) => {
  const app = await givenPlaces(
    t,
    Object.fromEntries(
      Array.from({ length: 40 }, (_, place) => [`Place ${place}`, [45 + place / 10, -73 + place / 10]]),
    ),
  )

  const { text } = await page(app, '/events/map/')

  assert.equal(text.match(/<li data-place=/g)?.length, 40)
})

test('streets come from a file, by a script of ours that needs no wider policy', async (t) => {
  const app = await givenPlaces(t, town, { MAP_PMTILES: await townFile(t) })
  const without = await startTestApp(t)

  const { text, headers } = await page(app, '/events/map/')

  assert.match(text, /data-streets="\/assets\/streets-[0-9a-f]{16}\.js"/)
  assert.match(text, /href="https:\/\/www\.openstreetmap\.org\/copyright">© OpenStreetMap contributors</)
  // Without the script, the list has the same content.
  assert.match(text, /<h3><a href="\/venue\/hall\/">/)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /script-src 'self';/)
  assert.match(policy, /worker-src 'self';/)
  assert.match(policy, /connect-src 'self';/)
  assert.match(policy, /img-src 'self' data:;/)
  assert.doesNotMatch(policy, /unsafe|blob:|wasm/)
  const usual = String((await page(without, '/events/map/')).headers['content-security-policy'])
  assert.match(usual, /worker-src 'none';/)
})

test('the worker of the map may read tiles from here, and do nothing else', async (t) => {
  const app = await startTestApp(t, { MAP_PMTILES: await townFile(t) })
  const { text } = await page(app, '/events/map/')
  const [, settings = ''] = /data-settings="([^"]*)"/.exec(text) ?? []
  const files = JSON.parse(settings.replaceAll('&quot;', '"'))

  const worker = await app.send({ path: `/${files.worker}` })
  const engine = await app.send({ path: `/${files.engine}` })

  assert.equal(worker.headers['content-security-policy'], "default-src 'none'; connect-src 'self'")
  assert.match(String(worker.headers['content-type']), /^text\/javascript/)
  assert.match(String(engine.headers['content-security-policy']), /sandbox/)
  for (const { text: code } of [worker, engine]) assert.doesNotMatch(code, /sourceMappingURL/)
})

test('a map of any address is a map, and without places it says so', async (t) => {
  const app = await startTestApp(t)

  for (const query of [
    'z=5&at=45,-73',
    'z=99&at=x',
    'z=1&at=90,180',
    'z[]=1',
    'at=1,2',
    'z=16&at=-85.1,-179.9',
    'z=0&at=0,0',
  ]) {
    const answer = await page(app, `/fr/events/map/?${query}`)
    assert.equal(answer.status, 200, query)
    assert.doesNotMatch(answer.text, /NaN|undefined|Infinity/, query)
    assert.ok(answer.bytes.length < 60_000, query)
  }
  assert.match((await page(app, '/events/map/')).text, /No upcoming events have a place/)
})

test('a setting names whose tiles the map is made of, and pages may load no other', async (t) => {
  const app = await startTestApp(t, { MAP_TILE_URL: 'https://tiles.example.org/{z}/{x}/{y}.png?key=1' })

  const { text, headers } = await page(app, '/events/map/?z=2&at=45,-73')

  assert.match(text, /<image href="https:\/\/tiles\.example\.org\/2\/0\/1\.png\?key=1"/)
  assert.match(String(headers['content-security-policy']), /img-src 'self' data: https:\/\/tiles\.example\.org;/)
})
