import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestApp } from '../support/app.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { drag, startDesk } from './desk.window.ts'

async function timesOf(app: TestApp, id: number): Promise<readonly string[]> {
  const { body } = await app.send({ path: `/events/${id}` })
  return [body.start_date, body.end_date]
}

/** The script of the calendar has begun. */
const isLive = (page: Page) => page.locator('[data-calendar].live').waitFor()

const dayOf = (page: Page, day: string) => page.locator(`[data-day="${day}"]`)

test('an event is made, moved and moved back with a pointer, in a month and on the hours of a week', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const hall = await givenVenue(app, { venue: 'Maison de la culture' })
  const { id } = await givenEvent(app, {
    ...{ title: 'Concert', venue: hall.id, start_date: '2030-01-22 19:15:00', end_date: '2030-01-22 21:15:00' },
  })
  const fair = await givenEvent(app, { title: 'Fair', start_date: '2030-01-16', end_date: '2030-01-18', all_day: true })

  await page.goto(`${url}/admin/calendar/?month=2030-01`)
  await isLive(page)
  await dayOf(page, '2030-01-24').click({ position: { x: 60, y: 90 } })
  await page.getByRole('heading', { name: 'New event' }).waitFor()
  assert.equal(await page.getByLabel('Start', { exact: true }).inputValue(), 'Thu, January 24, 2030')

  await page.goto(`${url}/admin/calendar/?month=2030-01`)
  await isLive(page)
  await drag(page, [page.getByRole('link', { name: 'Concert' }).first()], [dayOf(page, '2030-01-25')])
  await page.getByText('was moved: ').first().waitFor()
  await isLive(page)
  assert.deepEqual(await timesOf(app, id), ['2030-01-25 19:15:00', '2030-01-25 21:15:00'])
  // A bar is dragged by its middle, so each of its days moves as far as the pointer.
  await drag(page, [page.getByRole('link', { name: 'Fair' }).first()], [dayOf(page, '2030-01-24')])
  await page.waitForURL(new RegExp(`moved=${fair.id}`))
  assert.deepEqual(await timesOf(app, fair.id), ['2030-01-23 00:00:00', '2030-01-25 23:59:59'])
  const moved = page.url()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL(({ href }) => href !== moved)
  assert.deepEqual(await timesOf(app, fair.id), ['2030-01-16 00:00:00', '2030-01-18 23:59:59'])

  await page.goto(`${url}/fr/admin/calendar/?week=2030-01-24`)
  await isLive(page)
  const hours = dayOf(page, '2030-01-23').locator('.hours')
  const { height = 0 } = (await hours.boundingBox()) ?? {}
  const at = (hour: number) => ({ x: 20, y: ((hour - 8) / 16) * height + 2 })
  await screenshot(page, 'desk-calendar-week')
  assert.deepEqual(await violationsOf(page), [])
  await drag(page, [page.getByRole('link', { name: 'Concert' }).first(), { x: 10, y: 2 }], [hours, at(14)])
  await page.getByText('a été déplacé\u00a0: ').first().waitFor()
  assert.deepEqual(await timesOf(app, id), ['2030-01-23 14:00:00', '2030-01-23 16:00:00'])
  const later = page.url()
  await page.getByRole('button', { name: 'Revenir en arrière' }).click()
  await page.waitForURL(({ href }) => href !== later)
  await isLive(page)
  assert.deepEqual(await timesOf(app, id), ['2030-01-25 19:15:00', '2030-01-25 21:15:00'])
  await dayOf(page, '2030-01-23')
    .locator('.hours')
    .click({ position: at(10) })
  await page.getByRole('heading', { name: 'Nouvel événement' }).waitFor()
  assert.match(await page.getByLabel('Début', { exact: true }).inputValue(), /23 janvier 2030, 10 h$/)
  assert.deepEqual(faults, [])
})

test('the same by keyboard: Space picks an event up, arrow keys move it, Enter drops it, Escape does not', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const times = { start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' }
  const { id } = await givenEvent(app, { title: 'Concert', ...times })
  const said = () => page.locator('[data-said]').textContent()
  const focused = () => page.evaluate<string>('document.activeElement.textContent')

  await page.goto(`${url}/admin/calendar/?month=2030-01`)
  await isLive(page)
  await page.getByRole('link', { name: 'Concert' }).first().focus()
  await page.keyboard.press('Space')
  assert.match((await said()) ?? '', /“Concert” is picked up\. Arrow keys move it/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowLeft')
  assert.match((await said()) ?? '', /“Concert”: Monday, January 28, 7\sp\.m\./)
  await screenshot(page, 'desk-calendar-carried')
  assert.deepEqual(await violationsOf(page), [])
  await page.keyboard.press('Escape')
  assert.match((await said()) ?? '', /“Concert” was not moved/)
  assert.deepEqual(await timesOf(app, id), Object.values(times))

  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.waitForURL(/moved=/)
  await isLive(page)
  assert.deepEqual(await timesOf(app, id), ['2030-01-23 19:00:00', '2030-01-23 21:00:00'])
  assert.match(await focused(), /Concert/)
  assert.match((await said()) ?? '', /^“Concert” was moved: /)

  // Farther than the days that are shown: the calendar follows.
  await page.goto(`${url}/fr/admin/calendar/?week=2030-01-23`)
  await isLive(page)
  await page.getByRole('link', { name: 'Concert' }).first().focus()
  await page.keyboard.press('Space')
  for (const key of ['ArrowUp', ...Array.from({ length: 7 }, () => 'ArrowRight')]) await page.keyboard.press(key)
  assert.match((await said()) ?? '', /«\sConcert\s»\s: mercredi 30 janvier, 18\sh\s30/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/week=2030-01-30&moved=/)
  await isLive(page)
  assert.deepEqual(await timesOf(app, id), ['2030-01-30 18:30:00', '2030-01-30 20:30:00'])

  await dayOf(page, '2030-01-28').locator('.new-on-day').focus()
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
  assert.match((await said()) ?? '', /Nouvel événement le mardi 29 janvier à 9\sh/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nouvel événement' }).waitFor()
  assert.match(await page.getByLabel('Début', { exact: true }).inputValue(), /29 janvier 2030, 9 h$/)

  // Somebody else changes the event while it is being moved.
  await page.goto(`${url}/admin/calendar/?month=2030-01`)
  await isLive(page)
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { title: 'Ball' } })
  await page.getByRole('link', { name: 'Concert' }).first().focus()
  for (const key of ['Space', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await page.getByText('Someone else has changed this event').waitFor()
  assert.deepEqual(await timesOf(app, id), ['2030-01-30 18:30:00', '2030-01-30 20:30:00'])
  assert.deepEqual(faults, [])
})

/** The least width and height of what is shown of these elements. */
const leastOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => {
    const boxes = all.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 2)
    return boxes.length === 0
      ? undefined
      : Math.min(...boxes.flatMap(({ width, height }) => [width, height].map(Math.round)))
  })

test('by touch, targets are 44 pixels wide and high, nothing scrolls sideways, and each event is moved by its form', async (t) => {
  const { app, url, page, faults } = await startDesk(t, { hasTouch: true, isMobile: true })
  const times = { start_date: '2030-01-23 19:00:00', end_date: '2030-01-23 21:00:00' }
  const { id } = await givenEvent(app, { title: 'Concert', ...times })
  await givenEvent(app, { title: 'Fair', start_date: '2030-01-16', end_date: '2030-01-18', all_day: true })

  for (const [width, height] of [
    [320, 640],
    [390, 844],
    [768, 1024],
    [1100, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const [language, what] of [
      ['', 'month=2030-01'],
      ['/fr', 'week=2030-01-23'],
    ]) {
      await page.goto(`${url}${language}/admin/calendar/?${what}`)
      await isLive(page)
      const isSmallMonth = width < 700 && what?.startsWith('month')
      assert.equal(await leastOf(page, '.new-on-day'), isSmallMonth ? undefined : 44, `${width} ${what}`)
      assert.ok(((await leastOf(page, '.day-link')) ?? 44) >= (isSmallMonth ? 40 : 44), `${width} ${what}`)
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), width, `${width} ${what}`)
      // The layout changes between these two widths.
      if (width === 320 || width === 1100) assert.deepEqual(await violationsOf(page), [])
      await page.locator('.touch-how').scrollIntoViewIfNeeded()
      await screenshot(page, `desk-calendar-touch-${width}-${what?.slice(0, what.indexOf('='))}`)
    }
  }

  for (const [width, day] of [
    [320, '2030-01-24'],
    [1100, '2030-01-25'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${url}/admin/calendar/?month=2030-01`)
    await isLive(page)
    await page.getByText('Tap the number of a day to see its week.').waitFor()
    const from = (await timesOf(app, id))[0]?.slice(0, 10) ?? ''
    await dayOf(page, from).locator('.day-link').tap()
    await page.waitForURL(/week=2030-01-21/)
    await page.getByRole('link', { name: 'Move “Concert” to another day' }).tap()
    await page.getByLabel('New day').fill(day)
    await page.getByRole('button', { name: 'Move', exact: true }).tap()
    await page.getByText('was moved: ').first().waitFor()
    assert.deepEqual(await timesOf(app, id), [`${day} 19:00:00`, `${day} 21:00:00`])
  }
  assert.deepEqual(faults, [])
})
