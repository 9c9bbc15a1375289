// Replays every recorded pair of examples/ in the order of its recording, and compares it as `mended.ts` defines.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { MENDED } from './mended.ts'
import { expectedOf, inWordsOf, readPairs, recordedText } from './recorded-answer.ts'
import { startRecordedSite } from './recorded-site.ts'
import { SESSIONS } from './sessions.ts'

for (const { name, zone, files, before } of SESSIONS) {
  test(`recorded ${name}`, async (t) => {
    const site = await startRecordedSite(t, zone)
    for (const file of files) {
      for (const [index, { what, request, response }] of readPairs(file).entries()) {
        const key = `${file} ${index}`
        await before[key]?.(site)
        const mending = MENDED[key]
        if (mending?.answer === 'not replayed') continue
        const expected = expectedOf(response, mending?.answer)
        await site.reachIdsOf(expected)
        const answer = await site.send(request)
        await t.test(`${key}, ${what}${mending ? `, but ${mending.by}` : ''}`, () => {
          assert.equal(inWordsOf(expected, answer), recordedText(expected))
        })
      }
    }
  })
}

test('every recorded file is played, and nothing is mended that was not recorded', () => {
  const files = readdirSync(new URL('examples', import.meta.url)).map((file) => file.replace('.json', ''))
  const played = SESSIONS.flatMap((session) => session.files)
  const keys = files.flatMap((file) => readPairs(file).map((_, index) => `${file} ${index}`))

  assert.deepEqual([...played].sort(), files.sort())
  assert.deepEqual(
    Object.keys(MENDED).filter((key) => !keys.includes(key)),
    [],
  )
  assert.deepEqual(
    SESSIONS.flatMap(({ before }) => Object.keys(before)).filter((key) => !keys.includes(key)),
    [],
  )
})

test('the document keeps the names of recorded paths and schemas', async (t) => {
  interface Document {
    readonly paths: Readonly<Record<string, object>>
    readonly components: { readonly schemas: Readonly<Record<string, object>> }
  }
  const site = await startRecordedSite(t, 'UTC')
  const recorded = readPairs('index-doc')[0]?.response.body as Document

  const ours = (await site.send({ method: 'GET', path: '/cal/events/v1/doc' })).body as Document

  assert.deepEqual(
    Object.keys(recorded).filter((key) => !(key in ours)),
    [],
  )
  for (const [path, operations] of Object.entries(recorded.paths)) {
    assert.deepEqual(
      Object.keys(operations).filter((method) => !(method in (ours.paths[path] ?? {}))),
      [],
      path,
    )
  }
  assert.deepEqual(
    Object.keys(recorded.components.schemas).filter((name) => !(name in ours.components.schemas)),
    [],
  )
})
