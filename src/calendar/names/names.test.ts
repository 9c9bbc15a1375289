import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../test/support/given.ts'

const ask = (app: TestApp, json: object, as: 'contributor' | 'editor' | 'subscriber' = 'editor') =>
  app.send({ as, method: 'POST', path: '//cal/service/v1/names', json })
const idsIn = (found: readonly { readonly id: number }[]) => found.map(({ id }) => id)

test('one look-up finds what exists under many names, in as many queries as for one', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Salle & Café', city: 'Sutton' })
  const other = await givenVenue(app, { venue: 'Salle & Café', city: 'Laval', address: '5 Main', apart: true })
  const club = await givenOrganizer(app, { organizer: 'Club' })
  const term = await givenTerm(app, 'categories', { name: 'Thé & café' })
  const draft = await givenVenue(app, { venue: 'Draft', status: 'draft' })
  const gone = await givenVenue(app, { venue: 'Gone' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/venues/${gone.id}` })
  await givenEvent(app, { venue: hall.id, status: 'draft' })
  const statementsOf = async (json: object) => {
    app.statements()
    const answer = await ask(app, json)
    return { answer, count: app.statements().length }
  }

  const one = await statementsOf({ venues: ['Salle & Café'], organizers: ['Club'], categories: ['Thé & café'] })
  const others = Array.from({ length: 190 }, (_, place) => `Nothing ${place}`)
  const names = ['salle & CAFE', 'Gone', 'Draft', ...others]
  const many = await statementsOf({ venues: names, organizers: ['club', ...others], categories: ['THE & café'] })
  const { body } = many.answer
  const byId = await ask(app, { venues: [other.id, gone.id] })
  const drafts = await ask(app, { venues: ['Draft', 'Salle & Café'] }, 'contributor')

  assert.equal(many.answer.status, 200, many.answer.text)
  assert.equal(many.count, one.count)
  assert.deepEqual(
    body.venues.map((venue: Record<string, unknown>) => [venue.id, venue.city, venue.address, venue.is_used]),
    [
      [hall.id, 'Sutton', '', true],
      [other.id, 'Laval', '5 Main', false],
      [draft.id, '', '', false],
    ],
  )
  assert.deepEqual([idsIn(body.organizers), idsIn(body.categories)], [[club.id], [term.id]])
  assert.deepEqual([idsIn(byId.body.venues), byId.body.venues[0].version], [[other.id], 0])
  assert.deepEqual(idsIn(drafts.body.venues), [hall.id, other.id])
})

test('names are bounded, and readers may not ask', async (t) => {
  const app = await startTestApp(t)
  const many = Array.from({ length: 501 }, (_, place) => `A ${place}`)

  for (const wrong of ['x', [{}], [null], [1.5], ['a'.repeat(1001)], many]) {
    const { status, body } = await ask(app, { venues: wrong })
    assert.equal(status, 400, JSON.stringify(wrong))
    assert.ok(body.errors.venues)
  }
  assert.equal((await ask(app, { venues: ['A'] }, 'subscriber')).status, 403)
})
