import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { givenDatabaseUrl } from '../support/database.ts'
import { durabilityEnvironment } from '../support/durability.ts'
import { givenEvent } from '../support/given.ts'
import { adminAuthorization } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'
import { goodPassword } from '../support/signing.ts'
import { screenshot, startChromium } from './chromium.ts'
import { startDesk } from './desk.window.ts'

const titleIn = (page: Page) => page.locator('[id="f-title.en"]')
const stateOf = (page: Page, name: string) => page.locator(`[data-autosave][data-state=${name}]`).waitFor()

/** Whether the browser keeps nothing that is not saved. */
const isAllSaved = (page: Page) => page.evaluate<boolean>('localStorage.length === 0')

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Name or email').fill('editor')
  await page.getByLabel('Password').fill(goodPassword)
  await page.keyboard.press('Enter')
}

async function fillNew(page: Page, title: string): Promise<void> {
  await page.getByLabel('Start', { exact: true }).fill('Feb 1, 2030, 7pm')
  await page.getByLabel('End', { exact: true }).fill('9 p.m.')
  await titleIn(page).fill(title)
}

/** Ends the service as a loss of power does, some turns after the browser has sent a draft. */
async function killAtNextDraft(page: Page, { child }: Served, turns: number): Promise<void> {
  await page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/admin/events/'))
  for (let left = turns; left > 0; left -= 1) await turn()
  const isOver = once(child, 'exit')
  child.kill('SIGKILL')
  await isOver
}

test('a server that is killed while it saves a draft loses nothing that was typed, and saves it once', async (t) => {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) return t.skip('PGlite serves one process only.')
  const shell = await startShell(t)
  const environment = { ...durabilityEnvironment, DATABASE_URL: url }
  let service = await shell.serve([], environment)
  const { origin, port } = new URL(service.api)
  const made = await shell.run(['user', 'account-password', 'admin'], environment, { input: `${goodPassword}\n` })
  assert.equal(made.exitCode, 0, made.err)
  const browser = await startChromium(t, { viewport: { width: 1280, height: 900 }, locale: 'en-CA' })
  const page = await browser.newPage()
  await page.goto(`${origin}/admin/sign-in/`)
  await page.getByLabel('Name or email').fill('admin')
  await page.getByLabel('Password').fill(goodPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  await page.goto(`${origin}/admin/events/new/`)

  // Before the first draft is stored, while it is, and after that: each kill meets another moment.
  for (const [round, turns] of [0, 40, 400].entries()) {
    const killed = killAtNextDraft(page, service, turns)
    if (round === 0) await fillNew(page, `Concert ${round}`)
    else await titleIn(page).fill(`Concert ${round}`)
    await killed
    await titleIn(page).fill(`Concert ${round}, and more`)
    await stateOf(page, 'offline')
    service = await shell.serve(['--port', port], environment)
    await page.evaluate("dispatchEvent(new Event('online'))")
    while (!(await isAllSaved(page))) await turn()
    const headers = { authorization: adminAuthorization }
    const path = `${service.api}/events?status=draft&start_date=2030-01-01&end_date=2031-01-01`
    const { events } = (await (await fetch(path, { headers })).json()) as { events: { title: string }[] }
    assert.deepEqual(
      events.map(({ title }) => title),
      [`Concert ${round}, and more`],
    )
  }
})

test('a network that is lost for a minute loses nothing that was typed, and the draft is saved when it is back', async (t) => {
  const { app, url, browser, page } = await startDesk(t)
  await page.clock.install()
  await page.goto(`${url}/admin/events/new/`)
  await fillNew(page, 'Concert')
  await page.clock.runFor(1000)
  await stateOf(page, 'saved')
  let failed = 0
  page.on('requestfailed', () => {
    failed += 1
  })

  await browser.setOffline(true)
  await titleIn(page).fill('Concert in the park')
  await page.clock.runFor(1000)
  await stateOf(page, 'offline')
  for (let second = 10; second <= 60; second += 10) {
    await page.locator('[id="f-description.en"]').fill(`Typed for ${second} seconds.`)
    const before = failed
    await page.clock.runFor(10_000)
    while (failed === before) await page.evaluate('new Promise((done) => queueMicrotask(done))')
  }
  await screenshot(page, 'desk-editor-offline')
  const kept = await page.evaluate<string>('JSON.stringify(localStorage)')
  await browser.setOffline(false)
  await page.evaluate("dispatchEvent(new Event('online'))")
  // What was typed after the request that failed first is saved by the next one.
  while (!(await isAllSaved(page))) await page.clock.runFor(500)
  await stateOf(page, 'saved')

  const { body } = await app.send({ as: 'editor', path: '/events?status=draft&start_date=2000-01-01' })
  assert.ok(failed >= 6 && failed <= 20, `${failed} attempts`)
  assert.match(kept, /Typed for 60 seconds/)
  assert.deepEqual([body.events.length, body.events[0].title], [1, 'Concert in the park'])
  assert.match(body.events[0].description, /Typed for 60 seconds/)
})

test('what is shown again after signing in, or with a fault, is still kept if the page is closed', async (t) => {
  const { app, url, browser, page } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Concert' })

  const closeAndPutBack = async (own: Page): Promise<string> => {
    await own.close()
    const next = await browser.newPage()
    await next.goto(`${url}/admin/events/${id}/`)
    await next.getByRole('button', { name: 'Put it back' }).click()
    const value = await titleIn(next).inputValue()
    await next.close()
    return value
  }
  await page.goto(`${url}/admin/events/${id}/`)
  await titleIn(page).fill('Concert in the park')
  await page.getByLabel('Start', { exact: true }).fill('no day')
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Put it back' }).isVisible(), false)
  assert.equal(await closeAndPutBack(page), 'Concert in the park')

  const other = await browser.newPage()
  await other.goto(`${url}/admin/events/${id}/`)
  await other.getByRole('button', { name: 'Discard it' }).click()
  await titleIn(other).fill('Concert in the hall')
  await browser.clearCookies()
  await other.keyboard.press('Control+s')
  await other.getByLabel('Password').waitFor()
  await signIn(other)
  await titleIn(other).waitFor()
  assert.equal(await closeAndPutBack(other), 'Concert in the hall')
  assert.equal((await app.send({ path: `/events/${id}` })).body.title, 'Concert')
})

test('a session that ends in the middle of a text loses nothing of an event that is public', async (t) => {
  const { app, url, browser, page } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Concert', description: 'Old' })
  const typed = { text: `A long text. ${'More of it. '.repeat(400)}`.trim(), french: 'Un concert <b>au parc</b>' }
  await page.goto(`${url}/admin/events/${id}/`)
  await page.locator('[id="f-description.en"]').fill(typed.text)
  await page.locator('[id="f-title.fr-CA"]').fill(typed.french)
  await page.getByLabel('All day').check()

  await browser.clearCookies()
  await page.keyboard.press('Control+s')
  await page.getByLabel('Password').waitFor()
  await screenshot(page, 'desk-editor-session-ended')
  await signIn(page)
  await page.locator('[id="f-title.fr-CA"]').waitFor()
  assert.ok((await page.locator('[name="description.en"]').inputValue()).includes(typed.text))
  assert.equal(await page.locator('[id="f-title.fr-CA"]').inputValue(), typed.french)
  assert.equal((await app.send({ path: `/events/${id}` })).body.all_day, false)
  await page.keyboard.press('Control+s')
  await page.getByText('” is saved.').waitFor()

  const read = async (language: string) => (await app.send({ path: `/events?ml_language=${language}` })).body.events[0]
  const [english, french] = [await read('en'), await read('fr-CA')]
  assert.ok(english.description.includes(typed.text))
  assert.deepEqual([english.all_day, french.title], [true, typed.french])
  assert.equal(await page.evaluate('Object.keys(localStorage).length'), 0)
})
