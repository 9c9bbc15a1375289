import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Role } from '../../src/access/auth/actor.ts'
import { startTestApp } from '../support/app.ts'
import { goodPassword, setOwnPassword } from '../support/signing.ts'
import { startChromium, watchFaults } from './chromium.ts'

/** Signs somebody in by the form, as a person does. */
export async function signInAtDesk(page: Page, url: string, name: Role = 'editor'): Promise<void> {
  await page.goto(`${url}/admin/sign-in/`)
  await page.getByLabel('Name or email').fill(name)
  await page.getByLabel('Password').fill(goodPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Today' }).waitFor()
}

/** Gives the browser a session, without the page on which a person signs in. */
export async function giveSession(page: Page, url: string, name: Role = 'editor'): Promise<void> {
  const answer = await page.request.post(`${url}/admin/sign-in/`, {
    form: { login: name, password: goodPassword, to: '/admin/' },
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  })
  assert.equal(answer.status(), 303)
}

/** Starts a service of which the editor has a password, and opens a browser that watches for faults. */
export async function openBrowser(
  t: TestContext,
  options: BrowserContextOptions = {},
  outside: Parameters<typeof startTestApp>[2] = {},
) {
  const settings = { SITE_NAME: 'Town Calendar', SITE_TIMEZONE: 'America/Toronto', WEEK_START: 'monday' }
  const app = await startTestApp(t, settings, outside)
  await setOwnPassword(app, 'editor')
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const browser = await startChromium(t, { viewport: { width: 1280, height: 900 }, locale: 'en-CA', ...options })
  const faults = watchFaults(browser, url)
  return { app, url, browser, faults, page: await browser.newPage() }
}

/** Opens the desk in a browser with the session of an editor. */
export async function startDesk(...[t, options, outside]: Parameters<typeof openBrowser>) {
  const desk = await openBrowser(t, options, outside)
  await giveSession(desk.page, desk.url)
  await desk.page.goto(`${desk.url}/admin/`)
  return desk
}

/** Touches the page as a finger does, by the protocol of the browser. */
export async function startFinger(page: Page) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', points: readonly Place[] = []) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((one) => ({ ...one })) })
  const to = async ([from, until]: readonly [Place, Place]) => {
    for (let step = 1; step <= 8; step += 1) {
      const along = (name: keyof Place) => from[name] + ((until[name] - from[name]) * step) / 8
      await send('touchMove', [{ x: along('x'), y: along('y') }])
    }
  }
  return {
    /** Puts a finger on a place. A long touch waits until the desk has picked something up. */
    press: async (place: Place, { isLong }: { readonly isLong: boolean }) => {
      await send('touchStart', [place])
      if (isLong) await page.locator('.picked-up').waitFor()
    },
    move: to,
    second: (one: Place, other: Place) => send('touchStart', [one, other]),
    cancel: () => send('touchCancel'),
    lift: () => send('touchEnd'),
  }
}

/** Returns the middle of an element. */
export async function middleOf(one: Locator): Promise<Place> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await one.boundingBox()) ?? {}
  return { x: x + width / 2, y: y + height / 2 }
}

interface Place {
  readonly x: number
  readonly y: number
}

/** Drags as a hand does, over some steps. Without places, from the middle of one to the middle of the other. */
export async function drag(
  page: Page,
  [from, grip]: readonly [Locator, Place?],
  [to, place]: readonly [Locator, Place?],
): Promise<void> {
  await to.scrollIntoViewIfNeeded()
  const point = async (one: Locator, at: Place | undefined) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await one.boundingBox()) ?? {}
    return at ? ([x + at.x, y + at.y] as const) : ([x + width / 2, y + height / 2] as const)
  }
  await page.mouse.move(...(await point(from, grip)))
  await page.mouse.down()
  await page.mouse.move(...(await point(to, place)), { steps: 8 })
  await page.mouse.up()
}
