// A slug that is empty after cleaning names no record, although drafts have no slug (rulings.md 42).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenEvent } from '../../../test/support/given.ts'

const nothings = ["'", '%27', '!!!', '---', '-', '.', '%20', '%20%20', '%2500', '%00', '%22', '%3Cb%3E%3C%2Fb%3E']
const others = [
  '%E2%80%99',
  '%C2%AB',
  '%E2%80%8B',
  '%C2%AD',
  '%26nbsp%3B',
  '&amp;',
  '%252D',
  '%25ff',
  '%2F',
  '*',
  '+',
  '%',
]
const roles = [undefined, 'contributor', 'editor', 'administrator'] as const

test('every by-slug route answers 404 to every kind of nothing, and changes no record without a slug', async (t) => {
  const app = await startTestApp(t)
  const drafts = [await givenEvent(app, { status: 'draft' }), await givenEvent(app, { status: 'pending' })]
  const trashed = await givenEvent(app, { status: 'draft' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${trashed.id}` })

  for (const kind of ['events', 'venues', 'organizers']) {
    for (const slug of [...nothings, ...others]) {
      for (const method of ['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH'] as const) {
        for (const as of roles) {
          const json = method === 'GET' || method === 'HEAD' ? {} : { json: { title: 'Taken' } }
          const answer = await app.send({ ...(as && { as }), method, path: `/${kind}/by-slug/${slug}`, ...json })

          assert.equal(answer.status, 404, `${as} ${method} ${kind} ${slug}`)
        }
      }
    }
  }

  for (const draft of drafts) {
    assert.equal(draft.slug, '')
    const { body } = await app.send({ as: 'editor', path: `/events/${draft.id}` })
    assert.deepEqual([body.title, body.status, body.modified], [draft.title, draft.status, draft.modified])
  }
})

test('the slug that the trash gives to a record without one finds none either', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { status: 'draft' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${id}` })

  for (const slug of ['__trashed', "'__trashed", '__TRASHED']) {
    assert.equal((await app.send({ as: 'editor', path: `/events/by-slug/${slug}` })).status, 400, slug)
    const changed = await app.send({
      as: 'editor',
      method: 'PUT',
      path: `/events/by-slug/${slug}`,
      json: { title: 'x' },
    })
    assert.equal(changed.status, 404, slug)
  }
  assert.equal((await app.send({ path: `///event/'/` })).status, 404)
})
