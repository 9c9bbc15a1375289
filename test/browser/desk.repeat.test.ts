import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestApp } from '../support/app.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

/** Moves the focus with the Tab key until it is on a field with this id. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let steps = 0; steps < 120; steps += 1) {
    if ((await page.evaluate('document.activeElement?.id')) === id) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${id}.`)
}

async function listDays(app: TestApp): Promise<readonly string[]> {
  const { body } = await app.send({ path: '/events?start_date=2029-01-01&end_date=2040-01-01&per_page=50' })
  return body.events.map(({ start_date: start }: { readonly start_date: string }) => start.slice(0, 10))
}

/** Whether the page fits into the window. */
async function fitsWidth(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')) === true
}

test('an event repeats by keyboard alone, with its dates shown while they are typed', async (t) => {
  const { app, url, page, faults } = await startDesk(t)

  await page.goto(`${url}/admin/events/new/`)
  await tabTo(page, 'f-title.en')
  await page.keyboard.type('Story time')
  await tabTo(page, 'f-start')
  await page.keyboard.type('Feb 1, 2030, 7pm')
  await tabTo(page, 'f-end')
  await page.keyboard.type('8 p.m.')
  await tabTo(page, 'f-repeat')
  await page.keyboard.type('Every two')
  await tabTo(page, 'f-repeat_ends')
  await page.keyboard.type('After')
  await tabTo(page, 'f-repeat_count')
  await page.keyboard.type('4')
  await page.getByText('4 dates: every second Friday, 4 times').first().waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await screenshot(page, 'desk-repeat-editor', { isWhole: true })

  const leave = page.getByRole('button', { name: /Leave out.*March 1,/ })
  await leave.focus()
  await page.keyboard.press('Enter')
  await page.getByText('3 dates: every second Friday, 4 times, except 1 date').first().waitFor()
  assert.equal(await page.evaluate('document.activeElement?.id'), 'f-repeat_except')

  await page.setViewportSize({ width: 320, height: 720 })
  assert.equal(await fitsWidth(page), true)
  await page.locator('.repeat').scrollIntoViewIfNeeded()
  await screenshot(page, 'desk-repeat-phone')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.keyboard.press('Control+Enter')
  // Only one language is written.
  await page.getByRole('button', { name: 'Publish anyway' }).click()
  await page.getByText('” is public.').waitFor()
  assert.deepEqual(await listDays(app), ['2030-02-01', '2030-02-15', '2030-03-15'])

  // A date is changed, and the editor asks which dates are meant.
  await page.getByRole('link', { name: /Next date/ }).click()
  await page.getByLabel('Title').first().fill('Story time outside')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Which dates do you mean?' }).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await screenshot(page, 'desk-repeat-scope')
  await page.getByRole('radio', { name: 'This date only' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Changed on this date only').waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await screenshot(page, 'desk-repeat-date')

  await page.getByRole('link', { name: 'All dates of the series' }).click()
  await page.getByRole('heading', { name: 'Series: Story time' }).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await screenshot(page, 'desk-repeat-series', { isWhole: true })
  await page.setViewportSize({ width: 320, height: 720 })
  assert.equal(await fitsWidth(page), true)
  await screenshot(page, 'desk-repeat-series-phone')

  await page.goto(`${url}/fr/admin/events/?from=`)
  await page.locator('summary', { hasText: 'un vendredi sur deux' }).click()
  assert.equal(await fitsWidth(page), true)
  await page.setViewportSize({ width: 1280, height: 900 })
  assert.deepEqual(await violationsOf(page), [])
  await screenshot(page, 'desk-repeat-table')
  await page.goto(`${url}/admin/calendar/?month=2030-02`)
  await screenshot(page, 'desk-repeat-month')
  assert.deepEqual(faults, [])
})

test('the list of dates waits while a person uses it, and addresses that cannot be checked are said', async (t) => {
  const { url, page, faults } = await startDesk(t)
  await page.goto(`${url}/admin/events/new/`)
  await page.getByLabel('Start', { exact: true }).fill('Feb 1, 2030, 7pm')
  await page.getByLabel('End', { exact: true }).fill('8 p.m.')
  await page.locator('#f-repeat').selectOption('weekly')
  await page.locator('#f-repeat_ends').selectOption('count')
  await page.locator('#f-repeat_count').fill('20')
  await page.getByText('20 dates: every Friday, 20 times').first().waitFor()
  await page.locator('.repeat-dates summary').click()

  await page.locator('#f-repeat_count').fill('21')
  const answer = page.waitForResponse((one) => one.request().postData()?.includes('live-dates') === true)
  const leave = page.getByRole('button', { name: /Leave out.*March 1,/ })
  await leave.focus()
  await (await answer).finished()
  await page.evaluate('new Promise((done) => setTimeout(done))')
  assert.match((await page.evaluate<string>('document.activeElement?.textContent')) ?? '', /Leave out.*March 1,/)
  assert.match(await page.locator('.repeat-dates').innerText(), /^20 dates/)
  await page.locator('#f-repeat_count').focus()
  await page.getByText('21 dates: every Friday, 21 times').first().waitFor()
  assert.equal(await page.evaluate('document.querySelector(".repeat-dates details").open'), true)

  await page.route('**/admin/events/**', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Check links' }).click()
  await page.getByText('The addresses could not be checked. Try again.').waitFor()
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('ERR_CONNECTION_REFUSED')),
    [],
  )
})
