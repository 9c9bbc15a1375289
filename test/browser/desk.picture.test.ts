import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { givenEvent } from '../support/given.ts'
import { picture } from '../support/pictures.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

interface Sent {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

/** Drops or pastes a file, as a browser tells the page of it. Returns whether the box was marked before and after. */
const bring = (page: Page, kind: 'drop' | 'paste', { name, type, bytes }: Sent, text = '') =>
  page.evaluate<readonly boolean[]>(`(() => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.codePointAt(0))
    data.items.add(new File([bytes], '${name}', { type: '${type}' }))
    if ('${text}') data.setData('text/plain', '${text}')
    const box = document.querySelector('[data-picture]')
    const shared = { bubbles: true, cancelable: true }
    const events = '${kind}' === 'paste'
      ? [new ClipboardEvent('paste', { ...shared, clipboardData: data })]
      : ['dragover', 'drop'].map((name) => new DragEvent(name, { ...shared, dataTransfer: data }))
    return events.map((event) => {
      box.dispatchEvent(event)
      return box.classList.contains('dropping')
    })
  })()`)

const news = (page: Page) => page.locator('[data-picture] [role=status]')
const thumbnail = (page: Page) => page.locator('[data-picture] > .thumbnail')
const isShown = (page: Page) =>
  page.evaluate(
    "(async (one) => one.decode().then(() => one.naturalWidth > 1))(document.querySelector('[data-picture] > .thumbnail'))",
  )
const chosen = (page: Page) => page.evaluate("document.querySelector('#f-picture').files[0]?.name ?? ''")

test('a picture that is dropped, pasted or chosen is shown at once, and sent with the form', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft' })
  const bytes = await picture(300, 200)
  await page.goto(`${url}/admin/events/${id}/`)

  assert.deepEqual(await bring(page, 'drop', { name: 'tent.jpg', type: 'image/jpeg', bytes }), [true, false])
  assert.match((await news(page).textContent()) ?? '', /“tent\.jpg” is chosen\. It is uploaded when you save\./)
  assert.equal(await isShown(page), true)
  assert.equal(await thumbnail(page).getAttribute('alt'), '')
  assert.equal(await page.getByLabel('What the picture shows').first().isVisible(), true)
  assert.deepEqual(await violationsOf(page), [])
  await screenshot(page, 'desk-picture-dropped')

  // By keyboard, it is left out again.
  await page.locator('#f-picture').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await thumbnail(page).count(), 0)
  assert.deepEqual([await chosen(page), await news(page).textContent()], ['', ''])
  assert.equal(await page.evaluate('document.activeElement.id'), 'f-picture')

  // A text that brings a picture of itself is a text.
  await bring(page, 'paste', { name: 'words.png', type: 'image/png', bytes: await picture(9, 9, 'png') }, 'Words')
  assert.equal(await chosen(page), '')
  await bring(page, 'paste', { name: 'crowd.png', type: 'image/png', bytes: await picture(90, 60, 'png') })
  assert.equal(await isShown(page), true)
  await page.getByLabel('What the picture shows').first().fill('A crowd')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.waitForURL(/result=/)
  assert.equal(await isShown(page), true)
  const saved = await app.send({ as: 'editor', path: `/events/${id}` })
  assert.match(saved.body.image.url, /crowd.*\.png$/)

  // Another one is shown in its place until it is left out.
  const before = await thumbnail(page).getAttribute('src')
  await page.locator('#f-picture').setInputFiles({ name: 'été.jpg', mimeType: 'image/jpeg', buffer: bytes })
  assert.match((await thumbnail(page).getAttribute('src')) ?? '', /^blob:/)
  await page.locator('#f-picture').setInputFiles([])
  assert.equal(await thumbnail(page).getAttribute('src'), before)
  assert.deepEqual(faults, [])
})

test('what the service would refuse is told before it is sent, in both languages', async (t) => {
  const { url, page, faults } = await startDesk(t)
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-pictures-'))
  t.after(() => rm(folder, { recursive: true }))
  // Sending as many bytes through the connection to the browser takes seconds.
  const files: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['minutes.pdf', Buffer.from('%PDF')],
    ['tent.jpg', Buffer.alloc(15 * 1024 * 1024 + 1)],
    ['cut.png', Buffer.from('no picture')],
    ['map.gif', await picture(4000, 3001, 'gif')],
  ]
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes)
  const refused = async (path: string, names: readonly string[]) => {
    await page.goto(`${url}${path}`)
    const told: string[] = []
    for (const name of names) {
      await page.locator('#f-picture').setInputFiles(join(folder, name))
      await page.locator('[data-picture] .fault').waitFor({ state: 'attached' })
      assert.deepEqual([await chosen(page), await thumbnail(page).count()], ['', 0])
      told.push((await news(page).textContent()) ?? '')
      // What fits takes the remark away.
      const good = { name: 'ok.gif', mimeType: 'image/gif', buffer: await picture(9, 9, 'gif') }
      await page.locator('#f-picture').setInputFiles(good)
      assert.equal(await page.locator('[data-picture] .fault').count(), 0)
    }
    return told
  }

  assert.deepEqual(await refused('/admin/events/new/', ['minutes.pdf', 'tent.jpg', 'cut.png', 'map.gif']), [
    '“minutes.pdf” must be a picture: JPEG, PNG, WebP, GIF or AVIF.',
    '“tent.jpg” is larger than 15 MB. Make it smaller.',
    '“cut.png” is a picture that is broken or cut off.',
    '“map.gif” has more than 12 million pixels, the most for its format.',
  ])
  assert.deepEqual(await refused('/fr/admin/pictures/', ['minutes.pdf', 'tent.jpg']), [
    '«\u00a0minutes.pdf\u00a0» doit être une image\u00a0: JPEG, PNG, WebP, GIF ou AVIF.',
    '«\u00a0tent.jpg\u00a0» dépasse 15\u00a0Mo. Réduisez la taille de l’image.',
  ])
  assert.deepEqual(faults, [])
})
