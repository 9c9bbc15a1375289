import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createUser } from '../../src/access/auth/user.service.ts'
import { startTestApp } from '../support/app.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'

const wide = { width: 1440, height: 900 }
const phone = { width: 320, height: 800 }
const user = { name: 'editor-in-browser', secret: 'abcd efgh ijkl mnop' }

/** Names of things in the console. */
const languages = [
  {
    path: '/docs',
    lang: 'en',
    title: 'Calendar: API reference',
    heading: 'Calendar events',
    group: 'Open Group - Events',
    operation: 'Lists events',
    tryIt: /^Test Request.*get \/events\)/,
    send: /^Send get request/,
    signIn: /^Authentication/,
    password: 'Password',
    server: '/cal/events/v1',
    other: 'Français',
    otherPath: '/fr/docs',
    colorScheme: 'light',
  },
  {
    path: '/fr/docs',
    lang: 'fr',
    title: 'Calendar : référence de l’API',
    heading: 'Événements du calendrier',
    group: 'Ouvrir le groupe - Événements',
    operation: 'Lister les événements',
    tryIt: /^Tester la requête.*get \/events\)/,
    send: /^Envoyer une requête get/,
    signIn: /^Authentification/,
    password: 'Mot de passe',
    server: '/fr/cal/events/v1',
    other: 'English',
    otherPath: '/docs',
    colorScheme: 'dark',
  },
] as const

interface Watched {
  readonly page: Page
  readonly origin: string
  /** Unwanted events: errors and warnings of the page, and requests that leave the origin. */
  readonly faults: readonly string[]
}

/** Opens a browser for a listening service with one event. */
async function open(t: TestContext, options: Parameters<typeof startChromium>[1]): Promise<Watched> {
  const app = await startTestApp(t)
  await createUser(app.deps, { ...user, role: 'editor', email: 'browser@example.org' })
  await app.send({
    as: 'administrator',
    method: 'POST',
    path: '/events',
    json: { title: 'Concert', start_date: '2030-05-01 19:00:00', end_date: '2030-05-01 21:00:00', timezone: 'UTC' },
  })
  const origin = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const browser = await startChromium(t, options)
  const faults = watchFaults(browser, origin)
  return { page: await browser.newPage(), origin, faults }
}

for (const words of languages) {
  // Opening the reference takes a processor for seconds, so one test sees all that it shows.
  test(`${words.path} shows the interface and tries an operation with the credentials that are typed in, accessibly`, async (t) => {
    const { page, origin, faults } = await open(t, { viewport: wide, colorScheme: words.colorScheme })
    await page.goto(`${origin}${words.path}`)
    await page.getByRole('heading', { name: words.heading, level: 1 }).waitFor()
    await screenshot(page, `docs-${words.lang}`)

    const console = page.getByRole('dialog')
    await t.test('the page, in one of its operations', async () => {
      assert.equal(await page.title(), words.title)
      assert.equal(await page.getAttribute('html', 'lang'), words.lang)
      await page.getByRole('button', { name: words.group }).click()
      await page.getByRole('link', { name: words.operation }).first().click()
      await page.getByRole('button', { name: words.tryIt }).waitFor()
      // What the page showed at first is still above.
      assert.equal(await page.getByRole('heading', { name: words.heading, level: 1 }).count(), 1)
      assert.deepEqual(await violationsOf(page), [])
    })

    await t.test('in the console', async () => {
      await page.getByRole('button', { name: words.tryIt }).click()
      await console.getByRole('button', { name: words.send }).waitFor()
      // Screen readers do not announce what is behind a modal dialog, but this rule counts its landmark all the same.
      const dialog = '[role="dialog"][aria-modal="true"]'
      const inConsole = await violationsOf(page, { within: dialog, without: ['landmark-no-duplicate-main'] })
      await console.getByRole('region', { name: words.signIn }).getByRole('combobox').fill(user.name)
      await console.getByRole('textbox', { name: words.password }).fill(user.secret)
      const [answer] = await Promise.all([
        page.waitForResponse((response) => new URL(response.url()).pathname === `${words.server}/events`),
        console.getByRole('button', { name: words.send }).click(),
      ])
      await console.getByText('200 OK').waitFor()
      await screenshot(page, `docs-${words.lang}-answer`)

      assert.deepEqual(inConsole, [])
      assert.equal(answer.url(), `${origin}${words.server}/events`)
      assert.equal(await answer.request().headerValue('authorization'), `Basic ${btoa(`${user.name}:${user.secret}`)}`)
      assert.equal((await answer.json()).events[0].title, 'Concert')
      await page.keyboard.press('Escape')
      await console.waitFor({ state: 'hidden' })
    })

    if (words.lang === 'en') {
      await t.test('the console creates an event with what it shows, as it is, in each encoding', () =>
        createEvents(page, origin),
      )
    }

    await t.test('on a phone', async () => {
      await page.setViewportSize(phone)
      await screenshot(page, `docs-${words.lang}-phone`)
      const seen = await brightness(page)
      const bar = await page.locator('.bar nav').boundingBox()

      assert.ok(words.colorScheme === 'dark' ? seen < 64 : seen > 192, `the bar is ${seen} of 255`)
      assert.ok(bar && bar.x >= 0 && bar.x + bar.width <= phone.width, JSON.stringify(bar))
      await page.setViewportSize(wide)
    })

    await t.test('the reference in one language leads to that in the other', async () => {
      await page.getByRole('link', { name: words.other, exact: true }).click()
      // The test of the other language sees what it shows.
      await page.waitForURL(({ pathname }) => pathname === words.otherPath, { waitUntil: 'commit' })
    })
    assert.deepEqual(faults, [])
  })

  test(`${words.path} names the guides, the document and the index to browsers without scripts`, async (t) => {
    const { page, origin } = await open(t, { viewport: phone, javaScriptEnabled: false })

    await page.goto(`${origin}${words.path}`)
    const links = await page
      .locator('noscript a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
    const paths = links.map((link) => new URL(link ?? '', page.url()).pathname)

    assert.deepEqual(paths, [
      `${words.path}/guides/`,
      `${words.path}/openapi.json`,
      `${words.path}/service.json`,
      words.server,
    ])
  })
}

/** Creates an event in the console, which remembers the credentials. */
async function createEvents(page: Page, origin: string): Promise<void> {
  await page.getByRole('link', { name: 'Creates an event' }).click()
  await page.getByRole('button', { name: /^Test Request.*post \/events\)/ }).click()
  const console = page.getByRole('dialog')
  for (const [encoding, before] of [
    ['JSON', 'JSON'],
    ['Form URL Encoded', 'JSON'],
    ['Multipart Form', 'Form URL Encoded'],
  ] as const) {
    await console.getByRole('button', { name: before, exact: true }).click()
    await page.getByRole('option', { name: encoding, exact: true }).click()
    const [answer] = await Promise.all([
      page.waitForResponse((response) => new URL(response.url()).pathname === '/cal/events/v1/events'),
      console.getByRole('button', { name: /^Send post request/ }).click(),
    ])

    assert.equal(answer.status(), 201, `${encoding}: ${await answer.text()}`)
    assert.equal(answer.url(), `${origin}/cal/events/v1/events`)
  }
  await page.keyboard.press('Escape')
  await console.waitFor({ state: 'hidden' })
}

/** How bright the bar is, 0 to 255: the red part of its grey. */
async function brightness(page: Page): Promise<number> {
  const colour = await page.evaluate<string>('getComputedStyle(document.querySelector(".bar")).backgroundColor')
  return Number(/\d+/.exec(colour))
}
