import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenTerm } from '../../../test/support/given.ts'
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
