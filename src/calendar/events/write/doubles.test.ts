import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { givenEvent } from '../../../../test/support/given.ts'

const ask = (app: TestApp, events: unknown, as: 'contributor' | 'editor' | 'subscriber' = 'editor') =>
  app.send({ as, method: 'POST', path: '//cal/service/v1/events/doubles', json: { events } })
const at = (title: string, start = '2030-01-22 19:00:00') => ({ title, start_date: start })
const idsIn = (body: { readonly results: readonly { readonly events: readonly { readonly id: number }[] }[] }) =>
  body.results.map(({ events }) => events.map(({ id }) => id))

test('events with the same title and start are found, with one query for all that are asked', async (t) => {
  const app = await startTestApp(t)
  const fair = await givenEvent(app, { title: 'Foire & Fête' })
  const twin = await givenEvent(app, { title: 'Foire & Fête', start_date: '2030-01-22 20:00:00' })
  await givenEvent(app, { title: 'Fair', ml_translation_of: fair.id, ml_language: 'fr-CA' })
  const draft = await givenEvent(app, { title: 'Draft', status: 'draft' })
  const trashed = await givenEvent(app, { title: 'Gone' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${trashed.id}` })

  app.statements()
  const asked = [at('FOIRE & fete'), at('Foire & Fête', '2030-01-22 20:00:00'), at('draft'), at('Gone'), at('Foire')]
  const found = await ask(app, asked)
  const queries = app.statements().filter((one) => one.includes('substr(records.title_folded'))
  const others = await ask(app, [at('draft'), at('foire & fête')], 'contributor')

  assert.equal(found.status, 200, found.text)
  assert.deepEqual(idsIn(found.body), [[fair.id], [twin.id], [draft.id], [], []])
  assert.equal(found.body.results[2].events[0].status, 'draft')
  assert.equal(queries.length, 1)
  assert.deepEqual(idsIn(others.body), [[], [fair.id]])
})

test('what is not a list of titles and starts is refused, and readers may not ask', async (t) => {
  const app = await startTestApp(t)

  for (const wrong of ['x', [], [{}], [at('')], [at('A', '2030-02-30 10:00:00')], [at('A'), 4], [null]]) {
    const { status, body } = await ask(app, wrong)
    assert.equal(status, 400, JSON.stringify(wrong))
    assert.match(JSON.stringify(body.errors), /events/)
  }
  const many = await ask(
    app,
    Array.from({ length: 201 }, (_, place) => at(`A ${place}`)),
  )
  assert.equal(many.status, 400)
  assert.match(many.body.errors.events, /200/)
  assert.equal((await ask(app, [at('A')], 'subscriber')).status, 403)
})
