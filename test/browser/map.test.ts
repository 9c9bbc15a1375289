import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { startTestApp } from '../support/app.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { onceForFile } from '../support/process.end.ts'
import { townFile } from '../support/town.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
const desktop = { viewport: { width: 1280, height: 900 } }
/** The minimum size of a target in pixels (WCAG 2.5.5). */
const targetPixels = 44

const town = {
  'Salle du Moulin': [45.5615, -73.717],
  Library: [45.566, -73.709],
  'Church Hall': [45.5661, -73.7085],
  Arena: [45.572, -73.695],
} as const
const wide = { Hall: [45.56, -73.71], Québec: [46.81, -71.22], Toronto: [43.65, -79.38] } as const

/** A calendar with two events at each of these places. */
async function startCalendar(
  t: Pick<TestContext, 'after'>,
  places: Readonly<Record<string, readonly [number, number]>>,
  environment: Readonly<Record<string, string>> = {},
) {
  const app = await startTestApp(t, { SITE_NAME: 'Town Calendar', EVENTS_FALLBACK: 'any', ...environment })
  for (const [venue, [geo_lat, geo_lng]] of Object.entries(places)) {
    const { id } = await givenVenue(app, { venue, geo_lat, geo_lng })
    for (const night of ['First', 'Second']) await givenEvent(app, { title: `${night} night: ${venue}`, venue: id })
  }
  return app.server.listen({ host: '127.0.0.1', port: 0 })
}

const withStreets = onceForFile(async (t) => startCalendar(t, town, { MAP_PMTILES: await townFile(t) }))
const withoutStreets = onceForFile((t) => startCalendar(t, wide))

/** Opens the map page with streets, completely drawn, in a browser with these settings. */
async function openStreets(t: TestContext, options: BrowserContextOptions, path = '/events/map/') {
  const origin = await withStreets()
  const browser = await startChromium(t, { reducedMotion: 'reduce', ...options })
  const faults = watchFaults(browser, origin)
  const page = await browser.newPage()
  await page.goto(`${origin}${path}`)
  await page.waitForSelector('[data-drawn]')
  // Warnings of the graphics driver about its own speed are not faults of the page.
  return { page, faults: () => faults.filter((fault) => !fault.includes('GL Driver Message')) }
}

async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await violationsOf(page), [])
}

/** The smaller side of each visible element. */
async function sidesOf(page: Page, selector: string): Promise<readonly number[]> {
  const boxes = await Promise.all((await page.locator(selector).all()).map((element) => element.boundingBox()))
  return boxes.flatMap((box) => (box ? [Math.min(box.width, box.height)] : []))
}

/** The number of colours in the picture of the map. */
async function coloursOf(page: Page): Promise<number> {
  const picture = sharp(await page.locator('.streets-map').screenshot()).ensureAlpha()
  const { buffer, byteOffset, byteLength } = await picture.raw().toBuffer()
  return new Set(new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength))).size
}

/** Whether the focused element is within the visible map. */
const isFocusSeen = `(() => {
  const [marker, map] = [document.activeElement, document.querySelector('.streets-map')].map((one) => one.getBoundingClientRect())
  return marker.left >= map.left && marker.right <= map.right && marker.top >= map.top && marker.bottom <= map.bottom
})()`

const looks = {
  'map-streets-desktop': [desktop, '/events/map/'],
  'map-streets-phone': [phone, '/fr/events/map/'],
  'map-streets-dark': [{ ...desktop, colorScheme: 'dark' }, '/events/map/'],
  'map-streets-forced-colours': [{ ...phone, forcedColors: 'active' }, '/events/map/'],
} as const satisfies Readonly<Record<string, readonly [BrowserContextOptions, string]>>

for (const [name, [options, path]] of Object.entries(looks)) {
  test(`streets are drawn by what comes from here alone: ${name}`, async (t) => {
    const { page, faults } = await openStreets(t, options, path)

    assert.ok((await coloursOf(page)) > 20)
    const sides = await sidesOf(page, '.street-marker, .streets .button')
    assert.equal(sides.length, 6)
    assert.ok(
      sides.every((side) => side >= targetPixels),
      sides.join(' '),
    )
    await assertAccessible(page)
    await screenshot(page, name)
    assert.deepEqual(faults(), [])
  })
}

test('the map is used by the keyboard: nearer to several places, into one, and back', async (t) => {
  const { page, faults } = await openStreets(t, desktop)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await button('2 places close together').focus()
  await page.keyboard.press('Enter')
  await button('Library, 2 events').waitFor()
  assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /^(Library|Church Hall), 2 events$/)

  await button('Church Hall, 2 events').focus()
  await page.keyboard.press('Enter')
  const popup = page.getByRole('dialog', { name: 'Church Hall' })
  await popup.waitFor()
  assert.equal(await page.locator(':focus').textContent(), 'Church Hall')
  assert.deepEqual(await popup.getByRole('link').allTextContents(), [
    ...['Church Hall', 'First night: Church Hall', 'Second night: Church Hall'],
  ])
  assert.equal(await page.locator('[data-place][data-active] h3').textContent(), 'Church Hall')
  await assertAccessible(page)

  await page.keyboard.press('Escape')
  assert.equal(await popup.count(), 0)
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Church Hall, 2 events')
  assert.equal(await page.locator('[data-active]').count(), 0)
  // Focus moves a hidden place into view.
  await button('Arena, 2 events').focus()
  await page.waitForFunction(isFocusSeen)
  await page.getByRole('button', { name: 'Show all' }).click()
  await button('2 places close together').waitFor()
  assert.deepEqual(faults(), [])
})

test('the list leads to the map, and the map back to the list', async (t) => {
  const { page, faults } = await openStreets(t, phone, '/fr/events/map/')

  await page.getByRole('button', { name: /^Voir sur la carte.*Arena$/ }).tap()

  const popup = page.getByRole('dialog', { name: 'Arena' })
  await popup.waitFor()
  assert.equal(await page.locator('[data-place][data-active] h3').textContent(), 'Arena')
  await popup.getByRole('button', { name: 'Fermer' }).tap()
  assert.match((await page.locator(':focus').textContent()) ?? '', /^Voir sur la carte/)
  await popup.waitFor({ state: 'detached' })
  assert.deepEqual(faults(), [])
})

test('another choice of colours is followed at once', async (t) => {
  const { page, faults } = await openStreets(t, desktop)
  const middle = () => page.locator('.streets-map').screenshot()
  const light = await middle()

  await page.emulateMedia({ colorScheme: 'dark' })
  let dark = await middle()
  for (let tries = 0; tries < 50 && dark.equals(light); tries += 1) dark = await middle()

  assert.ok(!dark.equals(light))
  assert.deepEqual(faults(), [])
})

for (const [name, places] of Object.entries({ town, wide })) {
  test(`where the browser cannot draw the map, the page says the same without it: ${name}`, async (t) => {
    const origin = await startCalendar(t, places, { MAP_PMTILES: await townFile(t) })
    const browser = await startChromium(t, desktop, ['--disable-3d-apis'])
    const faults = watchFaults(browser, origin)
    const page = await browser.newPage()
    await page.goto(`${origin}/events/map/`)
    await page.locator('.streets').waitFor({ state: 'hidden' })

    assert.equal(await page.locator('.map-frame').isVisible(), name === 'wide')
    assert.equal(await page.locator('[data-place]').count(), Object.keys(places).length)
    assert.equal(await page.locator('[data-show-place]:visible').count(), 0)
    await assertAccessible(page)
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('GL')),
      [],
    )
  })
}

test('without scripts there are the places, and nothing that only scripts make work', async (t) => {
  const origin = await withStreets()
  const browser = await startChromium(t, { ...phone, javaScriptEnabled: false })
  const page = await browser.newPage()
  await page.goto(`${origin}/events/map/`)

  assert.deepEqual(await page.getByRole('button').allTextContents(), ['Search'])
  assert.equal(await page.locator('.streets').isVisible(), false)
  assert.equal(await page.getByRole('link', { name: 'Church Hall', exact: true }).isVisible(), true)
})

for (const [name, options] of Object.entries({
  ...{ phone, small: { ...phone, viewport: { width: 320, height: 640 } } },
  ...{ tablet: { ...phone, viewport: { width: 768, height: 1024 } }, desktop },
  forced: { ...phone, forcedColors: 'active' },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>)) {
  test(`markers of the drawn map are as large as a finger: ${name}`, async (t) => {
    const origin = await withoutStreets()
    const browser = await startChromium(t, options)
    const page = await browser.newPage()
    await page.goto(`${origin}/events/map/`)

    const sides = await sidesOf(page, 'a.marker:visible')
    assert.ok(sides.length >= 2)
    assert.ok(
      sides.every((side) => side >= targetPixels),
      sides.join(' '),
    )
    // The other ones differ in their sizes and colours only.
    if (options === phone || options === desktop) await assertAccessible(page)
    await screenshot(page, `map-land-${name}`)
  })
}
