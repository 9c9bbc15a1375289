import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenVenue } from '../../../test/support/given.ts'
import { service } from '../../../test/support/signing.ts'
import type { Role } from '../../access/auth/actor.ts'

const purge = (app: TestApp, path: string, as?: Role, query = '') =>
  app.send({ ...(as ? { as } : {}), method: 'DELETE', path: service(`/trash${path}${query}`) })

const trash = (app: TestApp, path: string, as: Role = 'administrator') => app.send({ as, method: 'DELETE', path })

const kinds = {
  events: (app: TestApp, sent: object, as?: Role) => givenEvent(app, { title: 'Hall', ...sent }, as),
  venues: (app: TestApp, sent: object, as?: Role) => givenVenue(app, { venue: 'Hall', ...sent }, as),
  organizers: (app: TestApp, sent: object, as?: Role) => givenOrganizer(app, { organizer: 'Hall', ...sent }, as),
} as const

for (const [plural, given] of Object.entries(kinds)) {
  test(`${plural} are deleted with their translations, only from the trash, by those who may restore them`, async (t) => {
    const app = await startTestApp(t)
    const { id } = await given(app, {}, 'author')
    const french = await given(app, { ml_language: 'fr-CA', ml_translation_of: id }, 'author')
    const path = `/${plural}/${id}`
    assert.equal((await purge(app, path, 'editor')).status, 409)
    await trash(app, path)
    // A translation is not in the trash yet.
    assert.equal((await purge(app, path, 'editor')).status, 409)
    await trash(app, `/${plural}/${french.id}`)
    const refused: number[] = []
    for (const as of [undefined, 'subscriber', 'contributor'] as const)
      refused.push((await purge(app, path, as)).status)

    const dry = await purge(app, path, 'author', '?dry_run=1')
    const isThere = async () => {
      const list = await app.send({ as: 'editor', path: `/${plural}?status=trash&start_date=2000-01-01` })
      return list.body[plural]?.length ?? 0
    }
    const stillThere = await isThere()
    const done = await purge(app, `/${plural}/${french.id}`, 'author')

    assert.deepEqual(refused, [401, 403, 403])
    assert.equal(stillThere, 1)
    assert.deepEqual(done.body, dry.body)
    assert.deepEqual(
      done.body.deleted.map((one: { readonly id: number; readonly language: string }) => [one.id, one.language]),
      [
        [id, 'en'],
        [french.id, 'fr-CA'],
      ],
    )
    assert.equal(await isThere(), 0)
    assert.equal((await purge(app, path, 'editor')).status, 404)
    const { body } = await app.send({
      as: 'administrator',
      path: service(`/audit?kind=${plural.slice(0, -1)}&id=${id}&per_page=1`),
    })
    assert.equal(body.entries[0].action, 'delete')
  })
}

test('what named a deleted venue goes on without it: events, lists, the feed of changes, merges and retries', async (t) => {
  const app = await startTestApp(t)
  const [hall, town] = [await givenVenue(app, { venue: 'Hall' }), await givenVenue(app, { venue: 'Town Hall' })]
  const event = await givenEvent(app, { venue: hall.id })
  const keyed = { as: 'editor', headers: { 'idempotency-key': '"once"' } } as const
  const made = await app.send({ ...keyed, method: 'POST', path: '/venues', json: { venue: 'Arena' } })
  const merged = await app.send({
    ...{ as: 'editor', method: 'POST', path: service(`/venues/${hall.id}/merge`), json: { into: town.id } },
  })
  await trash(app, `/venues/${made.body.id}`)

  assert.equal((await purge(app, `/venues/${hall.id}`, 'editor')).status, 200)
  assert.equal((await purge(app, `/venues/${made.body.id}`, 'editor')).status, 200)

  const undo = await app.send({
    as: 'editor',
    method: 'POST',
    path: service(`/venues/merge/${merged.body.undo.id}/undo`),
  })
  assert.equal(undo.status, 404)
  assert.equal((await app.send({ path: `/events/${event.id}` })).body.venue.venue, 'Town Hall')
  const again = await app.send({ ...keyed, method: 'POST', path: '/venues', json: { venue: 'Arena' } })
  assert.ok(again.status < 500, again.text)

  await trash(app, `/venues/${town.id}`)
  const last = await purge(app, `/venues/${town.id}`, 'editor')
  assert.deepEqual([last.status, last.body.events], [200, 1])
  const { status, body } = await app.send({ path: `/events/${event.id}` })
  assert.deepEqual([status, body.venue], [200, []])
  const { body: changes } = await app.send({ path: service('/changes?per_page=100') })
  assert.ok(!JSON.stringify(changes.changes ?? changes).includes('Town Hall'))
  assert.equal((await app.send({ path: '/venues' })).body.total ?? 0, 0)
})
