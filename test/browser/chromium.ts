import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { atProcessEnd } from '../support/process.end.ts'

const switches = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** What takes longer hangs. A busy machine takes far longer than a person would wait. */
const longestWaitMs = 120_000

/** One Chromium serves all tests of a process, each with a profile of its own. */
let shared: Promise<Browser> | undefined
atProcessEnd(async () => (await shared)?.close())

const launch = (more: readonly string[]) =>
  chromium.launch({ executablePath: findChromium(), headless: true, args: [...switches, ...more] })

/**
 * Chromium with a profile of its own, closed and removed when the test ends.
 *
 * @param more Switches of the command line.
 */
export async function startChromium(
  t: TestContext,
  options: BrowserContextOptions = {},
  more: readonly string[] = [],
): Promise<BrowserContext> {
  if (more.length === 0) shared ??= launch([])
  const browser = await (more.length === 0 ? shared : launch(more))
  const context = await browser?.newContext(options)
  if (!browser || !context) throw new Error('Chromium did not start.')
  context.setDefaultTimeout(longestWaitMs)
  t.after(() => (more.length === 0 ? context.close() : browser.close()))
  return context
}

/**
 * Collects unwanted events: errors and warnings of pages, and requests that fail or leave the origins. A request that the
 * page itself ends, by a script or because it is left, did not fail.
 */
export function watchFaults(browser: BrowserContext, ...origins: readonly string[]): readonly string[] {
  const faults: string[] = []
  browser.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (!['data:', 'blob:'].includes(protocol) && !origins.includes(origin)) faults.push(`request to ${request.url()}`)
  })
  browser.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`)
  })
  browser.on('weberror', (error) => faults.push(`thrown: ${error.error().message}`))
  browser.on('requestfailed', (request) => {
    const { errorText } = request.failure() ?? {}
    if (errorText !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} (${errorText})`)
  })
  return faults
}

/**
 * Saves a screenshot of a page, for people to look at. `SCREENSHOTS=0` saves none.
 *
 * @param isForced In forced colours.
 */
export async function screenshot(page: Page, name: string, { isWhole = false, isForced = false } = {}): Promise<void> {
  if (process.env.SCREENSHOTS === '0') return
  if (isForced) await page.emulateMedia({ forcedColors: 'active' })
  const path = fileURLToPath(new URL(`screenshots/${name}.png`, import.meta.url))
  await page.screenshot({ path, fullPage: isWhole })
  if (isForced) await page.emulateMedia({ forcedColors: 'none' })
}

/**
 * Finds Chromium, at best as the headless shell: the same engine without the windows of a desktop, which take as much
 * processor time as the pages.
 *
 * @throws Error that lists the searched paths.
 */
function findChromium(): string {
  const { CHROMIUM_PATH: named } = process.env
  const places = named ? [named] : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']
  const found = places.find((place) => existsSync(place))
  if (!found) {
    throw new Error(
      `No Chromium at ${places.join(' or ')}. Install it (Debian: chromium-headless-shell), or name it in CHROMIUM_PATH.`,
    )
  }
  return found
}
