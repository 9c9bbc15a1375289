import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'

/** Statements that write derived data, or the data that lists and searches are derived from. */
const derivedWrite =
  /(?:insert into|delete from|update) "?(?:event_(?:order|sets|tallies|terms|venues|organizers)|search_)/

test('an update that changes no indexed value leaves event index, search index and links as they are', async (t) => {
  const app = await startTestApp(t)
  const sent = {
    title: 'Dance',
    description: '<p>All night.</p>',
    start_date: '2030-02-01 20:00:00',
    end_date: '2030-02-01 23:00:00',
    venue: { venue: 'Hall' },
    organizer: [{ organizer: 'Club' }, { organizer: 'School' }],
    categories: ['Balls'],
    tags: ['Loud'],
  }
  const { body: event } = await app.send({ as: 'editor', method: 'POST', path: '/events', json: sent })
  const again = { ...sent, venue: event.venue.id, organizer: event.organizer.map(({ id }: { id: number }) => id) }
  const write = async (json: object) => {
    app.statements()
    const { status, body } = await app.send({ as: 'editor', method: 'POST', path: `/events/${event.id}`, json })
    assert.equal(status, 200, JSON.stringify(body))
    return app.statements().filter((statement) => derivedWrite.test(statement))
  }

  const website = await write({ website: 'https://example.org/' })
  const everythingAsItWas = await write(again)
  const featured = await write({ featured: true })

  assert.deepEqual({ website, everythingAsItWas }, { website: [], everythingAsItWas: [] })
  assert.notDeepEqual(featured, [])
})
