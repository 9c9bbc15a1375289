import assert from 'node:assert/strict'
import type { Role } from '../../src/access/auth/actor.ts'
import type { TestAnswer, TestApp } from './app.ts'

type Sent = Readonly<Record<string, unknown>>

/** A plain event one week after the time at which tests begin. */
export const plainEvent = { title: 'Concert', start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' }

/** Creates an event, one week ahead by default, and returns the response. */
export async function givenEvent(
  app: TestApp,
  sent: Sent = {},
  as: Role = 'administrator',
): Promise<TestAnswer['body']> {
  return given(app, '/events', { ...plainEvent, ...sent }, as)
}

export async function givenVenue(
  app: TestApp,
  sent: Sent = {},
  as: Role = 'administrator',
): Promise<TestAnswer['body']> {
  return given(app, '/venues', { venue: 'Hall', ...sent }, as)
}

/** Adds copies of a venue. Each has a number of its own wherever the venue has “x0”. */
export async function givenCopies(app: TestApp, id: number, count: number): Promise<void> {
  await app.deps.storage.write(async (tx) => {
    const record = await tx.selectFrom('records').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const fields = await tx.selectFrom('venues').selectAll().where('record_id', '=', id).executeTakeFirstOrThrow()
    const numbered = <Row extends object>(row: Row, place: number): Row =>
      JSON.parse(JSON.stringify(row).replaceAll('x0', `x${place + 1}`))
    for (let first = 0; first < count; first += 250) {
      const places = Array.from({ length: Math.min(250, count - first) }, (_, place) => first + place)
      const made = await tx
        .insertInto('records')
        .values(places.map((place) => ({ ...numbered(record, place), id: undefined, slug: `copy-${id}-${place}` })))
        .returning('id')
        .execute()
      await tx
        .insertInto('venues')
        .values(made.map((one, place) => ({ ...numbered(fields, first + place), record_id: one.id })))
        .execute()
    }
  })
}

export async function givenOrganizer(
  app: TestApp,
  sent: Sent = {},
  as: Role = 'administrator',
): Promise<TestAnswer['body']> {
  return given(app, '/organizers', { organizer: 'Club', ...sent }, as)
}

export async function givenTerm(
  app: TestApp,
  taxonomy: 'categories' | 'tags',
  sent: Sent,
): Promise<TestAnswer['body']> {
  return given(app, `/${taxonomy}`, sent, 'administrator')
}

async function given(app: TestApp, path: string, json: Sent, as: Role): Promise<TestAnswer['body']> {
  const answer = await app.send({ as, method: 'POST', path, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Changes an event as an administrator and returns the response. */
export async function changed(
  app: TestApp,
  path: string,
  json: Sent,
  as: Role = 'administrator',
): Promise<TestAnswer['body']> {
  const answer = await app.send({ as, method: 'PATCH', path, json })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Returns the ids of the events of a list. */
export async function listedIds(app: TestApp, query: string, as?: Role): Promise<readonly number[]> {
  const answer = await app.send({ ...(as ? { as } : {}), path: `/events?per_page=100&${query}` })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.events.map((event: { id: number }) => event.id)
}
