import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm } from '../../../test/support/given.ts'
import type { Actor, UserId } from '../../access/auth/actor.ts'
import { Problem } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { writeContext } from '../records/write.context.ts'
import { changeTerm, createTerm } from './term.change.service.ts'

test('a category that becomes a translation stands where the original does, and no loop comes of it', async (t) => {
  const app = await startTestApp(t)
  const given = (sent: Readonly<Record<string, unknown>>) => givenTerm(app, 'categories', sent)
  const above = await given({ name: 'Above' })
  const below = await given({ name: 'Below', parent: above.id })
  // The French tree has the opposite order.
  const dessous = await given({ name: 'Dessous', ml_language: 'fr-CA' })
  const dessus = await given({ name: 'Dessus', ml_language: 'fr-CA', parent: dessous.id })

  const top = await changed(app, `/categories/${dessus.id}`, { ml_translation_of: above.id })
  const leaf = await changed(app, `/categories/${dessous.id}`, { ml_translation_of: below.id })
  await changed(app, `/categories/${below.id}`, { parent: above.id })

  assert.equal(top.parent, 0)
  assert.equal(leaf.parent, dessus.id)
  assert.equal((await app.send({ path: `/categories/${dessous.id}` })).body.parent, dessus.id)
  assert.equal((await app.send({ path: `/categories/${dessus.id}` })).body.parent, 0)
})

test('what is gone between the check of the arguments and the write is no term to translate', async (t) => {
  const app = await startTestApp(t)
  const { deps } = app
  const actor: Actor = { kind: 'user', id: 5 as UserId, role: 'administrator' }
  const contextOf = (tx: Tx) => writeContext({ deps, actor }, tx)
  const tag = await givenTerm(app, 'tags', { name: 'Loud' })
  const gone = await givenTerm(app, 'tags', { name: 'Bruyant', ml_language: 'fr-CA' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/tags/${gone.id}` })

  const none = { hasParent: false }
  const into = { language: 'en-CA', of: gone.id } as const
  const isUnknown = (error: unknown) => error instanceof Problem && 'ml_translation_of' in error.faults
  const { write } = deps.storage
  await assert.rejects(
    write((tx) => changeTerm(contextOf(tx), 'tag', { id: tag.id, patch: none, translationOf: gone.id })),
    isUnknown,
  )
  await assert.rejects(
    write((tx) => createTerm(contextOf(tx), 'tag', { ...into, draft: { ...none, name: 'New' } })),
    isUnknown,
  )
})

test('tags that are joined and deleted at once are told what became of them', async (t) => {
  const app = await startTestApp(t)
  const tag = await givenTerm(app, 'tags', { name: 'Loud' })
  const gone = await givenTerm(app, 'tags', { name: 'Bruyant', ml_language: 'fr-CA' })
  const send = (method: 'DELETE' | 'PATCH', id: number, json?: object) =>
    app.send({ as: 'editor', method, path: `/tags/${id}`, json })

  const [deleted, joined] = await Promise.all([
    send('DELETE', gone.id),
    send('PATCH', tag.id, { ml_translation_of: gone.id }),
  ])

  assert.equal(deleted.status, 200)
  if (joined.status !== 200) assert.deepEqual(Object.keys(joined.body.data.params), ['ml_translation_of'])
  assert.equal((await app.send({ path: `/tags/${tag.id}` })).status, 200)
})

test('a tag that becomes a translation is shown with the other, and one that leaves its group without it', async (t) => {
  const app = await startTestApp(t)
  const loud = await givenTerm(app, 'tags', { name: 'Loud' })
  const bruyant = await givenTerm(app, 'tags', { name: 'Bruyant', ml_language: 'fr-CA' })
  const shown = async (path: string) => (await app.send({ path })).body
  const both = { en: loud.id, 'fr-CA': bruyant.id }

  await changed(app, `/tags/${bruyant.id}`, { ml_translation_of: loud.id })
  assert.equal((await shown(`/tags/${loud.id}`)).ml_translations, undefined)
  for (const id of [loud.id, bruyant.id]) {
    assert.deepEqual((await shown(`/tags/${id}?ml_language=en`)).ml_translations, both)
  }
  const { tags, total } = await shown('/tags?hide_empty=0&ml_language=fr-CA')
  assert.deepEqual([total, tags.map((tag: { id: number }) => tag.id)], [1, [bruyant.id]])
  assert.deepEqual(tags[0].ml_translations, both)

  await changed(app, `/tags/${bruyant.id}`, { ml_translation_of: 0 })
  assert.deepEqual((await shown(`/tags/${loud.id}?ml_language=en`)).ml_translations, { en: loud.id })
  assert.equal((await shown('/tags?hide_empty=0')).total, 2)
})

test('without shared fields, a category that becomes a translation stays where it is', async (t) => {
  for (const [SHARE_FIELDS, isMoved] of [
    ['true', true],
    ['false', false],
  ] as const) {
    const app = await startTestApp(t, { SHARE_FIELDS })
    const given = (sent: Readonly<Record<string, unknown>>) => givenTerm(app, 'categories', sent)
    const above = await given({ name: 'Above' })
    const below = await given({ name: 'Below', parent: above.id })
    const dessous = await given({ name: 'Dessous', ml_language: 'fr-CA' })

    const joined = await changed(app, `/categories/${dessous.id}`, { ml_translation_of: below.id })
    assert.equal(joined.parent, isMoved ? above.id : 0)

    const other = await given({ name: 'Other' })
    await changed(app, `/categories/${below.id}`, { parent: other.id })
    assert.equal((await app.send({ path: `/categories/${dessous.id}` })).body.parent, isMoved ? other.id : 0)
  }
})

test('the events and the children of a deleted version go to the other one, each event once', async (t) => {
  const app = await startTestApp(t)
  const loud = await givenTerm(app, 'tags', { name: 'Loud' })
  const bruyant = await givenTerm(app, 'tags', { name: 'Bruyant', ml_language: 'fr-CA' })
  const quiet = await givenTerm(app, 'tags', { name: 'Quiet' })
  const events = [
    await givenEvent(app, { tags: [loud.id] }),
    await givenEvent(app, { tags: [loud.id, bruyant.id] }),
    await givenEvent(app, { tags: [bruyant.id] }),
    await givenEvent(app, { tags: [quiet.id] }),
  ]
  const above = await givenTerm(app, 'categories', { name: 'Above' })
  const dessus = await givenTerm(app, 'categories', { name: 'Dessus', ml_language: 'fr-CA' })
  const child = await givenTerm(app, 'categories', { name: 'Child', parent: above.id })
  await changed(app, `/tags/${bruyant.id}`, { ml_translation_of: loud.id })
  await changed(app, `/categories/${dessus.id}`, { ml_translation_of: above.id })

  for (const path of [`/tags/${loud.id}`, `/categories/${above.id}`]) {
    assert.equal((await app.send({ as: 'editor', method: 'DELETE', path })).status, 200)
  }

  const tagsOf = async ({ id }: { id: number }) =>
    (await app.send({ path: `/events/${id}` })).body.tags.map((tag: { id: number }) => tag.id)
  assert.deepEqual(await Promise.all(events.map(tagsOf)), [[bruyant.id], [bruyant.id], [bruyant.id], [quiet.id]])
  assert.equal((await app.send({ path: `/tags/${bruyant.id}` })).body.count, 3)
  assert.equal((await app.send({ path: `/categories/${child.id}` })).body.parent, dessus.id)
  assert.equal((await app.send({ path: `/categories/${dessus.id}` })).body.parent, 0)
})

test('a parameter of a list that has no effect beside another is named, and no other', async (t) => {
  const app = await startTestApp(t)
  const tag = await givenTerm(app, 'tags', { name: 'Loud' })
  const event = await givenEvent(app, { tags: [tag.id] })
  for (const [query, ignored, adjusted] of [
    ['offset=1', undefined, undefined],
    ['page=1', undefined, undefined],
    ['offset=1&page=1', 'page', undefined],
    [`include=${tag.id}`, undefined, undefined],
    [`exclude=${tag.id}`, undefined, undefined],
    [`include=${tag.id}&exclude=${tag.id}`, 'exclude', undefined],
    [`event=${event.id}`, undefined, undefined],
    [`post=${event.id}`, undefined, undefined],
    [`event=${event.id}&post=${event.id}`, 'post', undefined],
    ['orderby=include', undefined, 'orderby'],
    [`orderby=include&include=${tag.id}`, undefined, undefined],
    ['orderby=name', undefined, undefined],
  ] as const) {
    const { status, headers } = await app.send({ path: `/tags?${query}` })

    assert.equal(status, 200)
    assert.deepEqual([headers['x-ignored-parameters'], headers['x-adjusted-parameters']], [ignored, adjusted], query)
  }
})
