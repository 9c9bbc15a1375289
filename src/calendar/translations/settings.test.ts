// The language settings of operators (languages.md §2, §3, §4, §7), each with all its values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue, listedIds } from '../../../test/support/given.ts'
import { createApp } from '../../app.ts'

const french = { ml_language: 'fr-CA' }
const listParameter = { routes: { '/cal/events/v1/events': { endpoints: [{ args: {} }] } } }

async function languageEnums(app: TestApp): Promise<readonly unknown[]> {
  const index: typeof listParameter = (await app.send({ path: '' })).body
  const args: Record<string, { enum?: unknown }> = index.routes['/cal/events/v1/events'].endpoints[0]?.args ?? {}
  const document = (await app.send({ path: '/doc' })).body
  return [args.ml_language?.enum, document.components.parameters.ml_language.schema.enum]
}

test('the languages on offer are those that may be asked for and written in', async (t) => {
  const all = await startTestApp(t)
  const some = await startTestApp(t, { LANGUAGES: 'fr-CA, en' })

  assert.deepEqual(await languageEnums(all), [
    ['en', 'en-CA', 'fr-CA'],
    ['en', 'en-CA', 'fr-CA'],
  ])
  assert.deepEqual(await languageEnums(some), [
    ['fr-CA', 'en'],
    ['fr-CA', 'en'],
  ])
  for (const method of ['GET', 'POST'] as const) {
    const { status, body } = await some.send({ as: 'editor', method, path: '/venues?venue=Hall&ml_language=en-CA' })
    assert.equal(status, 400)
    assert.equal(body.data.details.ml_language.code, 'rest_not_in_enum')
    assert.match(body.data.params.ml_language, /fr-CA, en\.$/)
  }
  assert.equal((await some.send({ path: '/venues?ml_language=fr-CA' })).status, 200)
  assert.equal((await all.send({ path: '/venues?ml_language=en-CA' })).status, 200)
})

test('records of a language that is no longer on offer are still shown', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { ml_language: 'en-CA' })
  const config = { ...app.deps.config, languages: ['en', 'fr-CA'] } as const
  const server = createApp({ ...app.deps, config })
  t.after(() => server.close())

  for (const query of ['', '?ml_language=en']) {
    const { events } = (await server.inject(`/cal/events/v1/events${query}`)).json()
    assert.deepEqual(
      events.map((event: { id: number }) => event.id),
      [id],
    )
  }
})

/** Returns the ids of the venues, organizers, categories and tags of lists, in that order. */
async function namesListed(app: TestApp, query: string): Promise<readonly (readonly number[])[]> {
  const lists = ['venues', 'organizers', 'categories', 'tags'].map(async (kind) => {
    const { body, text, status } = await app.send({ path: `/${kind}?hide_empty=0&${query}` })
    assert.equal(status, 200, text)
    const ids: number[] = body[kind].map(({ id }: { id: number }) => id)
    assert.equal(body.total, ids.length)
    return ids.sort((one, other) => one - other)
  })
  return Promise.all(lists)
}

async function givenNames(app: TestApp, sent: Readonly<Record<string, unknown>>): Promise<readonly number[]> {
  const made = [
    await givenVenue(app, { venue: 'Name', ...sent }),
    await givenOrganizer(app, { organizer: 'Name', ...sent }),
    await givenTerm(app, 'categories', { name: 'Name', ...sent }),
    await givenTerm(app, 'tags', { name: 'Name', ...sent }),
  ]
  return made.map(({ id }) => id)
}

/** Records without translations, in Canadian English and in French. */
async function givenUntranslated(app: TestApp) {
  return { canadian: await givenNames(app, { ml_language: 'en-CA' }), inFrench: await givenNames(app, french) }
}

test('lists of names in a language show all the others too, unless they are to keep to the language', async (t) => {
  const any = await startTestApp(t)
  const language = await startTestApp(t, { NAMES_FALLBACK: 'language' })
  const none = await startTestApp(t, { NAMES_FALLBACK: 'none' })
  const { canadian, inFrench } = await givenUntranslated(any)
  for (const app of [language, none]) assert.deepEqual(await givenUntranslated(app), { canadian, inFrench })
  const both = canadian.map((id, place) => [id, inFrench[place]])
  const only = (ids: readonly number[]) => ids.map((id) => [id])
  const nothing = [[], [], [], []]

  assert.deepEqual(await namesListed(any, 'ml_language=en'), both)
  assert.deepEqual(await namesListed(language, 'ml_language=en'), only(canadian))
  assert.deepEqual(await namesListed(none, 'ml_language=en'), nothing)
  for (const app of [language, none]) {
    assert.deepEqual(await namesListed(app, 'ml_language=fr-CA'), only(inFrench))
    assert.deepEqual(await namesListed(app, ''), both, 'without a language nothing is hidden')
  }
})

test('a list without a language shows everything once, unless it is to be that in the default language', async (t) => {
  const all = await startTestApp(t)
  const strict = await startTestApp(t, { DEFAULT_LISTS_ALL_GROUPS: 'false', NAMES_FALLBACK: 'language' })
  const given = async (app: TestApp) => {
    const english = await givenEvent(app)
    const other = await givenEvent(app, french)
    return { english: english.id, other: other.id, ...(await givenUntranslated(app)) }
  }
  const { english, other, canadian, inFrench } = await given(all)
  await given(strict)

  assert.deepEqual(await listedIds(all, ''), [english, other])
  assert.deepEqual(await listedIds(strict, ''), [english])
  assert.deepEqual(await listedIds(strict, '', 'editor'), [english])
  assert.deepEqual(await listedIds(strict, 'ml_language=fr-CA'), [other])
  assert.deepEqual(
    await namesListed(all, ''),
    canadian.map((id, place) => [id, inFrench[place]]),
  )
  assert.deepEqual(
    await namesListed(strict, ''),
    canadian.map((id) => [id]),
  )
})

test('the French address has French texts, and where it is set so French records as well', async (t) => {
  const texts = await startTestApp(t)
  const records = await startTestApp(t, { ADDRESS_LANGUAGES: 'fr-CA' })
  const titlesAt = async (app: TestApp, path: string) =>
    (await app.send({ path })).body.events.map(({ title }: { title: string }) => title)
  const variant = '//fr/cal/events/v1/events'

  for (const app of [texts, records]) {
    const { id } = await givenEvent(app)
    await givenEvent(app, { title: 'Spectacle', ...french, ml_translation_of: id })
    assert.deepEqual(await titlesAt(app, '/events'), ['Concert'])
    assert.deepEqual(
      await titlesAt(app, `${variant}?ml_language=en`),
      ['Concert'],
      'what the request names comes first',
    )
    assert.match((await app.send({ path: '//fr/cal/events/v1/nowhere' })).body.message, /Aucune route/)
  }
  assert.deepEqual(await titlesAt(texts, variant), ['Concert'])
  assert.deepEqual(await titlesAt(records, variant), ['Spectacle'])
  const json = { venue: 'Salle' }
  const made = await records.send({ as: 'editor', method: 'POST', path: '//fr/cal/events/v1/venues', json })
  assert.equal(made.body.ml_language, 'fr-CA')
})

test('by default no header chooses the language of texts', async (t) => {
  const app = await startTestApp(t)
  const headers = { 'accept-language': 'fr-CA' }

  for (const path of ['', '/doc', '/nowhere']) {
    const answer = await app.send({ path, headers })
    assert.equal(answer.text, (await app.send({ path })).text)
    assert.deepEqual([answer.headers['content-language'], answer.headers.vary], ['en', 'Accept-Encoding'])
  }
})

test('where a header may choose, it chooses the language of errors, index and document, and caches are told', async (t) => {
  const app = await startTestApp(t, { TEXTS_FROM_ACCEPT_LANGUAGE: 'true' })
  const languageOf = async (path: string, wanted?: string) => {
    const answer = await app.send({ path, ...(wanted ? { headers: { 'accept-language': wanted } } : {}) })
    assert.equal(answer.headers.vary, 'Accept-Language, Accept-Encoding', path)
    return answer.headers['content-language']
  }

  for (const below of ['', '/doc', '/nowhere', '/events/0', '/events?page=0']) {
    const variant = `//fr/cal/events/v1${below}`
    assert.equal(await languageOf(below, 'de, fr-FR;q=0.9, en;q=0.8'), 'fr-CA', below)
    assert.equal(await languageOf(variant, 'en'), 'en', below)
    assert.equal(await languageOf(below, 'de'), 'en', below)
    assert.equal(await languageOf(variant), 'fr-CA', below)
  }
  const [french, byAddress] = [
    await app.send({ path: '/nowhere', headers: { 'accept-language': 'fr' } }),
    await app.send({ path: '//fr/cal/events/v1/nowhere' }),
  ]
  assert.equal(french.text, byAddress.text)
  assert.equal(await languageOf('?ml_language=en-CA', 'fr'), 'en', 'what the request names comes first')
})

test('where a header may choose, content and addresses do not depend on it', async (t) => {
  const app = await startTestApp(t, { TEXTS_FROM_ACCEPT_LANGUAGE: 'true', CORS_ORIGINS: site })
  const { id } = await givenEvent(app)

  for (const path of ['/events', `/events/${id}`, '/venues', '/tags']) {
    const answer = await app.send({ path, headers: { 'accept-language': 'fr' } })
    assert.equal(answer.text, (await app.send({ path })).text)
    assert.equal(answer.headers.vary, 'Origin, Accept-Encoding')
  }
  const problem = await app.send({ path: '/events/0', headers: { 'accept-language': 'fr', origin: site } })
  assert.equal(problem.headers.vary, 'Origin, Accept-Language, Accept-Encoding')
})
