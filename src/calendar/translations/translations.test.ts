// The rows of languages.md §6, one test each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import {
  givenEvent,
  givenOrganizer,
  givenTerm,
  givenVenue,
  listedIds,
  plainEvent,
} from '../../../test/support/given.ts'

const french = { ml_language: 'fr-CA' }

async function givenTranslation(app: TestApp, of: number, sent: Record<string, unknown> = {}) {
  const json = { title: 'Spectacle', ...french, ml_translation_of: of, ...sent }
  const { status, body, text } = await app.send({ as: 'administrator', method: 'POST', path: '/events', json })
  assert.equal(status, 201, text)
  return body
}

test('row 1: without the parameter no answer has a key of languages', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { venue: { venue: 'Hall' }, tags: ['x'] })
  await givenTranslation(app, event.id)

  for (const path of ['/events', `/events/${event.id}`, '/venues', '/tags']) {
    assert.doesNotMatch((await app.send({ path })).text, /ml_/, path)
  }
})

test('row 2: a group is listed once, in the language asked for or one that stands in for it', async (t) => {
  const app = await startTestApp(t)
  const english = await givenEvent(app)
  const translation = await givenTranslation(app, english.id)

  assert.deepEqual(await listedIds(app, ''), [english.id])
  assert.equal((await app.send({ path: '/events' })).body.total, 1)
  assert.deepEqual(await listedIds(app, 'ml_language=fr-CA'), [translation.id])
  assert.deepEqual(await listedIds(app, 'ml_language=en-CA'), [english.id])
})

test('row 3: what is only in one language is listed without the parameter, and in no other language', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, french)

  assert.deepEqual(await listedIds(app, ''), [id])
  assert.deepEqual(await listedIds(app, 'ml_language=fr-CA'), [id])
  assert.deepEqual(await listedIds(app, 'ml_language=en'), [])
  const any = await startTestApp(t, { EVENTS_FALLBACK: 'any' })
  const other = await givenEvent(any, french)
  assert.deepEqual(await listedIds(any, 'ml_language=en'), [other.id])
})

test('row 4: a venue that nobody translated is shown in its language', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const event = await givenEvent(app, { ...french, venue: venue.id })

  const { body, headers } = await app.send({ path: `/events/${event.id}?ml_language=fr-CA` })

  assert.deepEqual([body.ml_language, body.venue.id, body.venue.ml_language], ['fr-CA', venue.id, 'en'])
  assert.equal(headers['content-language'], 'fr-CA')
})

test('row 5: once translated the venue is shown in the language of the event, and either id filters for both', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { zip: 'H2H 2H2', city: 'Montreal' })
  const english = await givenEvent(app, { venue: venue.id })
  const event = await givenEvent(app, { ...french, venue: venue.id })
  const salle = await givenVenue(app, { venue: 'Salle', city: 'Montréal', ...french, ml_translation_of: venue.id })

  assert.equal(salle.zip, 'H2H 2H2')
  assert.equal((await app.send({ path: `/events/${event.id}` })).body.venue.id, salle.id)
  assert.equal((await app.send({ path: `/events/${english.id}` })).body.venue.id, venue.id)
  assert.equal((await app.send({ path: `/events/${english.id}?ml_language=fr-CA` })).body.venue.id, salle.id)
  for (const id of [venue.id, salle.id]) assert.deepEqual(await listedIds(app, `venue=${id}`), [english.id, event.id])
  const list = (await app.send({ path: '/venues?ml_language=fr-CA&has_events=1' })).body
  assert.deepEqual(
    [list.total, list.venues[0].id, list.venues[0].ml_translations],
    [1, salle.id, { en: venue.id, 'fr-CA': salle.id }],
  )
  assert.match(list.rest_url, /&ml_language=fr-CA$/)
})

test('row 6: by id a record is itself, whatever the language, and names its versions', async (t) => {
  const app = await startTestApp(t)
  const english = await givenEvent(app)
  const translation = await givenTranslation(app, english.id)

  const { body, headers } = await app.send({ path: `/events/${english.id}?ml_language=fr-CA` })

  assert.deepEqual([body.id, body.ml_translations], [english.id, { en: english.id, 'fr-CA': translation.id }])
  assert.deepEqual(Object.keys(body).slice(-2), ['ml_language', 'ml_translations'])
  assert.equal(headers['content-language'], 'en')
  assert.match(translation.url, /\/fr\/event\/spectacle\/$/)
})

test('row 7: a group has one version per language', async (t) => {
  const app = await startTestApp(t)
  const english = await givenEvent(app)
  const translation = await givenTranslation(app, english.id)

  const json = { ...plainEvent, ...french, ml_translation_of: english.id }
  const { status, body } = await app.send({ as: 'editor', method: 'POST', path: '/events', json })

  assert.deepEqual([status, body.code, body.data], [400, 'ml_translation_exists', { status: 400, id: translation.id }])
  assert.equal((await app.send({ as: 'editor', path: '/events' })).body.total, 1)
})

test('row 8: a language is one of the list, to the letter', async (t) => {
  const app = await startTestApp(t)

  for (const language of ['fr', 'FR-CA', 'all', '']) {
    const { status, body } = await app.send({ path: `/events?ml_language=${language}` })
    assert.equal(status, 400, language)
    assert.equal(body.data.details.ml_language.code, 'rest_not_in_enum')
  }
})

test('row 9: deleting a version leaves the others, listed in what language there is', async (t) => {
  const app = await startTestApp(t)
  const english = await givenEvent(app, { tags: ['Loud'] })
  const translation = await givenTranslation(app, english.id)

  const deleted = await app.send({ as: 'editor', method: 'DELETE', path: `/events/${english.id}` })

  assert.equal(deleted.body.tags[0].count, 1)
  assert.deepEqual(await listedIds(app, ''), [translation.id])
  const { body } = await app.send({ path: `/events/${translation.id}?ml_language=fr-CA` })
  assert.deepEqual(body.ml_translations, { 'fr-CA': translation.id })
})

test('row 10: the French variant is the same but for texts and addresses', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { venue: { venue: 'Hall' } })

  const [english, variant] = [
    await app.send({ path: `/events/${id}` }),
    await app.send({ path: `//fr/cal/events/v1/events/${id}` }),
  ]

  assert.equal(variant.text.replaceAll('/fr/cal/', '/cal/'), english.text)
  assert.notEqual(variant.text, english.text)
})

test('row 11: names are compared within a language', async (t) => {
  const app = await startTestApp(t)
  const english = await givenVenue(app, { venue: 'Forum' })
  const other = await givenVenue(app, { venue: 'Forum', ...french })

  assert.notEqual(other.id, english.id)
  assert.deepEqual([english.slug, other.slug], ['forum', 'forum'])
  assert.equal((await givenVenue(app, { venue: 'Forum' })).id, english.id)
  assert.equal((await app.send({ path: '/venues/by-slug/forum' })).body.id, english.id)
  assert.equal((await app.send({ path: '/venues/by-slug/forum?ml_language=fr-CA' })).body.id, other.id)
})

test('what a translation does not say is that of what it translates; shared fields are one for the group', async (t) => {
  const app = await startTestApp(t)
  const english = await givenEvent(app, {
    ...{ description: 'Words', cost: '5', featured: true, timezone: 'America/Toronto', tags: ['Loud'] },
    ...{ venue: { venue: 'Hall' }, organizer: [{ organizer: 'Club' }] },
  })
  const translation = await givenTranslation(app, english.id, { cost: 'Gratuit' })
  assert.deepEqual(
    [translation.description, translation.cost, translation.start_date, translation.timezone, translation.featured],
    ['<p>Words</p>', 'Gratuit', english.start_date, 'America/Toronto', true],
  )
  assert.deepEqual(
    [translation.venue.id, translation.organizer.length, translation.tags.length],
    [english.venue.id, 1, 1],
  )

  const change = {
    start_date: '2030-01-23 10:00',
    end_date: '2030-01-23 11:00',
    title: 'Changé',
    venue: '',
    tags: ['Loud', 'New'],
  }
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${translation.id}`, json: change })

  const { body } = await app.send({ path: `/events/${english.id}` })
  assert.deepEqual(
    [body.title, body.start_date, body.venue, body.tags.length],
    ['Concert', '2030-01-23 10:00:00', [], 2],
  )
  assert.deepEqual(
    body.tags.map((tag: { count: number }) => tag.count),
    [1, 1],
  )
})

test('shared fields need the right to change every version', async (t) => {
  const app = await startTestApp(t)
  const english = await givenEvent(app, {}, 'author')
  await givenTranslation(app, english.id)
  const send = (json: object) => app.send({ as: 'author', method: 'PATCH', path: `/events/${english.id}`, json })

  assert.equal((await send({ title: 'Mine' })).status, 200)
  assert.equal((await send({ start_date: '2030-01-22 20:00' })).status, 403)
  assert.equal((await app.send({ path: `/events/${english.id}` })).body.start_date, '2030-01-22 19:00:00')
  const foreign = { title: 'x', ml_language: 'en-CA', ml_translation_of: (await givenEvent(app)).id }
  assert.equal((await app.send({ as: 'author', method: 'POST', path: '/events', json: foreign })).status, 403)
})

test('an update joins a group and leaves it again; bad requests are told', async (t) => {
  const app = await startTestApp(t)
  const [one, two] = [
    await givenOrganizer(app, { organizer: 'One' }),
    await givenOrganizer(app, { organizer: 'Un', ...french }),
  ]
  const change = (id: number, json: object) =>
    app.send({ as: 'editor', method: 'PATCH', path: `/organizers/${id}`, json })
  const versions = async () => (await app.send({ path: `/organizers/${one.id}?ml_language=en` })).body.ml_translations

  assert.equal((await change(two.id, { ml_translation_of: one.id })).status, 200)
  assert.deepEqual(await versions(), { en: one.id, 'fr-CA': two.id })
  assert.equal((await app.send({ path: '/organizers' })).body.total, 1)
  assert.equal((await change(two.id, { ml_translation_of: 0 })).status, 200)
  assert.deepEqual(await versions(), { en: one.id })
  assert.equal((await change(two.id, { ml_translation_of: 999_999 })).status, 400)
  const json = { organizer: 'x', ml_translation_of: one.id }
  const missing = await app.send({ as: 'editor', method: 'POST', path: '/organizers', json })
  assert.deepEqual([missing.body.code, missing.body.data.params], ['rest_missing_callback_param', ['ml_language']])
})

test('terms are translated: shown in the language of the event, counted and filtered as one, moved together', async (t) => {
  const app = await startTestApp(t)
  const root = await givenTerm(app, 'categories', { name: 'Arts' })
  const music = await givenTerm(app, 'categories', { name: 'Music', parent: root.id })
  const musique = await givenTerm(app, 'categories', { name: 'Musique', ...french, ml_translation_of: music.id })
  const arts = await givenTerm(app, 'categories', { name: 'Les arts', ...french, ml_translation_of: root.id })
  const event = await givenEvent(app, { ...french, categories: [music.id] })

  assert.equal(event.categories[0].id, musique.id)
  assert.deepEqual([event.categories[0].count, event.categories[0].parent], [1, arts.id])
  for (const id of [root.id, arts.id, music.id, musique.id, 'musique']) {
    assert.deepEqual(await listedIds(app, `categories=${id}`), [event.id], String(id))
  }
  const list = (await app.send({ path: '/categories?ml_language=fr-CA' })).body
  assert.deepEqual(
    list.categories.map((term: { name: string }) => term.name),
    ['Les arts', 'Musique'],
  )
  assert.equal((await app.send({ path: '/categories' })).body.total, 2)

  await app.send({ as: 'editor', method: 'DELETE', path: `/categories/${music.id}` })
  assert.deepEqual(await listedIds(app, `categories=${musique.id}`), [event.id])
  assert.equal((await app.send({ path: `/categories/${musique.id}` })).body.count, 1)
})

test('a slug leads to a record that the caller may read before one that is kept from the caller', async (t) => {
  const app = await startTestApp(t)
  const draft = await givenVenue(app, { venue: 'Forum', status: 'draft' })
  const { id } = await givenVenue(app, { venue: 'Forum', ...french })
  const path = '/venues/by-slug/forum'

  assert.equal((await app.send({ path })).body.id, id)
  assert.equal((await app.send({ as: 'author', path: `${path}?ml_language=en` })).body.id, id)
  assert.equal((await app.send({ as: 'editor', path })).body.id, draft.id)
  await app.send({ as: 'editor', method: 'DELETE', path: `/venues/${id}` })
  assert.equal((await app.send({ path })).status, 403)
})

test('the page of a French record stands below /fr, published or not', async (t) => {
  const app = await startTestApp(t)
  const sent = { title: 'Fête', ...french }

  assert.equal((await givenEvent(app, sent)).url, `${site}/fr/event/fete/`)
  const draft = await givenEvent(app, { ...sent, status: 'draft' })
  assert.equal(draft.url, `${site}/fr/?post_type=cal_events&p=${draft.id}`)
})

test('what is deleted says its language and its versions as it does when it is read', async (t) => {
  const app = await startTestApp(t)
  const tag = await givenTerm(app, 'tags', { name: 'Loud' })
  const bruyant = await givenTerm(app, 'tags', { name: 'Bruyant', ...french, ml_translation_of: tag.id })
  const event = await givenEvent(app)
  const translation = await givenTranslation(app, event.id)
  const removed = async (path: string) =>
    (await app.send({ as: 'editor', method: 'DELETE', path: `${path}?ml_language=en` })).body

  const [deleted, trashed] = [await removed(`/tags/${bruyant.id}`), await removed(`/events/${translation.id}`)]

  assert.deepEqual([deleted.ml_language, deleted.ml_translations], ['fr-CA', { en: tag.id, 'fr-CA': bruyant.id }])
  assert.deepEqual([trashed.ml_language, trashed.ml_translations], ['fr-CA', { en: event.id, 'fr-CA': translation.id }])
})
