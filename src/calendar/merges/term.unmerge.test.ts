import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm } from '../../../test/support/given.ts'
import { service } from '../../../test/support/signing.ts'

type Named = { readonly name: string }

const namesOf = async (app: TestApp, id: number, plural: 'categories' | 'tags' = 'categories') =>
  (await app.send({ as: 'editor', path: `/events/${id}` })).body[plural].map(({ name }: Named) => name)

async function merged(app: TestApp, plural: string, [from, into]: readonly [number, number]) {
  const path = service(`/${plural}/${from}/merge`)
  const { status, body, text } = await app.send({ as: 'editor', method: 'POST', path, json: { into } })
  assert.equal(status, 200, text)
  return body
}

const undo = (app: TestApp, plural: string, id: number, more: Parameters<TestApp['send']>[0] | object = {}) =>
  app.send({ as: 'editor', method: 'POST', path: service(`/${plural}/merge/${id}/undo`), json: {}, ...more })

test('a merge of categories is undone exactly: terms, translations, tree, events, counts and addresses', async (t) => {
  const app = await startTestApp(t)
  const arts = await givenTerm(app, 'categories', { name: 'Arts' })
  const music = await givenTerm(app, 'categories', { name: 'Music', parent: arts.id, description: 'Loud' })
  const musique = await givenTerm(app, 'categories', {
    ...{ name: 'Musique', ml_language: 'fr-CA', ml_translation_of: music.id },
  })
  const jazz = await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  const songs = await givenTerm(app, 'categories', { name: 'Songs' })
  const only = await givenEvent(app, { title: 'One', categories: [music.id, arts.id] })
  const both = await givenEvent(app, { title: 'Both', categories: [music.id, songs.id] })
  const draft = await givenEvent(app, { title: 'Draft', status: 'draft', categories: [music.id] })
  const trashed = await givenEvent(app, { title: 'Trashed', categories: [music.id] })
  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${trashed.id}` })
  const other = await givenEvent(app, { title: 'Other', categories: [songs.id] })
  const read = async () => {
    const paths = [music.id, musique.id, jazz.id, songs.id].map((id) => `/categories/${id}`)
    const terms = await Promise.all(paths.map((path) => app.send({ path })))
    const events = await Promise.all([only, both, draft, other].map(({ id }) => namesOf(app, id)))
    const list = await app.send({ path: `/events?categories=${music.id}` })
    const slug = await app.send({ path: '/events?categories=music' })
    return {
      terms: terms.map(({ status, body }) => ({ status, ...body })),
      ...{ events, listed: list.body.total ?? list.status, bySlug: slug.body.total ?? slug.status },
    }
  }
  const before = await read()

  const merge = await merged(app, 'categories', [music.id, songs.id])
  assert.equal(merge.children, 1)
  assert.match(merge.undo.url, new RegExp(`/categories/merge/${merge.undo.id}/undo$`))
  const between = await read()
  assert.deepEqual(
    between.terms.map(({ id }) => id),
    [songs.id, songs.id, jazz.id, songs.id],
  )
  assert.deepEqual(between.events, [['Arts', 'Songs'], ['Songs'], ['Songs'], ['Songs']])

  const { body: change } = await app.send({ as: 'administrator', path: service(`/audit?kind=event&id=${only.id}`) })
  assert.deepEqual(change.entries[0].changes, {
    terms: { before: [arts.id, music.id], after: [arts.id, songs.id] },
  })

  const dry = await undo(app, 'categories', merge.undo.id, { json: { dry_run: true } })
  assert.deepEqual(await read(), between)
  const done = await undo(app, 'categories', merge.undo.id)
  assert.equal(done.status, 200, done.text)
  assert.deepEqual(done.body, { ...dry.body, dry_run: false })
  assert.deepEqual([done.body.count, done.body.skipped], [3, []])
  assert.deepEqual(await read(), before)
  await app.send({ as: 'editor', method: 'POST', path: service(`/events/${trashed.id}/restore`) })
  assert.deepEqual(await namesOf(app, trashed.id), ['Music'])

  const again = await undo(app, 'categories', merge.undo.id)
  assert.deepEqual([again.status, again.body.count], [200, 0])
  const { body: log } = await app.send({
    as: 'administrator',
    path: service(`/audit?kind=category&id=${music.id}`),
  })
  assert.deepEqual(
    log.entries.map(({ action }: { readonly action: string }) => action),
    ['create', 'delete', 'update', 'create'],
  )
})

test('what was changed since stays: events, the tree, names and addresses', async (t) => {
  const app = await startTestApp(t)
  const arts = await givenTerm(app, 'categories', { name: 'Arts' })
  const music = await givenTerm(app, 'categories', { name: 'Music', parent: arts.id })
  const jazz = await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  const rock = await givenTerm(app, 'categories', { name: 'Rock', parent: music.id })
  const songs = await givenTerm(app, 'categories', { name: 'Songs' })
  const [gone, more, title] = [
    await givenEvent(app, { title: 'Gone', categories: [music.id] }),
    await givenEvent(app, { title: 'More', categories: [music.id] }),
    await givenEvent(app, { title: 'Title', categories: [music.id] }),
  ]
  const merge = await merged(app, 'categories', [music.id, songs.id])
  const { id: newMusic } = await givenTerm(app, 'categories', { name: 'Music' })
  await changed(app, `/events/${gone.id}`, { categories: [newMusic] })
  await changed(app, `/events/${more.id}`, { categories: [songs.id, arts.id] })
  await changed(app, `/events/${title.id}`, { title: 'New title' })
  await changed(app, `/categories/${rock.id}`, { parent: 0 })
  // The parent of the merged one is now below its child.
  await changed(app, `/categories/${arts.id}`, { parent: jazz.id })

  const { status, body } = await undo(app, 'categories', merge.undo.id)

  assert.deepEqual([status, body.count, body.skipped], [200, 2, [gone.id]])
  assert.deepEqual(await namesOf(app, gone.id), ['Music'])
  assert.deepEqual(await namesOf(app, more.id), ['Arts', 'Music'])
  assert.deepEqual(await namesOf(app, title.id), ['Music'])
  assert.equal((await app.send({ path: `/events/${title.id}` })).body.title, 'New title')
  const terms = await Promise.all(
    [music, jazz, rock, arts].map(async ({ id }) => (await app.send({ path: `/categories/${id}` })).body),
  )
  assert.deepEqual(
    terms.map(({ parent }) => parent),
    [0, music.id, 0, jazz.id],
  )
  const slugs = [terms[0].slug, (await app.send({ path: `/categories/${newMusic}` })).body.slug]
  assert.equal(new Set(slugs).size, 2)
})

test('tags too, in the right order of two merges; for 30 days, and by those who may merge', async (t) => {
  const app = await startTestApp(t)
  const [one, two, three] = [
    await givenTerm(app, 'tags', { name: 'One' }),
    await givenTerm(app, 'tags', { name: 'Two' }),
    await givenTerm(app, 'tags', { name: 'Three' }),
  ]
  const event = await givenEvent(app, { tags: [one.id] })
  const first = await merged(app, 'tags', [one.id, two.id])
  const second = await merged(app, 'tags', [two.id, three.id])
  assert.deepEqual(await namesOf(app, event.id, 'tags'), ['Three'])

  for (const as of ['contributor', 'author'] as const) {
    assert.equal((await undo(app, 'tags', second.undo.id, { as })).status, 403)
  }
  assert.equal((await undo(app, 'categories', second.undo.id)).status, 404)
  await undo(app, 'tags', second.undo.id)
  await undo(app, 'tags', first.undo.id)
  assert.deepEqual(await namesOf(app, event.id, 'tags'), ['One'])

  const third = await merged(app, 'tags', [one.id, two.id])
  app.pass(31 * 86_400)
  assert.equal((await undo(app, 'tags', third.undo.id)).status, 404)
})
