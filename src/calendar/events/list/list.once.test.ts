import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCopies } from '../../../../test/support/copies.ts'
import { openTestDatabase } from '../../../../test/support/database.ts'
import { createUser } from '../../../access/auth/user.service.ts'
import { createApp } from '../../../app.ts'
import { openExternalDeps } from '../../../main.ts'
import { calendarIdentity } from '../../../publish/feeds/feed.identity.repository.ts'

/** Lists whose filters and words need lookups before the list is read. Each has more than one page. */
const filters = [
  'categories=1,2',
  'categories=1,2&tags=3',
  'categories=1,2&venue=2,3',
  'venue=2,3&organizer=4',
  'search=dance',
  'search=dance+-music&categories=1,2',
  'search=%22dance+night%22&venue=2,3',
  'search=dance&geoloc=true',
  'featured=false&categories=1,2',
]
const lists = ['page=1&per_page=2', 'page=2&per_page=2&start_date=2029-01-01&end_date=2034-01-01'].flatMap((page) =>
  filters.map((filter) => `${filter}&${page}`),
)
const pages = ['', '?search=dance', '?past=1&search=dance', '?search=nothing', 'map/?search=dance', '2030-01-20/']
const months = ['month/2030-01/?search=dance', 'month/2031-02/?search=dance']
const paths = [
  ...lists.map((list) => `/cal/events/v1/events?${list}`),
  ...lists.slice(0, 3).map((list) => `/cal/events/v1/events.ics?${list}`),
  ...[...pages, ...months].map((page) => `/events/${page}`),
  ...['/event/dance/', '/venue/house/?search=dance'],
]

test('no list asks the database the same thing twice, as JSON, as a feed or as a page', async (t) => {
  const asked: string[] = []
  const { config, storage, remove } = await openTestDatabase(
    { SITE_TIMEZONE: 'America/Toronto', LOG_LEVEL: 'silent' },
    { onQuery: (text, parameters) => asked.push(JSON.stringify([text.replace(/\s+/g, ' '), parameters])) },
  )
  const deps = { config, storage, ...(await openExternalDeps(config)), now: () => Date.UTC(2030, 0, 15, 12) / 1000 }
  const server = createApp(deps)
  t.after(async () => {
    await server.close()
    await remove()
  })
  const { secret } = await createUser(deps, { name: 'editor', role: 'editor' })
  const authorization = `Basic ${btoa(`editor:${secret}`)}`
  const create = async (path: string, json: object) => {
    const url = `/cal/events/v1${path}`
    const answer = await server.inject({ method: 'POST', url, headers: { authorization }, payload: json })
    assert.equal(answer.statusCode, 201, answer.body)
  }
  for (const name of ['One', 'Two']) await create('/categories', { name })
  await create('/tags', { name: 'Three' })
  for (const venue of ['Hall', 'House', 'Barn']) await create('/venues', { venue })
  await create('/organizers', { organizer: 'Club' })
  for (const title of ['Dance', 'Dance night', 'Music']) {
    const times = { start_date: '2030-01-20 10:00', end_date: '2030-01-20 12:00' }
    await create('/events', { title, ...times, categories: [1, 2], tags: [3], venue: 2, organizer: 4 })
  }
  await addCopies(storage, { eventId: 5, venueId: 2, organizerId: 4 })
  // The first feed creates the identity of the calendar.
  await calendarIdentity(storage)
  const repeated: string[] = []

  for (const path of paths) {
    asked.length = 0
    const { statusCode, body } = await server.inject(path)
    assert.ok([200, 404].includes(statusCode), `${path} ${body}`)
    const counts = Map.groupBy(asked, (statement) => statement)
    for (const [statement, { length }] of counts) if (length > 1) repeated.push(`${path}: ${length} times ${statement}`)
  }

  assert.deepEqual(repeated, [])
})
