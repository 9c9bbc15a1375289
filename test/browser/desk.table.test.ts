import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenEvent, givenVenue } from '../support/given.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

const laptop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

test('the first screen of the table has ten events, and the head of the page is one line', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const hall = await givenVenue(app, { venue: 'Maison de la culture du Vieux-Saint-Vincent' })
  for (let day = 10; day < 25; day += 1) {
    const title = `Concert in the park, number ${day}`
    await givenEvent(app, {
      title,
      start_date: `2030-05-${day} 19:00`,
      end_date: `2030-05-${day} 21:00`,
      venue: hall.id,
    })
  }
  const measure = async (path: string) => {
    await page.goto(`${url}${path}/admin/events/?from=2030-05-01`)
    return page.evaluate<{ head: number; find: number; rows: number; width: number; tall: number }>(`(() => {
      const rows = [...document.querySelectorAll('.events tbody tr')].map((one) => one.getBoundingClientRect())
      return {
        head: document.querySelector('header').getBoundingClientRect().height,
        find: document.querySelector('#find').getBoundingClientRect().width,
        rows: rows.filter(({ bottom }) => bottom <= innerHeight).length,
        width: document.documentElement.scrollWidth,
        tall: Math.max(...rows.map(({ height }) => height)),
      }
    })()`)
  }
  for (const path of ['', '/fr']) {
    await page.setViewportSize(laptop)
    const wide = await measure(path)
    await screenshot(page, `desk-table${path.replace('/', '-')}`)
    assert.ok(wide.head <= 64 && wide.rows >= 10 && wide.tall <= 52 && wide.width === 1280, JSON.stringify(wide))
    assert.ok(wide.find >= 144, JSON.stringify(wide))
    await page.setViewportSize(phone)
    const narrow = await measure(path)
    await screenshot(page, `desk-table-phone${path.replace('/', '-')}`)
    assert.ok(narrow.head <= 57 && narrow.tall <= 104 && narrow.width === 390, JSON.stringify(narrow))
    assert.deepEqual(await violationsOf(page), [])
  }
  assert.deepEqual(faults, [])
})

test('the search answers while somebody types, and its answers are reached by the arrow keys', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const fair = await givenEvent(app, { title: 'Harvest fair' })
  await page.goto(`${url}/admin/venues/`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('harv')
  const answers = page.getByRole('region', { name: 'Results for “harv”' })
  await answers.getByRole('link', { name: 'Harvest fair' }).waitFor()
  assert.match((await page.locator('.find [role=status]').textContent()) ?? '', /Events: 1/)
  assert.deepEqual(await violationsOf(page), [])
  await page.keyboard.press('Escape')
  await answers.waitFor({ state: 'hidden' })
  await page.keyboard.type('e')
  await page.getByRole('region', { name: 'Results for “harve”' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/admin/events/${fair.id}/`)
  for (const key of ['/', 'Control+k']) {
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.goto(`${url}/admin/venues/`)
    await page.keyboard.press(key)
    await page.keyboard.type('harv')
    await answers.waitFor()
  }
  assert.deepEqual(faults, [])
})

test('the box in the head selects the list, and the bar shows only while something is selected', async (t) => {
  const { app, url, page } = await startDesk(t, { javaScriptEnabled: false })
  await givenEvent(app, { title: 'Fair', start_date: '2030-05-01 10:00', end_date: '2030-05-01 11:00' })
  await givenEvent(app, { title: 'Film', start_date: '2030-05-02 10:00', end_date: '2030-05-02 11:00' })
  await page.goto(`${url}/admin/events/?from=2030-05-01`)
  const go = page.getByRole('button', { name: 'Back to draft' })
  assert.equal(await go.isVisible(), false)
  await page.getByRole('checkbox', { name: /^All\s2\sevents of the list$/ }).check()
  await go.click()
  await page.getByRole('heading', { name: /2\sevents/ }).waitFor()
  await page.goto(`${url}/admin/events/?from=2030-05-01`)
  await page.getByRole('button', { name: 'Actions: Fair' }).click()
  await page.getByRole('link', { name: 'Quick edit: Fair' }).waitFor()
})

test('on a phone without scripts, the table is sorted, and all of it is selected', async (t) => {
  const { app, url, page } = await startDesk(t, { javaScriptEnabled: false })
  await page.setViewportSize(phone)
  for (const [title, day] of Object.entries({ Film: '01', Art: '02' }))
    await givenEvent(app, { title, start_date: `2030-05-${day} 10:00`, end_date: `2030-05-${day} 11:00` })
  const titles = () => page.locator('.events tbody th > a').allTextContents()

  await page.goto(`${url}/admin/events/?from=2030-05-01`)
  assert.deepEqual(await titles(), ['Film', 'Art'])
  await page.getByRole('link', { name: 'Title', exact: true }).click()
  await page.waitForURL(/sort=title/)
  assert.deepEqual(await titles(), ['Art', 'Film'])
  await page
    .getByText(/^All\s2\sevents of the list$/)
    .filter({ visible: true })
    .first()
    .click()
  await page.getByRole('button', { name: 'Back to draft' }).waitFor()
})

test('on a phone, nothing lies over the title of an event in the trash', async (t) => {
  const { app, url, page } = await startDesk(t)
  await page.setViewportSize(phone)
  await givenEvent(app, { title: 'A concert with a title that needs two lines', status: 'trash' })
  await page.goto(`${url}/admin/events/?status=trash`)
  const boxOf = async (one: string) => (await page.locator(one).boundingBox()) ?? assert.fail(one)

  const [title, button] = [await boxOf('.events tbody th'), await boxOf('.events .actions button')]
  assert.ok(button.y >= title.y + title.height, JSON.stringify({ title, button }))
})

test('a menu of the head closes by Escape, and by a click beside it', async (t) => {
  const { url, page } = await startDesk(t)
  await page.goto(`${url}/admin/`)
  const [menu, rows] = [page.getByLabel('More ways to add events'), page.getByRole('link', { name: 'Events from a' })]

  await menu.click()
  await rows.focus()
  await page.keyboard.press('Escape')
  await rows.waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'More ways to add events')
  await menu.click()
  await page.getByRole('heading', { level: 1 }).click()
  await rows.waitFor({ state: 'hidden' })
})
