import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { startTestApp } from '../../../test/support/app.ts'

const client = new URL('client/', import.meta.url)

test('any page may load the script, and asks whether it is still the same', async (t) => {
  const app = await startTestApp(t)

  const first = await app.send({ path: '//embed.js', headers: { origin: 'https://elsewhere.example' } })
  const again = await app.send({ path: '//embed.js', headers: { 'if-none-match': String(first.headers.etag) } })

  assert.equal(first.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(first.headers['access-control-allow-origin'], '*')
  assert.equal(first.headers['cross-origin-resource-policy'], 'cross-origin')
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('the script is one file that imports nothing, with every module once, and small', async (t) => {
  const app = await startTestApp(t)

  const { bytes, text } = await app.send({ path: '//embed.js' })
  const declared = [...text.matchAll(/^(?:async )?(?:function|class|const) (\w+)/gm)].map(([, name]) => name)

  assert.doesNotMatch(text, /^(?:import|export) /m)
  // In a block of strict code, a name that is declared twice is an error of syntax.
  assert.doesNotThrow(() => new Script(`'use strict'; {${text.replaceAll('import.meta', '({})')}\n}`))
  for (const name of ['element', 'plainText', 'dateWriter', 'EventSource', 'stepByKey', 'monthView', 'CalEvents'])
    assert.ok(declared.includes(name), name)
  assert.equal(readdirSync(client).filter((file) => file.endsWith('.js')).length, 9)
  assert.ok(gzipSync(bytes).length < 16_000, `${gzipSync(bytes).length} bytes`)
})

test('the script knows the words that the service is set to', async (t) => {
  const app = await startTestApp(t, { REST_PREFIX: '/wp-json', VENDOR_WORD: 'vendor', LANGUAGE_PARAMETER: 'lang' })

  const { text } = await app.send({ path: '//embed.js' })

  assert.match(text, /"api":"\/wp-json\/vendor\/events\/v1"/)
  assert.match(text, /"api":"\/wp-json\/fr\/vendor\/events\/v1"/)
  assert.match(text, /"languageParameter":"lang"/)
})

test('the colour of the site is that of its pages and of the calendar elsewhere, lighter in the dark', async (t) => {
  const app = await startTestApp(t, { SITE_COLOR: '#a01040' })

  const [, style = ''] =
    /<link rel="stylesheet" href="([^"]+)">/.exec((await app.send({ path: '//events/' })).text) ?? []

  for (const path of [`/${style}`, '//embed.js'])
    assert.match((await app.send({ path })).text, /--brand: ?light-dark\(#a01040, #[c-f]/)
})

test('a theme of the site is that of the calendar elsewhere as well', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-theme-'))
  t.after(() => rm(folder, { recursive: true }))
  const theme = join(folder, 'theme.css')
  await writeFile(theme, ':root { --brand: rebeccapurple; }')
  const app = await startTestApp(t, { SITE_THEME: theme })

  const { text } = await app.send({ path: '//embed.js' })

  assert.match(text, /:host \{ --brand:rebeccapurple; \}/)
  assert.doesNotMatch(text, /:root\b/)
})
