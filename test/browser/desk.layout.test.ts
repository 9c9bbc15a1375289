import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { givenEvent } from '../support/given.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

const names = ['title.en', 'title.fr-CA', 'start', 'end', 'repeat', 'venue']

interface Measured {
  readonly height: number
  readonly overflow: number
  readonly inSight: readonly string[]
  readonly isPublishInSight: boolean
  readonly focus: string
}

const measured = (page: Page) =>
  page.evaluate<Measured>(`(() => {
    const isInSight = (one) => {
      const { top, bottom, height } = one.getBoundingClientRect()
      return height > 0 && top >= 0 && bottom <= innerHeight
    }
    return {
      height: document.documentElement.scrollHeight,
      overflow: document.documentElement.scrollWidth - innerWidth,
      inSight: ${JSON.stringify(names)}.filter((name) => isInSight(document.getElementById('f-' + name))),
      isPublishInSight: isInSight(document.querySelector('.save-bar button')),
      focus: document.activeElement.id,
    }
  })()`)

interface Stop {
  readonly name: string
  readonly isPublish: boolean
  readonly isCovered: boolean
  readonly isInForm: boolean
}

/** Presses Tab through the page. @returns what something else covers, and the stops before the button that publishes. */
async function tabThrough(page: Page) {
  const covered: string[] = []
  let stops = 0
  for (let step = 1; step <= 90; step += 1) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate<Stop>(`(() => {
      const one = document.activeElement
      const { x, y, width, height } = one.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, Math.min(y + height / 2, y + 20))
      return {
        name: one.tagName + ' ' + (one.id || one.textContent),
        isPublish: one.value === 'publish',
        isCovered: !(top && (one.contains(top) || top.contains(one))),
        isInForm: one.closest('.event-editor') !== null,
      }
    })()`)
    if (!at.isInForm) break
    if (at.isCovered) covered.push(at.name)
    if (at.isPublish) stops = step
  }
  return { covered, stops }
}

test('the editor shows what people think of first, and its buttons cover nothing', async (t) => {
  const { app, url, page, faults } = await startDesk(t, { viewport: { width: 1280, height: 800 } })
  for (const place of Array.from({ length: 30 }, (_, index) => index)) {
    await app.send({ as: 'administrator', method: 'POST', path: '/categories', json: { name: `Category ${place}` } })
  }
  const { id } = await givenEvent(app, { title: 'Fair', description: 'Text' })
  for (const path of ['/admin/events/new/', '/fr/admin/events/new/']) {
    await page.goto(`${url}${path}`)
    await page.locator('.rich-bar').nth(1).waitFor()
    const wide = await measured(page)
    assert.ok(wide.height <= 1500, `${path} is ${wide.height} pixels high`)
    assert.deepEqual([wide.inSight, wide.isPublishInSight, wide.overflow], [names, true, 0])
    assert.match(wide.focus ?? '', /^f-title/)
    const { covered, stops } = await tabThrough(page)
    assert.deepEqual(covered, [])
    assert.ok(stops > 0 && stops <= 12, `${stops} stops`)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.locator('.rich-bar').first().waitFor({ state: 'attached' })
    const narrow = await measured(page)
    assert.ok(narrow.height <= 3000, `${path} is ${narrow.height} pixels high on a phone`)
    assert.deepEqual([narrow.overflow, narrow.isPublishInSight], [0, true])
    assert.deepEqual((await tabThrough(page)).covered, [])
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  const series = await givenEvent(app, { title: 'Chess', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=10' } })
  for (const language of ['', '/fr']) {
    for (const path of [`/admin/events/${id}/`, `/admin/events/${series.id}/`]) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(`${url}${language}${path}`)
      await page.locator('.rich-bar').nth(1).waitFor()
      const { height, overflow } = await measured(page)
      assert.ok(height <= 1500 && overflow === 0, `${language}${path} is ${height} pixels high`)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${url}${language}/admin/events/${series.id}/`)
    await page.locator('.rich-bar').nth(1).waitFor({ state: 'attached' })
    const phone = await measured(page)
    assert.ok(phone.height <= 3000, `A date of a series is ${phone.height} pixels high on a phone`)
    assert.deepEqual([phone.overflow, phone.isPublishInSight], [0, true])
    assert.deepEqual((await tabThrough(page)).covered, [])
    // The button that saves a row of the table is in the first screen.
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(`${url}${language}/admin/events/${id}/quick/`)
      const { y = 0, height: high = 0 } = (await page.locator('.short .buttons button').boundingBox()) ?? {}
      assert.ok(high > 0 && y + high <= height, `Save ends at ${y + high} of ${height} (${language} ${width})`)
      await screenshot(page, `desk-quick-${language.slice(1)}-${width}`)
    }
  }
  assert.deepEqual(faults, [])
})

test('an event is public in under 40 keys, and Enter in a field sends nothing', async (t) => {
  const { app, page } = await startDesk(t)
  let keys = 0
  const press = async (...all: readonly string[]) => {
    for (const key of all) await page.keyboard.press(key)
    keys += all.length
  }
  await press('n')
  await page.waitForURL('**/admin/events/new/')
  await page.locator('[id^="f-title"]:focus').waitFor()
  await press(...'Fair', 'Enter', 'Tab', 'Tab', 'Tab', ...'5 mar 2030 7pm')
  assert.match(page.url(), /new\/$/)
  await page.getByText('Tuesday, March 5, 2030, 7 p.m.').waitFor()
  // The draft may be saved by itself meanwhile.
  await press('Control+Enter')
  await page.getByText('Still empty: Title (Canadian French)').waitFor()
  await press('Enter')
  await page.getByText('” is public.').waitFor()
  const { body } = await app.send({ path: '/events?start_date=2030-01-01' })

  assert.ok(keys < 40, `${keys} keys`)
  assert.deepEqual([body.events[0].title, body.events[0].start_date], ['Fair', '2030-03-05 19:00:00'])
  const link = page.locator('.notice').getByRole('link', { name: 'View' })
  assert.match((await link.getAttribute('href')) ?? '', /\/event\/fair\/$/)
})

test('remarks beside fields come and go with what is typed, and categories are found by typing', async (t) => {
  const { app, url, page } = await startDesk(t)
  for (const name of ['Art', 'Books', 'Chess', 'Dance', 'Éducation', 'Food', 'Games', 'Hikes', 'Ice', 'Jazz'])
    await app.send({ as: 'administrator', method: 'POST', path: '/categories', json: { name } })
  await page.goto(`${url}/admin/events/new/`)
  const start = page.getByLabel('Start', { exact: true })
  await page.getByLabel('Title').first().fill('Fair')
  await page.getByLabel('Title').nth(1).fill('Foire')
  await start.fill('5 brumaire')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const remark = page.locator('#x-start')
  await remark.waitFor()
  assert.match((await remark.textContent()) ?? '', /Fri 7:30pm/)
  await page.getByLabel('Start', { exact: true }).fill('5 mar 2030 7pm')
  await page.getByText('Tuesday, March 5, 2030, 7 p.m.').waitFor()
  await remark.waitFor({ state: 'detached' })
  assert.equal(await page.locator('main .faults').count(), 0)
  assert.equal(await start.getAttribute('aria-invalid'), null)
  await page.getByLabel('End', { exact: true }).fill('9 brumaire')
  await page.getByLabel('End', { exact: true }).blur()
  await page.locator('#x-end').waitFor()

  await page.getByLabel('Find a category').fill('educ')
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.locator('#f-categories :focus').count(), 1)
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  assert.equal(await page.locator('#f-categories :focus').count(), 0)
  assert.deepEqual(await page.locator('#f-categories :checked').count(), 1)
})
