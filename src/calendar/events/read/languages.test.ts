import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { isOnPglite } from '../../../../test/support/database.ts'
import { createApp } from '../../../app.ts'
import { CONTRACT_LANGUAGES } from '../../../base/languages/language.ts'
import { auditedTables } from '../../../operate/audit/audited.fields.ts'
import { prepareAll } from '../../../storage/database/derivation.ts'
import { openStorage } from '../../../storage/database/open.ts'
import { derivationsFor } from '../../derivations.ts'

// Content in languages that the contract does not name.

const city = { LANGUAGES: 'fr,es,de', DEFAULT_LANGUAGE: 'fr' }

async function given(app: TestApp, json: object) {
  const dates = { start_date: '2030-02-01 19:00', end_date: '2030-02-01 21:00' }
  const { status, body } = await app.send({
    as: 'editor',
    method: 'POST',
    path: '/events',
    json: { ...dates, ...json },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function titlesAt(app: TestApp, query: string): Promise<readonly string[]> {
  const { status, body } = await app.send({ path: `/events?${query}` })
  assert.equal(status, 200, JSON.stringify(body))
  return body.events.map(({ title }: { readonly title: string }) => title)
}

async function givenCity(app: TestApp) {
  const concert = await given(app, { title: 'Concert', categories: ['Musique'] })
  const concierto = await given(app, { title: 'Concierto', ml_language: 'es', ml_translation_of: concert.id })
  const markt = await given(app, { title: 'Markt', ml_language: 'de' })
  return { concert, concierto, markt }
}

test('a city has its events in French, Spanish and German', async (t) => {
  const app = await startTestApp(t, city)
  const { concert, concierto } = await givenCity(app)

  assert.deepEqual(await titlesAt(app, ''), ['Concert', 'Markt'])
  assert.deepEqual(await titlesAt(app, 'ml_language=es'), ['Concierto'])
  assert.deepEqual(await titlesAt(app, 'ml_language=de'), ['Markt'])
  assert.deepEqual(await titlesAt(app, 'ml_language=fr'), ['Concert'])
  assert.deepEqual(await titlesAt(app, 'ml_language=es&search=concierto'), ['Concierto'])
  assert.deepEqual(await titlesAt(app, 'ml_language=es&categories=musique'), ['Concierto'])
  const { body, headers } = await app.send({ path: `/events/${concierto.id}?ml_language=es` })
  assert.deepEqual(body.ml_translations, { fr: concert.id, es: concierto.id })
  assert.equal(headers['content-language'], 'es')
})

test('languages that the settings do not have are refused, by name', async (t) => {
  const app = await startTestApp(t, city)

  for (const language of ['en', 'fr-CA', 'ES', 'it', '']) {
    const { status, body } = await app.send({ path: `/events?ml_language=${language}` })
    assert.equal(status, 400, language)
    assert.match(body.data.params.ml_language, /fr, es, de/)
  }
})

test('regional versions of a language stand in for each other', async (t) => {
  const app = await startTestApp(t, { LANGUAGES: 'es,es-MX,fr-CA,fr', DEFAULT_LANGUAGE: 'es' })
  await given(app, { title: 'Fiesta', ml_language: 'es-MX' })
  await given(app, { title: 'Fête', ml_language: 'fr' })

  assert.deepEqual(await titlesAt(app, 'ml_language=es'), ['Fiesta'])
  assert.deepEqual(await titlesAt(app, 'ml_language=fr-CA'), ['Fête'])
})

test('texts of the service are in the nearest language: French for fr, else that of the address', async (t) => {
  const app = await startTestApp(t, city)
  const languageOf = async (path: string) => (await app.send({ path })).headers['content-language']

  assert.equal(await languageOf('/events/999?ml_language=fr'), 'fr-CA')
  assert.equal(await languageOf('/events/999?ml_language=es'), 'en')
  assert.equal(await languageOf('//fr/cal/events/v1/events/999?ml_language=es'), 'fr-CA')
})

test('the index and the document name the languages of the settings', async (t) => {
  const app = await startTestApp(t, city)
  const { text } = await app.send({ path: '' })
  const { body } = await app.send({ path: '/doc' })

  assert.ok(text.includes('"enum":["fr","es","de"]'))
  assert.deepEqual(body.components.schemas.Event.properties.ml_language.enum, [...CONTRACT_LANGUAGES, 'fr', 'es', 'de'])
})

test('a page leads to its versions in all languages, and says which language its content is in', async (t) => {
  const app = await startTestApp(t, city)
  await givenCity(app)
  const page = async (path: string) => (await app.send({ path: `/${path}`, headers: { accept: 'text/html' } })).text
  const [french, spanish] = [await page('/fr/event/concert/'), await page('/event/concierto/')]

  assert.match(french, /<a class="language" href="\/event\/concierto\/" lang="es" hreflang="es">Español<\/a>/)
  assert.match(spanish, /<a class="language" href="\/fr\/event\/concert\/" lang="fr-CA"/)
  for (const text of [french, spanish]) {
    assert.match(text, /<link rel="alternate" hreflang="fr" href="[^"]*\/fr\/event\/concert\/">/)
    assert.match(text, /<link rel="alternate" hreflang="es" href="[^"]*\/event\/concierto\/">/)
  }
  assert.match(spanish, /<h1[^>]* lang="es"/)
  assert.match(await page('/fr/events/'), /Concert/)
  const plain = await page('/events/')
  assert.match(plain, /Concert[\s\S]*Markt/)
  assert.match(plain, /href="http:\/\/calendar\.test\/cal\/events\/v1\/events\.rss\?ends_after=-24\+hours"/)
})

test('a database that gets a language is indexed for it when it is opened; what is stored keeps its meaning', async (t) => {
  const app = await startTestApp(t, { EVENTS_FALLBACK: 'any' })
  const first = await given(app, { title: 'Jazz night' })
  await given(app, { title: 'Nuit du jazz', ml_language: 'fr-CA', ml_translation_of: first.id })
  await given(app, { title: 'Marché', ml_language: 'fr-CA' })
  const { config, storage } = app.deps
  const bits = async () => {
    const { rows } = await sql<{ shown_alone: number }>`
      select shown_alone from listed_events order by event_id`.execute(storage.db)
    return rows.map(({ shown_alone }) => Number(shown_alone))
  }
  const before = await bits()
  const languages = [...config.languages, 'es']
  const withSpanish = { ...config, languages }

  // An engine with a single connection runs the same indexing steps, but cannot open the database a second time.
  if (isOnPglite()) {
    await storage.write((tx) => prepareAll(derivationsFor(withSpanish), tx, storage.dialect))
  } else {
    const reopened = await openStorage(withSpanish, {
      audited: auditedTables,
      derivations: derivationsFor(withSpanish),
      isDurable: false,
    })
    const server = createApp({ ...app.deps, config: withSpanish, storage: reopened })
    t.after(async () => {
      await server.close()
      await reopened.close()
    })
    const titles = async (query: string) => {
      const answer = await server.inject({ url: `/cal/events/v1/events?${query}` })
      return answer.json().events.map(({ title }: { readonly title: string }) => title)
    }
    assert.deepEqual(await titles('ml_language=es'), ['Jazz night', 'Marché'])
    assert.deepEqual(await titles('ml_language=es&search=jazz'), ['Jazz night'])
    assert.deepEqual(await titles('ml_language=fr-CA'), ['Nuit du jazz', 'Marché'])
    // A process that was started earlier also writes index entries for the new language.
    await given(app, { title: 'Ball' })
    assert.deepEqual(await titles('ml_language=es'), ['Jazz night', 'Marché', 'Ball'])
  }

  const after = await bits()
  const pinned = 2 ** 12 - 1
  assert.deepEqual(
    after.slice(0, before.length).map((shown) => shown & pinned),
    before,
  )
  assert.ok(after.some((shown) => shown > pinned))
  assert.deepEqual(await titlesAt(app, 'ml_language=fr-CA&search=jazz'), ['Nuit du jazz'])
})
