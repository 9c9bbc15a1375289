import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { drag } from './desk.window.ts'

// How a person works with a page: by keyboard alone, or with a pointer and a keyboard for texts. Each hand counts what it
// does.

/** Seconds of the keystroke-level model: a key of an average typist, pointing at something, and deciding on the next step. */
const [keySeconds, pointSeconds, thinkSeconds] = [0.28, 1.1, 1.35]
/** How long a person waits for a page at most. */
const pageSeconds = 1
const maxStops = 120

interface File {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export interface Hand {
  /** Presses a button, a link or a box. @param keys What does the same by keyboard, one after the other. */
  press(target: Locator, ...keys: readonly string[]): Promise<void>
  type(target: Locator, text: string): Promise<void>
  paste(target: Locator, text: string): Promise<void>
  choose(target: Locator, file: File): Promise<void>
  /** Moves what can be dragged to another place. @param keys The arrow keys that lead there. */
  move(item: Locator, to: Locator, ...keys: readonly string[]): Promise<void>
  /** What was pressed, filled in, chosen or moved. */
  steps(): number
  /** The keys beside those of typed texts. */
  keys(): number
  seconds(): number
}

/** Counts the pages from now on. */
function countPages(page: Page): () => number {
  let pages = 0
  page.on('domcontentloaded', () => {
    pages += 1
  })
  return () => pages
}

/** Puts a text where people paste from. */
async function copy(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
}

async function chooseFile(page: Page, file: File, ask: () => Promise<void>): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  // A key would arrive before the browser knows that it shall not ask the person.
  await page.evaluate('')
  await ask()
  await (await choosing).setFiles(file)
}

function byKeyboard(page: Page): Hand {
  const pages = countPages(page)
  let [keys, letters, steps] = [0, 0, 0]
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  const reach = async (target: Locator) => {
    steps += 1
    await target.waitFor({ state: 'attached' })
    // While a page loads, Chromium may focus the target of its address once more.
    await page.waitForLoadState('load')
    const isFresh = await page.evaluate<boolean>('document.activeElement === document.body')
    // The first stop of each page skips what all pages have in common.
    if (isFresh && (await target.evaluate((one) => one.closest('main') !== null))) {
      await press('Tab')
      await press('Enter')
      await page.locator('#content:focus').waitFor()
    }
    for (let stop = 0; stop < maxStops; stop += 1) {
      if (await target.evaluate((one) => one.matches(':focus'))) return
      await press('Tab')
    }
    assert.fail(`The Tab key does not reach ${target}.`)
  }
  return {
    press: async (target, ...shortcut) => {
      if (shortcut.length > 0) {
        steps += 1
        await target.waitFor()
        for (const key of shortcut) await press(key)
        return
      }
      await reach(target)
      const isBox = await target.evaluate((one) => one.matches('[type=checkbox], [type=radio]'))
      await press(isBox ? 'Space' : 'Enter')
    },
    type: async (target, text) => {
      await reach(target)
      await press('Control+A')
      letters += text.length
      await page.keyboard.type(text)
    },
    paste: async (target, text) => {
      await target.waitFor()
      await copy(page, text)
      await reach(target)
      await press('Control+V')
    },
    choose: async (target, file) => {
      await reach(target)
      await chooseFile(page, file, () => press('Enter'))
    },
    move: async (item, _, ...arrows) => {
      await reach(item)
      for (const key of ['Space', ...arrows, 'Enter']) await press(key)
    },
    steps: () => steps,
    keys: () => keys,
    seconds: () => (keys + letters) * keySeconds + steps * thinkSeconds + pages() * pageSeconds,
  }
}

function byPointer(page: Page): Hand {
  const pages = countPages(page)
  let [keys, letters, steps] = [0, 0, 0]
  const click = async (target: Locator) => {
    steps += 1
    await target.click()
  }
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  return {
    press: click,
    type: async (target, text) => {
      await click(target)
      await press('Control+A')
      letters += text.length
      await page.keyboard.type(text)
    },
    paste: async (target, text) => {
      await target.waitFor()
      await copy(page, text)
      await click(target)
      await press('Control+V')
    },
    choose: async (target, file) => {
      await chooseFile(page, file, () => click(target))
    },
    move: async (item, to) => {
      steps += 1
      await drag(page, [item], [to])
    },
    steps: () => steps,
    keys: () => keys,
    seconds: () => (keys + letters) * keySeconds + steps * (thinkSeconds + pointSeconds) + pages() * pageSeconds,
  }
}

export const hands = [
  ['by keyboard alone', byKeyboard],
  ['with a pointer', byPointer],
] as const
