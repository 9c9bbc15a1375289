import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startTestApp } from '../support/app.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { onceForFile } from '../support/process.end.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'

const phone = { viewport: { width: 390, height: 844 } }

/** A month with an event of each kind, and another without events. Now is 15 January 2030, noon in UTC. */
const calendar = onceForFile(async (t) => {
  const app = await startTestApp(t, { SITE_NAME: 'Town Calendar', SITE_TIMEZONE: 'America/Toronto', RATE_LIMIT: '0' })
  const hall = await givenVenue(app, { venue: 'Old Hall', city: 'Laval' })
  const at = (start_date: string, end_date: string, title: string, more: object = {}) =>
    givenEvent(app, { title, start_date, end_date, timezone: 'America/Toronto', venue: hall.id, ...more })
  await at('2029-12-20', '2030-01-08', 'Exhibition of winter photographs', { all_day: true })
  await at('2030-01-18 18:00:00', '2030-01-21 02:00:00', 'Festival', { featured: true })
  await at('2030-01-15 19:00:00', '2030-01-15 21:00:00', 'Concert')
  await at('2030-01-22 19:00:00', '2030-01-22 21:00:00', 'Reading')
  await at('2030-01-30', '2030-02-02', 'Fair', { all_day: true })
  for (let number = 1; number <= 12; number += 1) {
    const title = `${'A meeting with a rather long name '.repeat(1 + (number % 3))}${number}`
    await at('2030-01-25 10:00:00', '2030-01-25 11:00:00', title)
    await at('2030-01-24 10:00:00', '2030-01-27 11:00:00', title)
  }
  return app.server.listen({ host: '127.0.0.1', port: 0 })
})

async function open(t: TestContext, path: string, options: BrowserContextOptions = {}) {
  const origin = await calendar()
  const browser = await startChromium(t, {
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  const faults = watchFaults(browser, origin)
  const page = await browser.newPage()
  await page.goto(`${origin}${path}`)
  return { page, origin, faults }
}

/** The day of the focused element. */
const focusedDay = (page: Page) =>
  page.evaluate<string>("document.activeElement.closest('[data-days] > li')?.querySelector('time').dateTime")
const focusedText = (page: Page) =>
  page.evaluate<string>("document.activeElement.textContent.trim().replace(/\\s+/g, ' ')")

test('a month is one stop of the Tab key: a day and what is on it', async (t) => {
  const { page, faults } = await open(t, '/events/month/2030-01/')

  await page.locator('.filters summary').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  // The first link after the form is today, even if days precede it.
  assert.equal(await focusedDay(page), '2030-01-15')
  await page.keyboard.press('Tab')
  assert.match(await focusedText(page), /^7p Concert$/)
  await page.keyboard.press('ArrowDown')
  assert.equal(await focusedDay(page), '2030-01-22')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Home')
  assert.equal(await focusedDay(page), '2030-01-01')
  // The days of the neighbouring months can also be reached.
  await page.keyboard.press('ArrowLeft')
  assert.equal(await focusedDay(page), '2029-12-31')
  await page.keyboard.press('End')
  await page.keyboard.press('Tab')
  assert.equal(await focusedDay(page), undefined)
  assert.equal(await page.locator('[data-days] [tabindex="0"]').count(), 1)

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('PageDown')
  await page.getByRole('heading', { level: 1, name: 'February 2030' }).waitFor()
  assert.equal(await focusedDay(page), '2030-02-01')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Friday, February 1, 2030' }).waitFor()
  assert.deepEqual(faults, [])
})

test('a month is read in order: each day with events as a heading, its events below it', async (t) => {
  const { page } = await open(t, '/events/month/2030-01/')

  const days = await page.getByRole('heading', { level: 2 }).allTextContents()
  const friday = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Friday, January 18/ }) })

  assert.equal(days.length, 23)
  assert.match(days[0] ?? '', /Sunday, December 30, 1 event$/)
  assert.match(
    await friday.ariaSnapshot(),
    /heading "Friday, January 18, 1 event" \[level=2\].*link "6p Festival \(until Sunday, January 20\)"/s,
  )
  assert.deepEqual(await violationsOf(page), [])
})

test('what lasts over days is one bar over them, and nothing lies over anything else', async (t) => {
  const { page } = await open(t, '/events/month/2030-01/')

  const covered = await page.evaluate<readonly (readonly string[])[]>(`
    [...document.querySelectorAll('.bar')].map((bar) => {
      const { left, right } = bar.getBoundingClientRect()
      const row = bar.closest('.days > li').getBoundingClientRect().top
      const days = [...document.querySelectorAll('.days > li')].filter((day) => {
        const box = day.getBoundingClientRect()
        return box.top === row && (box.left + box.right) / 2 > left && (box.left + box.right) / 2 < right
      })
      return [bar.textContent.replace(/ ?\\(.*/, ''), ...days.map((day) => day.querySelector('time').dateTime.slice(5))]
    })`)
  const overlaps = await page.evaluate<readonly string[]>(`
    (() => {
      const boxes = [...document.querySelectorAll('.day-head, .days li a, .days .more, .days summary')].filter((one) => !one.matches('.day-link, .rest a'))
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
      return boxes.flatMap(({ one, box }, place) => boxes.slice(place + 1)
        .filter(({ box: other, one: two }) => !one.contains(two) && box.left < other.right - 1 && other.left < box.right - 1
          && box.top < other.bottom - 1 && other.top < box.bottom - 1)
        .map(({ one: two }) => one.textContent + ' / ' + two.textContent))
    })()`)

  const bars = covered.map(([title = '', ...days]) => [title.trim(), days[0], days.at(-1)])
  assert.deepEqual(bars.slice(0, 3), [
    ['Exhibition of winter photographs', '12-30', '01-05'],
    ['Exhibition of winter photographs', '01-06', '01-08'],
    ['6p Festival', '01-18', '01-19'],
  ])
  assert.deepEqual(overlaps, [])
})

test('a whole month is on the first screen, in cells of equal height that hold what is in them', async (t) => {
  const { page } = await open(t, '/events/month/2030-01/')

  const { bottom, heights, over } = await page.evaluate<{
    bottom: number
    heights: number[]
    over: string[]
  }>(`(() => {
      const days = [...document.querySelectorAll('.days > li')]
      return {
        bottom: document.querySelector('.days').getBoundingClientRect().bottom,
        heights: [...new Set(days.map((day) => Math.round(day.getBoundingClientRect().height)))],
        over: days.flatMap((day) => [...day.querySelectorAll(':is(a, summary):not(.rest a)')]
          .filter((one) => one.getBoundingClientRect().bottom > day.getBoundingClientRect().bottom)
          .map((one) => one.textContent)),
      }
    })()`)

  assert.ok(bottom <= 900, String(bottom))
  assert.equal(heights.length, 1, heights.join())
  assert.deepEqual(over, [])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 1280)
})

test('on a phone a month is small, and the events of the chosen day stand below it', async (t) => {
  const { page, origin, faults } = await open(t, '/events/month/', phone)
  const agenda = page.locator('[data-agenda]')
  const inGrid = page.locator('[data-days] ul').filter({ visible: true })

  await page.getByRole('heading', { level: 2, name: 'Tuesday, January 15', exact: true }).waitFor()
  assert.deepEqual(await agenda.getByRole('link').allTextContents(), ['Concert'])
  assert.match(await agenda.ariaSnapshot(), /heading "Tuesday.*time: 7.*heading "Concert".*Old Hall, Laval/s)
  assert.equal(await inGrid.count(), 0)
  assert.ok(((await page.locator('[data-days]').boundingBox())?.height ?? 999) < 350)

  await page.getByRole('link', { name: /^Tuesday, January 22/ }).click()
  await agenda.getByRole('link', { name: 'Reading' }).waitFor()
  assert.match(page.url(), /\/events\/month\/\?day=2030-01-22$/)
  await page.locator('[data-status]', { hasText: /^Tuesday, January 22$/ }).waitFor({ state: 'attached' })
  await page.reload()
  await agenda.getByRole('link', { name: 'Reading' }).waitFor()
  assert.equal(await page.locator('.chosen').count(), 1)

  await page.goto(`${origin}/events/month/2030-02/`)
  await page.getByRole('heading', { level: 2, name: 'Friday, February 1', exact: true }).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  assert.equal(await page.evaluate(overflow), 0)
  assert.deepEqual(faults, [])
})

test('another month is chosen by keys: nothing changes while one types, the button or Enter leads there', async (t) => {
  const { page, faults } = await open(t, '/events/month/2030-01/?search=reading')
  const field = page.getByLabel('Go to month')
  const headings = page.getByRole('heading', { level: 1 })

  await field.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('2027')
  assert.equal(await field.inputValue(), '2027-03')
  assert.match(page.url(), /\/events\/month\/2030-01\/\?search=reading$/)
  assert.deepEqual(await headings.allTextContents(), ['January 2030'])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'March 2027' }).waitFor()
  assert.match(page.url(), /\/events\/month\/2027-03\/\?search=reading$/)
  await field.fill('2030-02')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'February 2030' }).waitFor()
  assert.match(page.url(), /\/events\/month\/2030-02\/\?search=reading$/)
  assert.deepEqual(faults, [])
})

test('on phones the field for months is shown whole, and the views and the language stand in one row', async (t) => {
  const { page, origin } = await open(t, '/events/month/2030-09/', phone)
  for (const [path, width] of [
    ['/events/month/2030-09/', 320],
    ['/fr/events/month/2030-09/', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${origin}${path}`)
    const [isCut, size] = await page.evaluate<readonly [boolean, string]>(
      "((one) => [one.scrollWidth > one.clientWidth || one.clientWidth < 170, getComputedStyle(one).fontSize])(document.querySelector('#month'))",
    )
    const tops = await page
      .locator('.views, .language')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))

    assert.deepEqual([isCut, size], [false, '16px'], path)
    assert.equal(tops[0], tops[1], path)
  }
})

test('without scripts everything of a month is reached by links', async (t) => {
  const { page } = await open(t, '/events/month/2030-01/', { ...phone, javaScriptEnabled: false })

  await page.getByRole('link', { name: /^Tuesday, January 22/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Tuesday, January 22, 2030' }).waitFor()
  await page.goBack()
  await page.setViewportSize({ width: 1280, height: 900 })

  const links = page.locator('[data-days] a:not(.rest a)')
  assert.equal(await links.filter({ visible: true }).count(), await links.count())
  for (const rest of await page.locator('.rest').all()) {
    await rest.locator('summary').click()
    const [named, ...more] = await rest.locator(':is(summary, .more)').allTextContents()
    const count = (text = '0') => Number.parseInt(text, 10)
    assert.equal(await page.locator('.rest[open] a').filter({ visible: true }).count(), await rest.locator('a').count())
    assert.equal(count(named), (await rest.locator('li').count()) + count(more[0]))
  }
  assert.equal(await page.locator('[data-days] [tabindex]').count(), 0)
  assert.equal(await page.locator('.agenda').isVisible(), false)
})

test('a month narrowed while one types keeps its filters on the way to others', async (t) => {
  const { page, faults } = await open(t, '/events/month/2030-01/')

  await page.getByRole('searchbox').fill('reading')
  await page.waitForURL(/search=reading/)
  await page.locator('[data-days] ul a').filter({ hasText: 'Concert' }).waitFor({ state: 'detached' })
  assert.deepEqual(await page.locator('[data-days] ul a').allTextContents(), ['7p Reading'])
  await page.getByRole('link', { name: 'Next month: February 2030' }).click()
  await page.getByRole('heading', { level: 1, name: 'February 2030' }).waitFor()
  assert.match(page.url(), /\/2030-02\/\?search=reading$/)
  await page
    .getByRole('link', { name: /Without the filters, the next one is|The next one/ })
    .waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})

test('in forced colours the lines, the dates and today are seen', async (t) => {
  const { page } = await open(t, '/events/month/2030-01/', { forcedColors: 'active' })
  const styles = (selector: string) =>
    page.evaluate<Readonly<Record<string, string>>>(`(() => {
      const { borderBottomWidth, borderTopColor, backgroundColor, color } = getComputedStyle(document.querySelector('${selector}'))
      return { borderBottomWidth, borderTopColor, backgroundColor, color }
    })()`)

  const day = await styles('[data-days] > li:nth-child(10)')
  const usual = await styles('[data-days] > li:nth-child(10) .day-link')
  const today = await styles('[data-days] .today .day-link')
  const bar = await styles('.bar a')

  assert.deepEqual([day.borderBottomWidth, bar.borderBottomWidth], ['1px', '1px'])
  assert.notEqual(usual.color, usual.backgroundColor)
  assert.notEqual(today.borderTopColor, usual.borderTopColor)
  await screenshot(page, 'month-forced-colours', { isWhole: true })
})

test('a month is printed on one sheet, light, with its address and without hints', async (t) => {
  const { page, origin } = await open(t, '/events/month/2030-01/', { colorScheme: 'dark' })
  const sheets = async (format: string) => {
    const file = await page.pdf({ format, preferCSSPageSize: true })
    return file.toString('latin1').match(/\/Type \/Page\b/g)?.length
  }

  assert.deepEqual([await sheets('A4'), await sheets('Letter')], [1, 1])
  await page.emulateMedia({ media: 'print' })
  await screenshot(page, 'month-print')
  for (const hidden of ['.views', '.steps', '.filters', '.keys', '.agenda', '.language', '.skip'])
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
  assert.equal(await page.locator('.printed-address').textContent(), `Town Calendar, ${origin}/events/month/2030-01/`)
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), 'rgb(255, 255, 255)')
})
