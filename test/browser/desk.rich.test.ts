import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { createLinkChecker } from '../../src/base/outbound/link.checker.ts'
import { givenEvent } from '../support/given.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

type Desk = Awaited<ReturnType<typeof startDesk>>

/** The text that the form sends. */
const sent = (page: Page, language = 'en') => page.locator(`textarea[name="description.${language}"]`).inputValue()
/** Presses keys that move the selection. Browsers tell the library about it in a later task, before which no person types. */
async function select(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.evaluate(laterTask)
  }
}
/** The library sets the selection in a timer of 20 ms after the focus. This one ends after it. */
const laterTask = 'new Promise((done) => setTimeout(done, 20))'
async function focusOn(page: Page, text: Locator): Promise<void> {
  await text.focus()
  await page.evaluate(laterTask)
}
const savedTexts = async ({ app }: Desk, id: number) =>
  (await app.send({ as: 'editor', path: `//cal/service/v1/events/${id}/source` })).body.description

test('a text is written, formatted and linked by keyboard alone, and the server keeps it as it is', async (t) => {
  const desk = await startDesk(t)
  const { page, url, app } = desk
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft', description: 'One' })
  await page.goto(`${url}/admin/events/${id}/`)
  const text = page.getByRole('textbox', { name: 'Description' }).first()
  await focusOn(page, text)
  await select(page, 'Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Two ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('bold')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(' ')
  await page.keyboard.press('Control+i')
  await page.keyboard.type('slanted')
  await page.keyboard.press('Control+i')
  await page.keyboard.press('Enter')
  await page.keyboard.type('## What')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- a')
  await page.keyboard.press('Enter')
  await page.keyboard.type('b')
  await page.keyboard.press('Control+]')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('tickets')
  await select(page, 'Shift+Home')
  await page.keyboard.press('Control+k')
  await screenshot(page, 'desk-rich-link')
  await page.keyboard.type('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await page.getByText('This is not an address').waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await page.keyboard.press('Control+a')
  await page.keyboard.type('example.org/tickets')
  await page.keyboard.press('Enter')
  const written = [
    ...['<p>One</p>', '<p>Two <strong>bold</strong> <em>slanted</em></p>', '<h2>What</h2>'],
    ...['<ul>', '<li>a', '<ul>', '<li>b</li>', '</ul>', '</li>', '</ul>'],
    '<p><a href="https://example.org/tickets">tickets</a></p>',
  ].join('\n')
  assert.equal(await sent(page), written)
  await screenshot(page, 'desk-rich', { isWhole: true })
  assert.deepEqual(await violationsOf(page), [])
  await page.keyboard.press('Control+s')
  await page.getByText('” is saved.').waitFor()

  assert.equal(await savedTexts(desk, id), written)
  assert.deepEqual(desk.faults, [])
})

test('the toolbar is one stop of the Tab key, and its buttons say what the selection has', async (t) => {
  const { page, url, app, faults } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft', description: '<p>One <b>two</b></p>' })
  await page.goto(`${url}/admin/events/${id}/`)
  const bar = page.getByRole('toolbar', { name: 'Formatting' }).first()
  const focused = () => page.evaluate('document.activeElement.ariaLabel') as Promise<string>
  await page.getByLabel('Summary').first().focus()
  await page.keyboard.press('Tab')
  const labels = [await focused()]
  for (let step = 0; step < 10; step += 1) {
    await page.keyboard.press('ArrowRight')
    labels.push(await focused())
  }
  await page.keyboard.press('ArrowRight')
  labels.push(await focused())
  await page.keyboard.press('End')
  labels.push(await focused())
  assert.deepEqual(labels, [
    ...['Bold', 'Italic', 'Heading', 'Subheading', 'Bulleted list', 'Numbered list', 'Quotation', 'Link', 'Undo'],
    ...['Redo', 'Edit as HTML', 'Bold', 'Edit as HTML'],
  ])
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'textbox')
  assert.match(await bar.ariaSnapshot(), /button "Undo" \[disabled\]/)

  await page.evaluate(laterTask)
  // The cursor is in the bold text, which older texts have as <b>.
  await select(page, 'Control+End')
  assert.equal(await bar.getByRole('button', { name: 'Bold' }).getAttribute('aria-pressed'), 'true')
  await select(page, 'Shift+Home')
  await bar.getByRole('button', { name: 'Bold' }).click()
  await bar.getByRole('button', { name: 'Numbered list' }).click()
  await bar.getByRole('button', { name: 'Bulleted list' }).click()
  assert.equal(await sent(page), '<ul>\n<li>One two</li>\n</ul>')
  await bar.getByRole('button', { name: 'Bulleted list' }).click()
  await bar.getByRole('button', { name: 'Quotation' }).click()
  await bar.getByRole('button', { name: 'Subheading' }).click()
  assert.equal(await sent(page), '<blockquote>\n<h3>One two</h3>\n</blockquote>')
  const undo = bar.getByRole('button', { name: 'Undo' })
  while (await undo.isEnabled()) await undo.click()
  // A text that is again as it was is not written in another way.
  assert.equal(await sent(page), '<p>One <b>two</b></p>')
  await page.keyboard.press('Alt+F10')
  assert.equal(await focused(), 'Edit as HTML')
  assert.deepEqual(faults, [])
})

test('a text that the visual editor does not know stays HTML, and any text can be edited as HTML', async (t) => {
  const { page, url, app, faults } = await startDesk(t)
  const table = '<table><tbody><tr><td>x</td></tr></tbody></table>'
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft', description: table })
  await page.goto(`${url}/fr/admin/events/${id}/`)
  // The page is in French: its first column is that of the event at the address.
  const column = page.getByRole('group', { name: 'Anglais' })
  const source = column.getByRole('button', { name: 'Modifier en HTML' })
  const field = column.getByRole('textbox', { name: 'Texte de présentation' })
  assert.equal(await field.inputValue(), table)
  await column.getByText('Ce texte contient du HTML que l’éditeur visuel ne connaît pas').waitFor()
  assert.equal(await source.getAttribute('aria-pressed'), 'true')
  assert.deepEqual(await violationsOf(page), [])
  await screenshot(page, 'desk-rich-source-fr')
  await source.click()
  assert.equal(await field.inputValue(), table)

  await field.fill('Un mot\n\n<b>deux</b>')
  await source.click()
  assert.deepEqual(await field.locator('p').allTextContents(), ['Un mot', 'deux'])
  assert.equal(await sent(page), 'Un mot\n\n<b>deux</b>')
  await field.press('Control+End')
  await page.keyboard.type('!')
  assert.equal(await sent(page), '<p>Un mot</p>\n<p><b>deux!</b></p>')
  await source.click()
  assert.equal(await field.inputValue(), '<p>Un mot</p>\n<p><b>deux!</b></p>')
  assert.deepEqual(faults, [])
})

test('text from Word, and text that is hostile, is pasted under Trusted Types, and a link is pasted onto words', async (t) => {
  const { page, url, browser, app, faults } = await startDesk(t)
  await browser.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft' })
  await page.goto(`${url}/admin/events/${id}/`)
  const text = page.getByRole('textbox', { name: 'Description' }).first()
  const paste = async (html: string, plain: string) => {
    await text.evaluate(
      (element, [rich = '', bare = '']) => {
        const { DataTransfer, ClipboardEvent } = globalThis as unknown as Record<
          string,
          new (
            ...all: unknown[]
          ) => { setData(type: string, text: string): void }
        >
        if (!DataTransfer || !ClipboardEvent) return
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', rich)
        clipboardData.setData('text/plain', bare)
        ;(element as unknown as { dispatchEvent(event: unknown): void }).dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        )
      },
      [html, plain],
    )
  }
  await focusOn(page, text)
  await paste(
    '<p class=MsoNormal style="color:red" onclick="x()">One <b>two</b><img src=x onerror="document.title=1"></p><script>document.title=2</script><ul><li>a</li></ul>',
    'One two',
  )
  assert.equal(await sent(page), '<p>One <strong>two</strong></p>\n<ul>\n<li>a</li>\n</ul>')
  await select(page, 'Control+Home', 'Control+Shift+ArrowRight')
  await paste('', 'https://example.org/one')
  assert.match(await sent(page), /^<p><a href="https:\/\/example.org\/one">One ?<\/a>/)

  // A table stays one, a line can be written after it, and its cells have lines.
  await select(page, 'Control+a')
  await paste('<table><tr><td>Adults</td><td></td></tr></table>', 'Adults')
  await select(page, 'Control+End')
  await page.keyboard.type('After')
  await text.locator('td').first().click()
  await page.evaluate(laterTask)
  await select(page, 'End', 'Enter')
  await paste('<ul><li>One</li><li>Two</li></ul>', 'One')
  await select(page, 'ArrowRight', 'Backspace')
  await page.keyboard.type('$5')
  assert.equal(
    await sent(page),
    '<table>\n<tr>\n<td>Adults<br>One<br>Two</td>\n<td>$5</td>\n</tr>\n</table>\n<p>After</p>',
  )
  await select(page, 'Control+a')
  await paste('<p>One <b>two</b></p>', 'One two')

  // What the browser itself puts on the clipboard, and back from it.
  await select(page, 'Control+a', 'Control+c', 'Control+End', 'Control+v')
  assert.equal((await sent(page)).match(/<strong>two<\/strong>/g)?.length, 2)
  assert.match(await page.title(), /^Edit event/)
  assert.deepEqual(faults, [])
})

test('on a phone in the dark, and in forced colours, a text can be edited', async (t) => {
  const { page, url, app, faults } = await startDesk(t, {
    ...{ viewport: { width: 320, height: 700 }, colorScheme: 'dark', hasTouch: true },
  })
  const { id } = await givenEvent(app, {
    ...{ title: 'Fair', status: 'draft' },
    description: '<h2>What</h2><p>One <strong>two</strong></p><ul><li>a</li></ul><blockquote>Said</blockquote>',
  })
  await page.goto(`${url}/admin/events/${id}/`)
  const text = page.getByRole('textbox', { name: 'Description' }).first()
  await text.scrollIntoViewIfNeeded()
  await screenshot(page, 'desk-rich-phone-dark')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
  assert.deepEqual(await violationsOf(page), [])
  const small = await page
    .locator('.rich-bar button')
    .evaluateAll(
      (all) =>
        all.filter((one) => (one as unknown as { offsetWidth: number; offsetHeight: number }).offsetHeight < 44).length,
    )
  assert.equal(small, 0)
  await page.emulateMedia({ forcedColors: 'active' })
  await text.focus()
  await screenshot(page, 'desk-rich-forced')

  assert.deepEqual(faults, [])
})

test('without scripts the field for HTML stays as it is', async (t) => {
  const { page, url } = await startDesk(t, { javaScriptEnabled: false })
  await page.goto(`${url}/admin/events/new/`)

  assert.equal(await page.getByRole('toolbar').count(), 0)
  await page.getByLabel('Description').first().fill('<b>x</b>')
  assert.equal(await sent(page), '<b>x</b>')
})

test('the editor is at most 120 KB, and other pages of the desk at most 25 KB', async (t) => {
  const { page, url } = await startDesk(t)
  const sizeOf = async (path: string) => {
    await page.goto(`${url}${path}`)
    const files = await page
      .locator('script[src], link[rel=stylesheet]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? ''))
    const texts = await Promise.all(files.map(async (file) => (await fetch(new URL(file, url))).bytes()))
    return texts.reduce((sum, text) => sum + gzipSync(text).length, 0)
  }
  const [editor, table, today] = [
    await sizeOf('/admin/events/new/'),
    await sizeOf('/admin/events/'),
    await sizeOf('/admin/'),
  ]
  t.diagnostic(`${editor} ${table} ${today}`)

  assert.ok(editor > 50_000 && editor <= 120 * 1024, `${editor}`)
  assert.ok(table > 1000 && table <= 25 * 1024 && today <= 25 * 1024, `${table} ${today}`)
})

test('the checks follow what is typed, in both languages, and never move the focus', async (t) => {
  const { page, url, app, faults } = await startDesk(t)
  const { id } = await givenEvent(app, {
    title: 'Fair',
    start_date: '2030-02-05 19:00:00',
    end_date: '2030-02-05 22:00:00',
  })
  await page.goto(`${url}/fr/admin/events/${id}/`)
  const list = page.locator('.checks')
  const news = page.locator('[data-checks-news]')
  const end = page.getByLabel('Fin', { exact: true })
  await end.fill('2030-02-05 18:00')
  await list.getByRole('link', { name: 'La fin précède le début.' }).waitFor()
  assert.equal(await end.evaluate((element) => element.matches(':focus')), true)
  assert.match((await news.textContent()) ?? '', /^4 points à vérifier La fin précède le début\.$/)
  // February 5, 2030 is a Tuesday.
  const text = page.getByRole('group', { name: 'Anglais' }).getByRole('textbox', { name: 'Texte de présentation' })
  await focusOn(page, text)
  await page.keyboard.type(' Come on Thursday.')
  const wrong = list.getByRole('link', { name: /Thursday/ })
  await wrong.waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await screenshot(page, 'desk-checks-fr')

  // The check leads into the visual editor.
  await wrong.focus()
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'textbox')
  await page.evaluate(laterTask)
  await select(page, 'Control+a')
  await page.keyboard.type('Come.')
  await wrong.waitFor({ state: 'detached' })
  await end.fill('2030-02-05 23:00')
  await list.getByText('La fin précède le début.').waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})

test('links are checked by a button, and from then on while a person types', async (t) => {
  const links = createLinkChecker(async (url) => (url.includes('gone') ? 404 : 200))
  const { page, url, app, faults } = await startDesk(t, {}, { links })
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft', website: 'https://gone.example/' })
  await page.goto(`${url}/admin/events/${id}/`)
  await page.getByRole('button', { name: 'Check links' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('1 address does not work.').waitFor()
  await page.getByRole('link', { name: 'The page of this address no longer exists: https://gone.example/.' }).waitFor()
  await screenshot(page, 'desk-links')
  await page.getByLabel('Website of the event').fill('https://fine.example/')
  await page.getByText('1 address was checked. It works.').waitFor()
  assert.equal(await page.getByRole('link', { name: /no longer exists/ }).count(), 0)
  assert.deepEqual(await violationsOf(page), [])
  assert.deepEqual(faults, [])
})

test('a text that was not saved is put back into the visual editor', async (t) => {
  const { page, url, app } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft', description: 'One' })
  await page.goto(`${url}/admin/events/${id}/`)
  const text = page.getByRole('textbox', { name: 'Description' }).first()
  await page.route('**/admin/events/**', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  )
  await focusOn(page, text)
  await select(page, 'Control+End')
  await page.keyboard.type(' two')
  await page.locator('[data-autosave][data-state=offline]').waitFor()
  await page.reload()
  assert.equal(await text.textContent(), 'One')

  await page.getByRole('button', { name: 'Put it back' }).click()
  assert.equal(await text.textContent(), 'One two')
  assert.equal(await sent(page), '<p>One two</p>')
})
