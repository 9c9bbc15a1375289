import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { givenEvent, givenTerm, givenVenue } from '../support/given.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

// What pages of the desk have in their first screen, measured in both languages on a desktop and on a phone.

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')
const topOf = async (page: Page, one: string) =>
  (await page.locator(one).first().boundingBox())?.y ?? assert.fail(`${one} is missing`)

test('no page scrolls sideways, and the first row, event and hour are in the first screen', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const hall = await givenVenue(app, { venue: 'Nature Centre', city: 'Laval' })
  await givenVenue(app, { venue: 'Nature Center' })
  const term = await givenTerm(app, 'categories', { name: 'Music' })
  const at = (day: string, time: string) => `2030-01-${day} ${time}:00`
  for (const day of ['15', '16', '17', '18']) {
    const times = { start_date: at(day, '19:00'), end_date: at(day, '20:30') }
    await givenEvent(app, { title: `A concert on ${day}`, venue: hall.id, categories: [term.id], ...times })
  }
  const days = { start_date: at('15', '09:00'), end_date: at('18', '17:00') }
  await givenEvent(app, { title: 'An exhibition of several days', venue: hall.id, ...days })
  const found: string[] = []
  // The highest place at which the first thing of a page may begin, on a desktop and on a phone.
  const pages: Readonly<Record<string, readonly [first: string, desktop: number, phone: number]>> = {
    'admin/': ['.gaps li', 260, 260],
    'admin/events/': ['tbody tr', 340, 470],
    'admin/venues/': ['tbody tr', 340, 400],
    'admin/calendar/?week=2030-01-14': ['[data-event]', 260, 480],
    'admin/calendar/?month=2030-01': ['.days', 230, 400],
    'admin/trash/': ['h1', 120, 120],
  }
  for (const [place, size] of sizes.entries()) {
    await page.setViewportSize(size)
    for (const language of ['', 'fr/']) {
      for (const [path, [first, ...most]] of Object.entries(pages)) {
        await page.goto(`${url}/${language}${path}`)
        const width = await widthOf(page)
        const top = await topOf(page, first)
        if (width > size.width) found.push(`${language}${path} is ${width} wide at ${size.width}`)
        if (top > (most[place] ?? 0)) found.push(`${language}${path} begins at ${Math.round(top)} at ${size.width}`)
      }
    }
  }
  assert.deepEqual(found, [])
  assert.deepEqual(faults, [])
})

test('on a phone, filters open from a button, and a row has three lines', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  await givenEvent(app, { title: 'Ball', venue: hall.id })
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, filters, words] of [
    ['/admin/events/', 'Filters', 'Words'],
    ['/fr/admin/venues/', 'Filtres', 'Mots'],
  ] as const) {
    await page.goto(`${url}${path}`)
    const field = page.getByLabel(words, { exact: true })
    assert.equal(await field.isVisible(), false)
    assert.ok(((await page.locator('tbody tr').first().boundingBox())?.height ?? 999) < 85, path)
    await page.getByRole('button', { name: filters }).click()
    await field.fill('all')
    assert.deepEqual(await violationsOf(page), [])
    await screenshot(page, `desk-filters-${filters}-390`)
    await field.press('Enter')
    await page.waitForURL(/q=all/)
    await page.locator('tbody tr').first().waitFor()
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.equal(await page.getByLabel('Mots', { exact: true }).isVisible(), true)
  assert.deepEqual(faults, [])
})

test('an event of several days is one bar across a week, and no word is broken', async (t) => {
  const { app, url, page } = await startDesk(t)
  const at = (day: string, time: string) => `2030-01-${day} ${time}:00`
  const long = await givenEvent(app, {
    title: 'Exhibition',
    start_date: at('12', '09:00'),
    end_date: at('16', '17:00'),
  })
  const days = { start_date: at('17', '00:00'), end_date: at('18', '23:59'), all_day: true }
  await givenEvent(app, { title: 'Fair', ...days })
  const story = await givenEvent(app, {
    title: 'Saturday story',
    start_date: at('15', '10:00'),
    end_date: at('15', '11:00'),
  })
  await givenEvent(app, { title: 'Wednesday yoga', start_date: at('15', '10:00'), end_date: at('15', '11:00') })
  await page.setViewportSize(sizes[0])
  await page.goto(`${url}/admin/calendar/?week=2030-01-14`)
  const boxOf = async (one: string) => (await page.locator(one).boundingBox()) ?? assert.fail(one)
  const bars = page.locator(`[data-event="${long.id}"]`)
  const shown = (await bars.all()).map(async (one) => (await one.isVisible()) && (await one.boundingBox()))
  const [bar, ...others] = (await Promise.all(shown)).filter((box) => box !== false)
  const [day, hours, event] = [
    await boxOf('#d-2030-01-14'),
    await boxOf('#d-2030-01-14 .hours'),
    await boxOf(`[data-event="${story.id}"]`),
  ]
  const isBroken = `[...document.querySelectorAll('.timed a')].some((link) => {
    const text = link.firstChild
    return [...text.data.matchAll(/\\S+/g)].some(({ index, 0: word }) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      return range.getClientRects().length > 1
    })
  })`
  await screenshot(page, 'desk-week-bars')

  assert.deepEqual(others, [])
  // From Monday to Wednesday, and above the hours.
  assert.ok(bar, await page.locator('#d-2030-01-14').innerHTML())
  assert.deepEqual([Math.round(bar.width / day.width), bar.y + bar.height <= hours.y], [3, true])
  assert.ok(hours.y < 330 && event.y < 800)
  assert.equal(await page.evaluate<boolean>(isBroken), false)
})
