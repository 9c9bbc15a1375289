import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { DeskKey } from '../../src/base/languages/catalogue.ts'
import { deskText } from '../../src/base/languages/texts.ts'
import { DESK_KEYS } from '../../src/desk/shell/shortcuts.ts'
import { givenEvent } from '../support/given.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

const table = '/admin/events/?from=2030-01-01&to=2030-12-31'
const focused = (page: Page, of = 'textContent') => page.evaluate<string>(`document.activeElement.${of}.trim()`)

async function startEvents(...[t]: Parameters<typeof startDesk>) {
  const desk = await startDesk(t)
  const fair = await givenEvent(desk.app, {
    title: 'Fair',
    start_date: '2030-05-01 10:00',
    end_date: '2030-05-01 11:00',
  })
  await givenEvent(desk.app, { title: 'Film', start_date: '2030-05-02 10:00', end_date: '2030-05-02 11:00' })
  return { ...desk, fair }
}

for (const { language, path } of [
  { language: 'en', path: '' },
  { language: 'fr', path: '/fr' },
] as const) {
  const say = (key: DeskKey) => deskText(language, key)

  test(`each single key of the desk does what the help says (${language})`, async (t) => {
    const { page, url, fair, faults } = await startEvents(t)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const here = () => new URL(page.url()).pathname
    const leads: Readonly<Record<string, string>> = {
      n: '/admin/events/new/',
      'g t': '/admin/',
      'g e': '/admin/events/',
      'g c': '/admin/calendar/',
      'g v': '/admin/venues/',
    }
    for (const [keys, to] of Object.entries(leads)) {
      await page.goto(`${url}${path}/admin/account/`)
      await press(...keys.split(' '))
      await page.waitForURL(`${url}${path}${to}`)
    }

    await page.goto(`${url}${path}${table}`)
    await press('/')
    assert.equal(await focused(page, 'id'), 'find')
    await page.goto(`${url}${path}${table}`)
    await press('j')
    assert.equal(await focused(page), 'Fair')
    await press('j')
    assert.equal(await focused(page), 'Film')
    assert.equal(
      await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle !== "none" && "visible"'),
      'visible',
    )
    await press('j', 'k')
    assert.equal(await focused(page), 'Fair')
    await press('x')
    const box = page.locator(`#e-${fair.id} input[type=checkbox]`)
    assert.equal(await box.isChecked(), true)
    await press('x')
    assert.equal(await box.isChecked(), false)
    assert.equal(await focused(page), 'Fair')
    await press('d')
    await page.waitForURL(`${url}${path}/admin/events/${fair.id}/copy/?**`)
    await page.goto(`${url}${path}/admin/events/?from=2030-01-01#e-${fair.id}`)
    await press('j')
    assert.equal(await focused(page), 'Film')
    await press('k', 'e')
    await page.waitForURL(`${url}${path}/admin/events/${fair.id}/`)
    await press('d')
    await page.waitForURL(`${url}${path}/admin/events/${fair.id}/copy/`)
    assert.equal(here(), `${path}/admin/events/${fair.id}/copy/`)

    await press('?')
    await page.getByRole('dialog', { name: say('shortcuts.title') }).waitFor()
    const pressed = [...Object.keys(leads), '/', 'j', 'k', 'x', 'e', 'd', '?']
    assert.deepEqual(
      pressed.toSorted(),
      [...DESK_KEYS.everywhere, ...DESK_KEYS.lists].map(([key]) => key as string).toSorted(),
    )
    assert.deepEqual(faults, [])
  })

  test(`the help lists all keys, is accessible, and gives the focus back (${language})`, async (t) => {
    const { page, url, faults } = await startEvents(t)
    await page.goto(`${url}${path}${table}`)
    const button = page.getByRole('button', { name: say('shortcuts.title') })
    const dialog = page.getByRole('dialog', { name: say('shortcuts.title') })
    await button.focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    for (const [, text] of Object.values(DESK_KEYS).flat())
      assert.equal(await dialog.getByRole('term').getByText(say(text), { exact: true }).count(), 1, text)
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 320]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        // Axe reads each theme on each width in one of the languages.
        const isRead = ((colorScheme === 'light') === (width === 1280)) === (language === 'en')
        const violations = isRead ? await violationsOf(page) : []
        found.push(...violations.map((one) => `${colorScheme} ${width}: ${one}`))
        await screenshot(page, `desk-keys-help-${language}-${colorScheme}-${width}`)
        const needed = await page.evaluate<number>('document.querySelector("dialog").scrollWidth')
        const [shown, height] = await page.evaluate<[number, number]>(
          '(({ clientWidth }, { offsetHeight }) => [clientWidth, offsetHeight])(document.querySelector("dialog"), document.querySelector("dialog button"))',
        )
        if (needed > shown) found.push(`${needed} pixels wide on ${shown}`)
        if (height < 44) found.push(`${height} pixels high`)
      }
    }
    await page.keyboard.press('n')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await focused(page), say('shortcuts.title'))

    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: 'Film', exact: true }).focus()
    await page.keyboard.press('?')
    await dialog.getByRole('button', { name: say('shortcuts.close') }).click()
    assert.equal(await focused(page), 'Film')
    assert.equal(new URL(page.url()).pathname, `${path}/admin/events/`)
    assert.deepEqual([found, faults], [[], []])
  })
}

test('the key of the search goes to its field in browsers whose select() does not focus, as the standard says', async (t) => {
  const { page, url } = await startDesk(t)
  // Chromium focuses the field by itself.
  await page.addInitScript(
    'HTMLInputElement.prototype.select = function () { this.setSelectionRange(0, this.value.length) }',
  )
  await page.goto(`${url}/admin/search/?q=fair`)
  await page.keyboard.press('/')
  assert.equal(await focused(page, 'id'), 'find')
  await page.keyboard.type('film')
  assert.equal(await page.locator('#find').inputValue(), 'film')
})

test('the keys of lists work in the trash, whose rows have no link', async (t) => {
  const { app, page, url, fair, faults } = await startEvents(t)
  const gone = await givenEvent(app, { title: 'Gone', start_date: '2030-05-03 10:00', end_date: '2030-05-03 11:00' })
  for (const { id } of [fair, gone]) await app.send({ as: 'editor', method: 'DELETE', path: `/events/${id}` })
  await page.goto(`${url}/admin/trash/`)
  const boxes = page.getByRole('listitem').getByRole('checkbox', { name: /^Select: / })
  assert.equal(await boxes.count(), 2)
  const states = async () => [await boxes.first().isChecked(), await boxes.last().isChecked()]
  const isOn = async (place: number) => boxes.nth(place).evaluate((one) => one.matches(':focus'))
  await page.keyboard.press('j')
  assert.equal(await isOn(0), true)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  assert.deepEqual([await isOn(1), await states()], [true, [false, true]])
  await page.keyboard.press('k')
  assert.equal(await isOn(0), true)

  await page.goto(`${url}/admin/events/?status=trash&from=2030-01-01&to=2030-12-31`)
  await page.keyboard.press('j')
  assert.match(await focused(page, 'closest("tr").textContent'), /Fair/)
  assert.deepEqual(faults, [])
})

test('keys do nothing while somebody types, moves something, or holds Ctrl or Alt', async (t) => {
  const { page, url } = await startEvents(t)
  await page.goto(`${url}${table}`)
  await page.getByLabel('Search the desk').focus()
  await page.keyboard.type('njkg e/?')
  assert.equal(await page.getByLabel('Search the desk').inputValue(), 'njkg e/?')
  await page.getByLabel('Category', { exact: true }).focus()
  await page.keyboard.press('n')
  await page.getByRole('link', { name: 'Fair', exact: true }).focus()
  for (const key of ['Control+j', 'Alt+j', 'Meta+j', 'g', 'j', 'y']) await page.keyboard.press(key)
  assert.equal(await focused(page), 'Fair')
  assert.equal(page.url(), `${url}${table}`)

  await page.goto(`${url}/admin/events/new/`)
  const editor = page.locator('[contenteditable=true]').first()
  await editor.click()
  await page.keyboard.type('no jokes? g e/n')
  assert.equal(await editor.textContent(), 'no jokes? g e/n')
  assert.equal(new URL(page.url()).pathname.startsWith('/admin/events/'), true)
})

test('single keys stay off once switched off, and the help is still there', async (t) => {
  const { page, url, faults } = await startEvents(t)
  await page.goto(`${url}${table}`)
  const keysTold = () => page.locator('[aria-keyshortcuts]').count()
  assert.equal(await page.getByRole('link', { name: 'New event' }).getAttribute('aria-keyshortcuts'), 'n')
  await page.keyboard.press('?')
  await page.getByLabel('Use keys without Ctrl and Alt').uncheck()
  await page.keyboard.press('Escape')
  assert.equal(await keysTold(), 0)
  for (const key of ['j', '?', 'n']) await page.keyboard.press(key)
  await page.reload()
  for (const key of ['j', '?', 'n']) await page.keyboard.press(key)
  assert.deepEqual([await focused(page, 'tagName'), await keysTold(), page.url()], ['BODY', 0, `${url}${table}`])

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByLabel('Use keys without Ctrl and Alt').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  assert.equal(await focused(page), 'Fair')
  const told = await page.evaluate<string[]>(
    '[...document.querySelectorAll("main [aria-keyshortcuts]")].map((one) => one.ariaKeyShortcuts + " " + one.closest("tr").id)',
  )
  assert.deepEqual([...new Set(told.map((one) => one.split(' ')[1]))].length, 1)
  assert.deepEqual(told.map((one) => one.split(' ')[0]).toSorted(), ['d', 'e', 'x'])
  assert.deepEqual(faults, [])
})

test('with Ctrl and Shift, P saves the event and shows its preview', async (t) => {
  const { page, url } = await startEvents(t)
  await page.goto(`${url}/admin/events/new/`)
  await page.locator('#f-title\\.en').fill('Concert')
  await page.locator('#f-start').fill('Feb 1, 2030, 7pm')
  await page.locator('#f-end').fill('9 p.m.')
  await page.keyboard.press('Control+Shift+P')
  await page.waitForURL(/\/admin\/events\/\d+\/preview\/$/)
})

test('without scripts, the desk has no button for its keys', async (t) => {
  const { browser, url, page } = await startDesk(t)
  const path = await page.locator('script[src*="/shortcuts-"]').getAttribute('src')
  const code = await (await page.request.get(`${url}${path}`)).body()
  assert.ok(gzipSync(code).length <= 3 * 1024, String(gzipSync(code).length))
  const other = await browser
    .browser()
    ?.newContext({ javaScriptEnabled: false, storageState: await browser.storageState() })
  const plain = await other?.newPage()
  await plain?.goto(`${url}/admin/`)
  assert.equal(await plain?.getByRole('heading', { name: 'Today' }).isVisible(), true)
  assert.equal(await plain?.getByText('Keyboard shortcuts').first().isVisible(), false)
})
