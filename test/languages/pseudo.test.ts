import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { type TestContext, test } from 'node:test'
import { english } from '../../src/base/languages/en/catalogue.ts'
import type { TestApp } from '../support/app.ts'

// A third language of texts requires a folder and an entry in the registry. This test adds only these two.

const registry = new URL('../../src/base/languages/catalogues.ts', import.meta.url).href
const folder = new URL('xa/catalogue.ts', import.meta.url).href

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (url !== registry) return loaded
    const source = String(loaded.source)
    const entry = '[english, french]'
    assert.ok(source.includes(entry))
    return {
      ...loaded,
      source: `import { pseudo } from '${folder}'\n${source.replace(entry, '[english, french, pseudo]')}`,
    }
  },
})

/** Every later import has the language. */
async function startApp(t: TestContext, settings: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const { startTestApp } = await import('../support/app.ts')
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto', LANGUAGES: 'en,fr-CA,en-XA', ...settings })
  const json = {
    title: 'Jazz',
    start_date: '2030-02-01 19:00',
    end_date: '2030-02-01 21:00',
    cost: '12',
    ml_language: 'en-XA',
  }
  assert.equal((await app.send({ as: 'editor', method: 'POST', path: '/events', json })).status, 201)
  return app
}

/** All texts of more than one word, at any depth. */
function sentencesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes(' ') ? [value] : []
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(sentencesOf) : []
}

const api = '//xa/cal/events/v1'

test('errors are in it, those of both namespaces', async (t) => {
  const app = await startApp(t)

  for (const path of [`${api}/nowhere`, `${api}/events?page=0&geoloc_lat=100`, '//xa/cal/service/v1/nowhere']) {
    const { headers, body } = await app.send({ path })
    const sentences = sentencesOf(body)
    assert.ok(sentences.length > 0, path)
    assert.deepEqual(
      sentences.filter((text) => !text.startsWith('⟦')),
      [],
      path,
    )
    if (path.startsWith(api)) assert.equal(headers['content-language'], 'en-XA')
  }
})

test('the index and the OpenAPI document are in it, with addresses of their own', async (t) => {
  const app = await startApp(t)
  const descriptionsOf = (value: unknown): readonly unknown[] =>
    value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, inner]) =>
          key === 'description' && typeof inner === 'string'
            ? [inner]
            : key === 'examples'
              ? []
              : descriptionsOf(inner),
        )
      : []

  for (const path of [api, `${api}/doc`]) {
    const { text, body, headers } = await app.send({ path })
    const descriptions = descriptionsOf(body)
    assert.ok(descriptions.length > 100, path)
    assert.deepEqual(
      descriptions.filter((one) => one !== '' && !String(one).startsWith('⟦')),
      [],
      path,
    )
    assert.equal(headers['content-language'], 'en-XA')
    assert.ok(text.includes('/xa/cal/events/v1'))
  }
})

test('pages are in it, and lead to the other languages', async (t) => {
  const app = await startApp(t)
  const texts = Object.values(english.texts.pages).filter(
    (text) => typeof text === 'string' && /^\p{L}[^{}]{5,}$/u.test(text),
  )

  for (const path of [
    '//xa/events/',
    '//xa/events/month/2030-02/',
    '//xa/event/jazz/',
    '//xa/events/2030-02-01/',
    '//xa/gone',
  ]) {
    const { text, headers } = await app.send({ path, headers: { accept: 'text/html' } })
    assert.match(text, /<html lang="en-XA">/, path)
    assert.equal(headers['content-language'], 'en-XA')
    assert.ok(text.includes('⟦'))
    assert.deepEqual(
      texts.filter((one) => text.includes(`>${one}<`)),
      [],
      path,
    )
    assert.match(text, /<a class="language" href="[^"]*" lang="en" hreflang="en"/)
    assert.match(text, /<a class="language" href="\/fr\/[^"]*" lang="fr-CA" hreflang="fr-CA"/)
  }
  const { text } = await app.send({ path: '//events/' })
  assert.match(text, /<link rel="alternate" hreflang="en-XA" href="[^"]*\/xa\/events\/">/)
  assert.match(text, /<a class="language" href="\/xa\/events\/" lang="en-XA"/)
  assert.match((await app.send({ path: '//xa/event/jazz/' })).text, /⟦7 p\.m\. … 9 p\.m\.⟧.*|12\u00a0\$/)
})

test('records at its addresses are in it if a setting says so, like those of French', async (t) => {
  const app = await startApp(t, { ADDRESS_LANGUAGES: 'fr-CA,en-XA' })
  const languageAt = async (path: string) =>
    (await app.send({ as: 'editor', method: 'POST', path: `${path}cal/events/v1/venues`, json: { venue: 'Hall' } }))
      .body.ml_language

  assert.deepEqual([await languageAt('//xa/'), await languageAt('//fr/')], ['en-XA', 'fr-CA'])
})

test('feeds, the reference, what robots read and the calendar on other sites have it', async (t) => {
  const app = await startApp(t)
  const textAt = async (path: string) => {
    const { status, text } = await app.send({ path })
    assert.equal(status, 200, path)
    return text
  }

  assert.match(await textAt(`${api}/events.rss`), /<title>⟦[\s\S]*<language>en-XA</)
  assert.match(await textAt(`${api}/events.atom`), /xml:lang="en-XA"/)
  assert.match(await textAt(`${api}/events.ics`), /PRODID:.*XA/)
  assert.match(await textAt('//xa/event/jazz/ical/'), /BEGIN:VCALENDAR/)
  assert.match(await textAt('//xa/docs'), /<html lang="xa">[\s\S]*⟦/)
  assert.match(await textAt('//docs'), /<a href="xa\/docs" lang="xa" hreflang="xa">⟦English⟧<\/a>/)
  assert.match(await textAt('//robots.txt'), /\/xa\/events\//)
  assert.match(await textAt('//sitemap-1.xml'), /\/xa\/events\//)
  assert.match(await textAt('//embed.js'), /"xa":\{"path":"\/xa"/)
})

test('clients may ask for it by a header, and a search passes over its stop words', async () => {
  const { acceptedLanguage } = await import('../../src/base/languages/accept.ts')
  const { stopWordsOf, textLanguageOf } = await import('../../src/base/languages/language.ts')

  assert.equal(acceptedLanguage('fr;q=0.5, en-XA'), 'xa')
  assert.equal(acceptedLanguage('en-CA'), 'en')
  assert.equal(textLanguageOf('en-XA'), 'xa')
  assert.equal(textLanguageOf('en-CA'), 'en')
  assert.ok(stopWordsOf('en-XA').has('jazz'))
})

test('the editors’ desk is in it, and reads its words for dates', async (t) => {
  const app = await startApp(t)
  const { readMoment } = await import('../../src/desk/events/editor.dates.ts')

  const { status, text } = await app.send({ path: '//xa/admin/sign-in/', headers: { accept: 'text/html' } })

  assert.equal(status, 200)
  assert.match(text, /<html lang="en-XA"/)
  const words = Object.values(english.texts.desk).filter(
    (one) => typeof one === 'string' && /^\p{L}[^{}]{5,}$/u.test(one),
  )
  assert.deepEqual(
    // The name of the site is a setting, and the same in all languages.
    words.filter((one) => one !== app.deps.config.siteName && text.includes(`>${one}<`)),
    [],
  )
  assert.match(text, /⟦/)
  assert.deepEqual(readMoment('xoday 7pm', '2030-01-15'), { day: '2030-01-15', time: '19:00' })
})
