import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent } from '../../../../test/support/given.ts'

test('the page of an event links to the one before it and the one after it, in the order of lists', async (t) => {
  const app = await startTestApp(t)
  const at = (title: string, day: number, more: object = {}) =>
    givenEvent(app, { title, start_date: `2030-02-${day} 19:00`, end_date: `2030-02-${day} 21:00`, ...more })
  await at('D', 13)
  await at('B', 11)
  await at('A', 10)
  // Of events that begin together, the one published earlier comes first, and then the one with the lower id.
  await at('C2', 12)
  await at('C3', 12)
  await at('C1', 12, { date: '2030-01-14 12:00' })
  await at('Hidden', 11, { hide_from_listings: true })
  await at('Draft', 11, { status: 'draft' })

  const order = ['a', 'b', 'c1', 'c2', 'c3', 'd']
  for (const [place, slug] of order.entries()) {
    const { text } = await app.send({ path: `//event/${slug}/` })
    const linked = (rel: string) => new RegExp(`<a rel="${rel}" href="/event/([^/]+)/"`).exec(text)?.[1]
    assert.deepEqual([linked('prev'), linked('next')], [order[place - 1], order[place + 1]], slug)
  }
})

test('a fault of a venue that an event brings is told by its path, and what the venue does not know as well', async (t) => {
  const app = await startTestApp(t)
  const send = (venue: object) =>
    app.send({
      as: 'administrator',
      method: 'POST',
      path: '/events',
      json: { title: 'A', start_date: '2030-02-10', end_date: '2030-02-10', venue },
    })

  const refused = await send({ venue: 'Hall', website: 'nonsense' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.data.params.venue, /venue\.website/)
  const made = await send({ venue: 'Hall', fax: '1' })
  assert.deepEqual([made.status, made.headers['x-ignored-parameters']], [201, 'venue.fax'])
})
