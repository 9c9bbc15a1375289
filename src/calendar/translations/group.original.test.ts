import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm, givenVenue } from '../../../test/support/given.ts'

// Languages that the default language falls back to only by way of the original (languages.md §3).
const LANGUAGES = 'en,en-CA,fr-CA,es,de,it,pt'

test('a group keeps its original when another version leaves, and takes the oldest when the original leaves', async (t) => {
  const app = await startTestApp(t, { LANGUAGES })
  const given = (ml_language: string) => givenTerm(app, 'tags', { name: ml_language, ml_language })
  const [spanish, german, italian, portuguese] = [
    await given('es'),
    await given('de'),
    await given('it'),
    await given('pt'),
  ]
  const shown = async () => {
    const { body } = await app.send({ path: '/tags?hide_empty=0' })
    assert.equal(body.total, body.tags.length)
    return body.tags.map((tag: { id: number }) => tag.id).toSorted((one: number, other: number) => one - other)
  }
  const join = (id: number, of: number) => changed(app, `/tags/${id}`, { ml_translation_of: of })
  // The newest one is the original of all: it is the one that the others join.
  for (const { id } of [spanish, german, italian]) await join(id, portuguese.id)
  assert.deepEqual(await shown(), [portuguese.id])

  await join(german.id, 0)
  assert.deepEqual(await shown(), [german.id, portuguese.id])
  await join(portuguese.id, 0)
  assert.deepEqual(await shown(), [spanish.id, german.id, portuguese.id])
  const { tags } = (await app.send({ path: '/tags?hide_empty=0&ml_language=en' })).body
  assert.deepEqual(
    Object.fromEntries(tags.map((tag: { id: number; ml_translations: object }) => [tag.id, tag.ml_translations])),
    {
      [spanish.id]: { es: spanish.id, it: italian.id },
      [german.id]: { de: german.id },
      [portuguese.id]: { pt: portuguese.id },
    },
  )
  // The last one alone is a group of its own, to which others can come.
  await join(italian.id, 0)
  assert.deepEqual(await shown(), [spanish.id, german.id, italian.id, portuguese.id])
  await join(german.id, italian.id)
  assert.deepEqual(await shown(), [spanish.id, italian.id, portuguese.id])
  // Once more changes nothing.
  await join(german.id, italian.id)
  assert.deepEqual(await shown(), [spanish.id, italian.id, portuguese.id])
})

test('a version that moves to another group is in that one only, and a language that is taken is told with its version', async (t) => {
  const app = await startTestApp(t, { LANGUAGES })
  const given = (name: string, ml_language: string) => givenTerm(app, 'tags', { name, ml_language })
  const [loud, quiet] = [await given('Loud', 'en'), await given('Quiet', 'en')]
  const [bruyant, calme] = [await given('Bruyant', 'fr-CA'), await given('Calme', 'fr-CA')]
  const versions = async (id: number) => (await app.send({ path: `/tags/${id}?ml_language=en` })).body.ml_translations
  const join = (id: number, ml_translation_of: number) =>
    app.send({ as: 'editor', method: 'PATCH', path: `/tags/${id}`, json: { ml_translation_of } })

  assert.equal((await join(bruyant.id, loud.id)).status, 200)
  const refused = await join(calme.id, loud.id)
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.data.id],
    [400, 'ml_translation_exists', bruyant.id],
  )
  assert.equal((await join(bruyant.id, quiet.id)).status, 200)

  assert.deepEqual(await versions(loud.id), { en: loud.id })
  assert.deepEqual(await versions(quiet.id), { en: quiet.id, 'fr-CA': bruyant.id })
  assert.equal((await join(calme.id, loud.id)).status, 200)
  assert.deepEqual(await versions(calme.id), { en: loud.id, 'fr-CA': calme.id })
})

test('an id in a list of terms stands for its group, in the order in which it was sent', async (t) => {
  const app = await startTestApp(t)
  const given = (name: string, ml_language = 'en') => givenTerm(app, 'tags', { name, ml_language })
  const [loud, quiet, soft] = [await given('Loud'), await given('Quiet'), await given('Soft')]
  const [bruyant, doux] = [await given('Bruyant', 'fr-CA'), await given('Doux', 'fr-CA')]
  await changed(app, `/tags/${bruyant.id}`, { ml_translation_of: loud.id })
  await changed(app, `/tags/${doux.id}`, { ml_translation_of: soft.id })
  const names = async (query: string) =>
    (await app.send({ path: `/tags?hide_empty=0&${query}` })).body.tags.map((tag: { name: string }) => tag.name)

  assert.deepEqual(await names(`orderby=include&include=${doux.id},${quiet.id},${loud.id}`), ['Soft', 'Quiet', 'Loud'])
  assert.deepEqual(await names(`orderby=include&include=${loud.id},${doux.id},${quiet.id}&ml_language=fr-CA`), [
    'Bruyant',
    'Doux',
    'Quiet',
  ])
  assert.deepEqual(await names(`include=${bruyant.id}`), ['Loud'])
  assert.deepEqual(await names(`exclude=${bruyant.id}`), ['Quiet', 'Soft'])
  assert.deepEqual(await names(`exclude=${loud.id},${doux.id}&ml_language=fr-CA`), ['Quiet'])
})

test('a list tells the languages of its items, each once and in order (languages.md §4)', async (t) => {
  const app = await startTestApp(t)
  const languageOf = async (path: string) => (await app.send({ path })).headers['content-language']
  assert.equal(await languageOf('/tags?hide_empty=0'), undefined)

  const noir = await givenTerm(app, 'tags', { name: 'B noir', ml_language: 'fr-CA' })
  for (const name of ['A', 'C']) await givenTerm(app, 'tags', { name })
  await givenTerm(app, 'tags', { name: 'D', ml_language: 'en-CA' })

  assert.equal(await languageOf('/tags?hide_empty=0'), 'en, fr-CA, en-CA')
  assert.equal(await languageOf('/tags?hide_empty=0&order=desc'), 'en-CA, en, fr-CA')
  assert.equal(await languageOf(`/tags/${noir.id}?ml_language=en`), 'fr-CA')
})

test('linked items name their versions too, if the request names a language (languages.md §4)', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  const salle = await givenVenue(app, { venue: 'Salle', ml_language: 'fr-CA', ml_translation_of: hall.id })
  const loud = await givenTerm(app, 'tags', { name: 'Loud' })
  const bruyant = await givenTerm(app, 'tags', { name: 'Bruyant', ml_language: 'fr-CA', ml_translation_of: loud.id })
  const { id } = await givenEvent(app, { venue: hall.id, tags: [loud.id] })
  const shown = async (query: string) => (await app.send({ path: `/events/${id}${query}` })).body

  const french = await shown('?ml_language=fr-CA')
  assert.deepEqual(
    [french.venue, ...french.tags].map((item) => [item.id, item.ml_language, item.ml_translations]),
    [
      [salle.id, 'fr-CA', { en: hall.id, 'fr-CA': salle.id }],
      [bruyant.id, 'fr-CA', { en: loud.id, 'fr-CA': bruyant.id }],
    ],
  )
  const plain = await shown('')
  assert.deepEqual(
    [plain.venue, ...plain.tags].map((item) => [item.id, item.ml_translations]),
    [
      [hall.id, undefined],
      [loud.id, undefined],
    ],
  )
})
