import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { startTestApp } from '../support/app.ts'
import { fieldsIn, givenDesk } from '../support/desk.ts'

// The address of a result is signed with the token of the session, which its user knows. So it can contain anything.

const pages = {
  '/admin/import/': '/admin/import/',
}

test('a result that is too long for its page is the answer itself', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')

  await desk.get('/admin/import/')
  const undone = await desk.send('/admin/events/many/undo/', { undo: '', back: 'a'.repeat(400_000) })

  assert.equal(undone.status, 200, undone.text.slice(0, 3000))
  assert.match(undone.text, /No event was changed back/)
})

test('a result that is none leads away from its page', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const { csrf = '' } = fieldsIn((await desk.get('/admin/import/')).text)
  const packs = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString('base64url')
  const counts = { created: 1, changed: 0, unchanged: 0, failed: 0 }
  const parts = [
    ...['', 'AAAA', deflateRawSync('no JSON').toString('base64url'), packs('a'.repeat(300 * 1024))],
    ...[null, 1, 'text', {}, { done: 'changed', changed: 2, undo: '', back: '' }].map(packs),
    ...[{ done: 'gone', changed: 2, refused: [], undo: '', back: '' }].map(packs),
    ...[{ done: 'changed', changed: 2, refused: [null], undo: '', back: '' }].map(packs),
    ...[{ result: counts, typed: { source: 'a', language: 'en' } }, { result: { ...counts, refusal: '' } }].map(packs),
    ...[{ result: { ...counts, refusal: '', problems: [1] }, typed: { source: 'a', language: 'en' } }].map(packs),
  ]

  for (const [page, elsewhere] of Object.entries(pages)) {
    for (const part of parts) {
      const signature = createHmac('sha256', csrf).update(`${page} ${part}`).digest('base64url').slice(0, 32)
      const { status, headers } = await desk.get(`${page}?result=${part}.${signature}`)
      assert.deepEqual([status, headers.location], [303, elsewhere], `${page} ${part.slice(0, 99)}`)
    }
  }
})
