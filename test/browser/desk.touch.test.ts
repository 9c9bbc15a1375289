import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { givenEvent, givenTerm } from '../support/given.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { middleOf, startDesk, startFinger } from './desk.window.ts'

const tablet = { hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } } as const

test('a long touch drags an event to another day, in a month and in the list of a week', async (t) => {
  const { app, url, page, faults } = await startDesk(t, tablet)
  const times = { start_date: '2030-01-22 19:15:00', end_date: '2030-01-22 21:15:00' }
  const { id } = await givenEvent(app, { title: 'Concert', ...times })
  const startOf = async () => (await app.send({ path: `/events/${id}` })).body.start_date
  const finger = await startFinger(page)
  const day = (date: string) => page.locator(`[data-day="${date}"]`)
  const concert = page.locator(`[data-event="${id}"]`)
  const live = () => page.locator('[data-calendar].live').waitFor()
  const said = () => page.locator('[data-said]').textContent()

  await page.goto(`${url}/admin/calendar/?month=2030-01`)
  await live()
  await page.getByText('Hold a finger on an event, then drag it').waitFor()
  const [from, to] = [await middleOf(concert), await middleOf(day('2030-01-25'))]
  await finger.press(from, { isLong: true })
  assert.match((await said()) ?? '', /“Concert”: Tuesday, January 22, 7:15\sp\.m\./)
  await finger.move([from, to])
  assert.match((await said()) ?? '', /“Concert”: Friday, January 25, 7:15\sp\.m\./)
  assert.equal(await page.evaluate<number>('scrollY'), 0)
  await screenshot(page, 'desk-calendar-touched')
  assert.deepEqual(await violationsOf(page), [])
  await finger.lift()
  await page.getByText('was moved: ').first().waitFor()
  await live()
  assert.equal(await startOf(), '2030-01-25 19:15:00')
  const moved = page.url()
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.waitForURL(({ href }) => href !== moved)
  await live()

  await page.goto(`${url}/fr/admin/calendar/?week=2030-01-22`)
  await live()
  const [inWeek, thursday] = [await middleOf(concert), await middleOf(day('2030-01-24'))]
  await finger.press(inWeek, { isLong: true })
  await finger.move([inWeek, thursday])
  await finger.lift()
  await page.getByText('a été déplacé\u00a0: ').first().waitFor()
  assert.equal(await startOf(), '2030-01-24 19:15:00')
  assert.deepEqual(faults, [])
})

/** Waits until the page has scrolled, and no longer does. */
async function scrolledAbove(page: Page, place: number): Promise<void> {
  await page.evaluate(`new Promise((done, fail) => {
    const until = performance.now() + 5000
    let last
    let still = 0
    const look = () => {
      still = scrollY < ${place} && scrollY === last ? still + 1 : 0
      last = scrollY
      if (still > 20) done()
      else if (performance.now() > until) fail(new Error('The page did not scroll.'))
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

test('a touch that scrolls, taps, zooms, is canceled or ends where it began moves nothing', async (t) => {
  const { app, url, page, faults } = await startDesk(t, { ...tablet, reducedMotion: 'reduce' })
  const times = { start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' }
  const { id } = await givenEvent(app, { title: 'Concert', ...times })
  await page.setViewportSize({ width: 820, height: 600 })
  const finger = await startFinger(page)
  const concert = page.locator(`[data-event="${id}"]`)
  const said = () => page.locator('[data-said]').textContent()
  const isHeld = () => concert.evaluate((one) => one.classList.contains('picked-up'))
  const isKept = () => page.locator('.picked-up').waitFor({ state: 'detached' })
  const dayOf = (date: string) => page.locator(`[data-day="${date}"]`)

  await page.goto(`${url}/admin/calendar/?month=2030-01`)
  await page.locator('[data-calendar].live').waitFor()
  await concert.scrollIntoViewIfNeeded()
  const own = await middleOf(concert)
  const friday = await middleOf(dayOf('2030-01-25'))

  // A finger that moves at once scrolls the page.
  const before = await page.evaluate<number>('scrollY')
  await finger.press(own, { isLong: false })
  await finger.move([own, { x: own.x, y: own.y + 150 }])
  await finger.lift()
  await scrolledAbove(page, before)
  assert.equal(await isHeld(), false)
  await page.evaluate(`scrollTo(0, ${before})`)

  // After a move, the focus is on an event that a finger may drag next.
  const pressOn = async (key: string) => {
    await concert.getByRole('link').first().focus()
    await page.keyboard.press(key)
  }
  const endings = [
    { end: () => finger.cancel(), isSaid: true, isLifted: true },
    { end: () => finger.second(friday, own), isSaid: true },
    { end: () => page.keyboard.press('Escape'), isSaid: true },
    { end: () => pressOn('Escape'), isSaid: true },
    { end: () => pressOn('Tab').then(() => finger.move([friday, own])) },
    { end: () => finger.move([friday, { x: 2, y: 300 }]) },
    { end: () => finger.move([friday, own]) },
  ]
  for (const { end, isSaid = false, isLifted = false } of endings) {
    // The link to move the event without dragging shows beside it while the focus is there.
    const place = await middleOf(concert.getByRole('link').first())
    await finger.press(place, { isLong: true })
    assert.equal(await isHeld(), true)
    await finger.move([place, await middleOf(dayOf('2030-01-25'))])
    await end()
    if (isSaid) assert.match((await said()) ?? '', /“Concert” was not moved/)
    if (!isLifted) await finger.lift()
    await isKept()
    assert.match((await said()) ?? '', /“Concert” was not moved/)
    assert.match(page.url(), /month=2030-01$/)
  }
  assert.equal((await app.send({ path: `/events/${id}` })).body.start_date, times.start_date)

  // A tap follows the link.
  await concert.getByRole('link').first().tap()
  await page.waitForURL(new RegExp(`/admin/events/${id}/`))
  assert.deepEqual(faults, [])
})

for (const { name, width, height } of [
  { name: 'tablet', ...tablet.viewport },
  { name: 'phone', width: 320, height: 800 },
]) {
  test(`a long touch drags a category below another one, and to the top, on a ${name}`, async (t) => {
    const { app, url, page, faults } = await startDesk(t, { ...tablet, viewport: { width, height } })
    const arts = await givenTerm(app, 'categories', { name: 'Arts' })
    const music = await givenTerm(app, 'categories', { name: 'Music' })
    const parentOf = async () => (await app.send({ path: `/categories/${music.id}` })).body.parent
    const finger = await startFinger(page)
    const row = (id: number) => page.locator(`[data-term="${id}"] th`)
    const said = () => page.locator('[data-said]').textContent()
    const drag = async (to: Parameters<typeof middleOf>[0], expected: RegExp) => {
      const from = await middleOf(row(music.id))
      await finger.press(from, { isLong: true })
      await finger.move([from, await middleOf(to)])
      assert.match((await said()) ?? '', expected)
    }

    await page.goto(`${url}/admin/categories/`)
    await page.locator('[data-tree].live').waitFor()
    await page.getByText('Hold a finger on a category').waitFor()
    await drag(row(arts.id), /“Music”: below “Arts”/)
    await screenshot(page, `desk-tree-touched-${name}`)
    await finger.lift()
    await page.getByText('” was moved.').first().waitFor()
    await page.locator('[data-tree].live').waitFor()
    assert.equal(await parentOf(), arts.id)
    await drag(page.locator('[data-top]'), /“Music”: at the top/)
    await finger.cancel()
    assert.match((await said()) ?? '', /“Music” was not moved/)
    assert.equal(await parentOf(), arts.id)
    await drag(page.locator('[data-top]'), /“Music”: at the top/)
    await row(music.id).getByRole('link').focus()
    await page.keyboard.press('Escape')
    assert.match((await said()) ?? '', /“Music” was not moved/)
    await finger.lift()
    assert.equal(await parentOf(), arts.id)
    const moved = page.url()
    await drag(page.locator('[data-top]'), /“Music”: at the top/)
    await finger.lift()
    // The message of the first move is still on the page.
    await page.waitForURL(({ href }) => href !== moved)
    await page.getByText('” was moved.').first().waitFor()
    assert.equal(await parentOf(), 0)
    assert.deepEqual(faults, [])
  })
}
