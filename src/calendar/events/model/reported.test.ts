import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenTerm } from '../../../../test/support/given.ts'
import type { Actor, UserId } from '../../../access/auth/actor.ts'
import { Problem } from '../../../base/problems.ts'
import { writeContext } from '../../records/write.context.ts'
import { changeEvent } from '../write/event.service.ts'

test('members of terms that have no effect are named, and plain names are whole', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'tags', { name: 'Loud' })
  const ignoredFor = async (tags: unknown) => {
    const json = { title: 'A', start_date: '2030-02-10', end_date: '2030-02-10', tags }
    const { status, headers } = await app.send({ as: 'administrator', method: 'POST', path: '/events', json })
    assert.equal(status, 201)
    return headers['x-ignored-parameters']
  }

  assert.equal(await ignoredFor(['Loud', 'Quiet', id]), undefined)
  assert.equal(await ignoredFor([{ name: 'Loud' }, { slug: 'soft', name: 'Soft' }, { id }]), undefined)
  assert.equal(await ignoredFor([{ name: 'Loud', color: 'red' }]), 'tags.color')
  assert.equal(await ignoredFor([{ id, name: 'Loud' }]), 'tags.name')
  assert.equal(await ignoredFor({ id, slug: 'x' }), 'tags.slug')
  // An object is one term if it has an id, a slug or a name.
  assert.equal(await ignoredFor({ slug: 'loud', color: 'red' }), 'tags.color')
  assert.equal(await ignoredFor({ name: 'Loud', color: 'red' }), 'tags.color')
})

test('an author or a picture that is gone between the check of the arguments and the write is refused', async (t) => {
  const app = await startTestApp(t)
  const { deps } = app
  const { id } = await givenEvent(app)
  const actor: Actor = { kind: 'user', id: 5 as UserId, role: 'administrator' }
  for (const [patch, name] of [
    [{ imageId: 999 }, 'image'],
    [{ authorId: 999 }, 'author'],
  ] as const) {
    await assert.rejects(
      deps.storage.write((tx) => changeEvent(writeContext({ deps, actor }, tx), id, patch)),
      (error) => error instanceof Problem && name in error.faults,
      name,
    )
  }
})
