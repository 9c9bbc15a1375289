import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp } from '../../test/support/app.ts'
import { givenEvent, givenVenue } from '../../test/support/given.ts'
import { page } from '../../test/support/pages.ts'
import { landPaths } from './map.land.ts'
import { mapHeight, mapWidth, pixelOf, readView, shownView, spotOf, viewOf } from './map.view.ts'

const degrees = fc.record({
  latitude: fc.double({ min: -84, max: 84, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})

test('every place is within the view that is chosen for all of them', () => {
  fc.assert(
    fc.property(fc.array(degrees, { minLength: 1, maxLength: 20 }), (points) => {
      const spots = points.map(spotOf)
      const view = viewOf(spots)

      for (const { x, y } of spots.map((spot) => pixelOf(view, spot))) {
        // At the lowest zoom the whole Earth need not be seen from top to bottom.
        assert.ok(view.zoom === 1 || (x >= 0 && x <= mapWidth && y >= 0 && y <= mapHeight), `${x} ${y}`)
      }
    }),
  )
})

test('a view is read from the address that shows it', () => {
  fc.assert(
    fc.property(degrees, fc.integer({ min: 1, max: 16 }), (point, zoom) => {
      const shown = shownView({ centre: spotOf(point), zoom })
      const again = shownView(readView(String(shown.z), shown.at) ?? viewOf([]))
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
      const { land, borders } = await landPaths({ centre: spotOf({ latitude, longitude }), zoom })
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
  const secret = await givenVenue(app, { venue: 'Hideout', geo_lat: 48.8, geo_lng: 2.3 })
  const nowhere = await givenVenue(app, { venue: 'Somewhere' })
  await givenEvent(app, { venue: hall.id })
  await givenEvent(app, { venue: secret.id, event_password: 'sesame' })
  await givenEvent(app, { venue: nowhere.id })

  const { text } = await page(app, '/events/map/')

  assert.match(text, /class="marker" href="\/venue\/hall\/"[^>]*><title>Hall, 1 event</)
  // Venues are public themselves: as filters they are named.
  assert.doesNotMatch(text.split('data-results')[1] ?? '', /Hideout|Somewhere/)
  assert.doesNotMatch(text, /<image/)
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
  assert.match((await page(app, '/events/map/')).text, /None of the upcoming events/)
})

test('a setting names whose tiles the map is made of, and pages may load no other', async (t) => {
  const app = await startTestApp(t, { MAP_TILE_URL: 'https://tiles.example.org/{z}/{x}/{y}.png?key=1' })

  const { text, headers } = await page(app, '/events/map/?z=2&at=45,-73')

  assert.match(text, /<image href="https:\/\/tiles\.example\.org\/2\/0\/1\.png\?key=1"/)
  assert.match(String(headers['content-security-policy']), /img-src 'self' data: https:\/\/tiles\.example\.org;/)
})
