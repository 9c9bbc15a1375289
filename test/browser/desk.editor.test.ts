import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { signInAtDesk, startDesk } from './desk.window.ts'

test('nothing typed is lost when the connection fails or the session ends, and a draft is saved by itself', async (t) => {
  const { app, url, browser, faults, page } = await startDesk(t)
  const state = (name: string) => page.locator(`[data-autosave][data-state=${name}]`).waitFor()
  const drafts = async () => {
    const lists = ['en', 'fr-CA'].map(async (language) => {
      const path = `/events?status=draft&start_date=2000-01-01&ml_language=${language}`
      const { body } = await app.send({ as: 'editor', path })
      return body.events.map((event: { readonly title: string }) => event.title)
    })
    return (await Promise.all(lists)).flat()
  }
  await page.goto(`${url}/admin/events/new/`)
  await page.getByLabel('Title').first().fill('Concert')
  await state('incomplete')
  await page.getByLabel('Start', { exact: true }).fill('Feb 1, 2030, 7pm')
  await page.getByLabel('End', { exact: true }).fill('9 p.m.')
  await state('saved')
  assert.match(page.url(), /\/admin\/events\/\d+\/$/)
  assert.match((await page.locator('[data-state=saved]').textContent()) ?? '', /\d{1,2}:\d\d\s[ap]\.m\./)
  assert.deepEqual(await drafts(), ['Concert'])

  // The connection fails, and comes back.
  await page.route('**/admin/events/**', (route) => route.abort('connectionrefused'))
  await page.getByLabel('Title').nth(1).fill('Le concert')
  await state('offline')
  await page.unroute('**/admin/events/**')
  await page.evaluate("dispatchEvent(new Event('online'))")
  await state('saved')
  assert.deepEqual(await drafts(), ['Concert', 'Le concert'])

  // The session ends while the text is written. The same person signs in again in another tab.
  const cookies = await browser.cookies()
  await browser.clearCookies()
  await page.getByLabel('Title').first().fill('Concert in the park')
  await state('signed-out')
  await screenshot(page, 'desk-editor-signed-out')
  const other = await browser.newPage()
  await signInAtDesk(other, url)
  await other.close()
  assert.notDeepEqual(await browser.cookies(), cookies)
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await state('saved')
  assert.deepEqual(await drafts(), ['Concert in the park', 'Le concert'])

  // The browser is closed before anything is saved.
  await page.route('**/admin/events/**', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  )
  await page.getByLabel('Title').first().fill('Concert at night')
  await state('offline')
  await page.reload()
  assert.equal(await page.getByLabel('Title').first().inputValue(), 'Concert in the park')
  await page.unroute('**/admin/events/**')
  assert.deepEqual(await violationsOf(page), [])
  await page.getByRole('button', { name: 'Put it back' }).click()
  assert.equal(await page.getByLabel('Title').first().inputValue(), 'Concert at night')
  await screenshot(page, 'desk-editor-draft', { isWhole: true })
  await page.setViewportSize({ width: 820, height: 1100 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await screenshot(page, 'desk-editor-tablet-dark', { isWhole: true })
  // In a field or a box, the Enter key presses no button that does something, and what is typed later is still saved.
  await page.evaluate(`globalThis.pressed = []
    addEventListener('click', ({ target }) => {
      if (target.type === 'submit' && target.formMethod !== 'dialog') pressed.push(target.textContent)
    }, true)`)
  for (const field of [page.getByLabel('Title').first(), page.locator('input[type=checkbox][name]').first()])
    await field.press('Enter')
  assert.deepEqual(await page.evaluate('pressed'), [])
  const saved = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByLabel('Title').first().fill('Concert by night')
  await (await saved).finished()
  assert.deepEqual(await drafts(), ['Concert by night', 'Le concert'])
  await page.getByLabel('Title').first().fill('Concert at night')
  await page.keyboard.press('Control+Enter')
  await page.getByText('” is public.').waitFor()
  const { body } = await app.send({ path: '/events' })
  assert.deepEqual(
    body.events.map((event: { title: string }) => event.title),
    ['Concert at night'],
  )
  assert.equal(await page.evaluate('Object.keys(localStorage).length'), 0)

  assert.deepEqual(
    faults.filter((fault) => !/ERR_CONNECTION_REFUSED|status of (?:403|422)/.test(fault)),
    [],
  )
})
