import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenOrganizer, givenVenue, listedIds } from '../../../test/support/given.ts'
import type { Role } from '../../access/auth/actor.ts'

const restore = (app: TestApp, path: string, as?: Role, prefix = '') =>
  app.send({ ...(as ? { as } : {}), method: 'POST', path: `/${prefix}/cal/service/v1${path}/restore` })

async function trash(app: TestApp, path: string, as: Role = 'administrator'): Promise<void> {
  const { status, text } = await app.send({ as, method: 'DELETE', path })
  assert.equal(status, 200, text)
}

const kinds = {
  events: (app: TestApp, sent: object, as?: Role) => givenEvent(app, { title: 'Hall', ...sent }, as),
  venues: (app: TestApp, sent: object, as?: Role) => givenVenue(app, { venue: 'Hall', ...sent }, as),
  organizers: (app: TestApp, sent: object, as?: Role) => givenOrganizer(app, { organizer: 'Hall', ...sent }, as),
} as const

for (const [plural, given] of Object.entries(kinds)) {
  test(`${plural} come back as they were, under a slug of their own`, async (t) => {
    const app = await startTestApp(t)
    const { id } = await given(app, {})
    await trash(app, `/${plural}/${id}`)
    const draft = await given(app, { status: 'draft' })
    await trash(app, `/${plural}/${draft.id}`)
    const other = await given(app, {})

    const answer = await restore(app, `/${plural}/${id}`, 'editor')
    const answerOfDraft = await restore(app, `/${plural}/${draft.id}`, 'editor')

    assert.deepEqual(
      [answer.status, answer.body.id, answer.body.status, answer.body.slug],
      [200, id, 'publish', 'hall-2'],
    )
    assert.deepEqual([answerOfDraft.status, answerOfDraft.body.status], [200, 'draft'])
    assert.equal(other.slug, 'hall')
    assert.equal((await app.send({ path: `/${plural}/by-slug/hall-2` })).body.id, id)
  })

  test(`only who may trash ${plural} as they were brings them back`, async (t) => {
    const app = await startTestApp(t)
    const ofAuthor = await given(app, {}, 'author')
    const ofContributor = await given(app, { status: 'draft' }, 'contributor')
    await trash(app, `/${plural}/${ofAuthor.id}`)
    await trash(app, `/${plural}/${ofContributor.id}`, 'contributor')
    const statuses = async (id: number, roles: readonly (Role | undefined)[]) => {
      const found: number[] = []
      for (const role of roles) found.push((await restore(app, `/${plural}/${id}`, role)).status)
      return found
    }

    assert.deepEqual(await statuses(ofAuthor.id, [undefined, 'subscriber', 'contributor']), [401, 403, 403])
    assert.deepEqual(await statuses(ofAuthor.id, ['author', 'author', 'editor', 'contributor']), [200, 409, 409, 403])
    assert.deepEqual(await statuses(ofContributor.id, ['author', 'contributor']), [403, 200])
    assert.deepEqual(await statuses(ofAuthor.id + 1000, ['subscriber', 'editor']), [403, 404])
  })
}

test('a contributor whose published event an editor has trashed cannot publish it by restoring it', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, {}, 'contributor')
  await changed(app, `/events/${id}`, { status: 'publish' })
  await trash(app, `/events/${id}`)

  assert.equal((await restore(app, `/events/${id}`, 'contributor')).status, 403)
  assert.equal((await restore(app, `/events/${id}`, 'editor')).body.status, 'publish')
})

test('lists and counts of terms follow, and a translation keeps its group', async (t) => {
  const app = await startTestApp(t)
  const { id, categories } = await givenEvent(app, { categories: ['Jazz'] })
  const translation = await givenEvent(app, { title: 'Concert', ml_language: 'fr-CA', ml_translation_of: id })
  const count = async () => (await app.send({ path: `/categories/${categories[0].id}` })).body.count
  await trash(app, `/events/${id}`)
  await trash(app, `/events/${translation.id}`)
  const before = [await listedIds(app, ''), await count()]

  await restore(app, `/events/${id}`, 'editor')
  await restore(app, `/events/${translation.id}`, 'editor')

  assert.deepEqual(before, [[], 0])
  assert.deepEqual([await listedIds(app, ''), await count()], [[id], 1])
  const { body } = await app.send({ path: `/events/${id}?ml_language=en` })
  assert.deepEqual(body.ml_translations, { en: id, 'fr-CA': translation.id })
})

test('an event that was to be published meanwhile is published as it comes back', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { status: 'future', date: '2030-01-15 13:00:00' })
  await trash(app, `/events/${id}`)
  app.pass(7200)

  const { body } = await restore(app, `/events/${id}`, 'editor')

  assert.equal(body.status, 'publish')
})

test('an event shows a venue again that comes back', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const { id } = await givenEvent(app, { venue: venue.id })
  await trash(app, `/venues/${venue.id}`)
  const venueOf = async () => (await app.send({ path: `/events/${id}` })).body.venue
  const without = await venueOf()

  await restore(app, `/venues/${venue.id}`, 'editor')

  assert.deepEqual(without, [])
  assert.equal((await venueOf()).id, venue.id)
})

test('refusals are problem details in both languages', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)

  const english = await restore(app, `/events/${id}`, 'editor')
  const french = await restore(app, `/events/${id}`, 'editor', '/fr')
  const none = await restore(app, '/events/nine', 'editor')
  const other = await restore(app, `/venues/${id}`, 'editor')

  assert.match(english.headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.deepEqual(english.body, {
    ...{ type: 'about:blank', status: 409, code: 'record-not-in-trash', title: 'This record is not in the trash.' },
  })
  assert.equal(french.body.title, 'Cet élément n’est pas dans la corbeille.')
  assert.deepEqual([none.status, other.status, other.body.code], [404, 404, 'record-not-found'])
})
