import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp } from '../../../../test/support/app.ts'
import { cities } from '../../../../test/support/arbitraries/zone.arbitrary.ts'
import { changed, givenEvent, plainEvent } from '../../../../test/support/given.ts'
import { runs } from '../../../../test/support/long.ts'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, parseZone } from '../../../base/time/zone.ts'
import { publishDue } from './schedule.ts'

const zones = [...cities, 'UTC-3.5']

/** Fails unless local time, zone and instant of both ends agree. */
function assertTimesAgree(event: Record<string, string>): void {
  const zone = parseZone(String(event.timezone))
  assert.ok(zone)
  for (const edge of ['start', 'end']) {
    const instant = Date.parse(`${String(event[`utc_${edge}_date`]).replace(' ', 'T')}Z`) / 1000
    assert.equal(localDateTimeAt(instant, zone), event[`${edge}_date`])
    assert.equal(epochSecondsOf(String(event[`${edge}_date`]) as LocalDateTime, zone), instant)
  }
  assert.ok(String(event.utc_start_date) <= String(event.utc_end_date))
}

test('fifty events of one title made at once have fifty slugs', async (t) => {
  const app = await startTestApp(t)

  const events = await Promise.all(Array.from({ length: 50 }, () => givenEvent(app, { title: 'Same' })))

  const slugs = new Set(events.map((event) => event.slug))
  assert.equal(slugs.size, 50)
  assert.ok(slugs.has('same') && slugs.has('same-2') && slugs.has('same-50'))
})

test('two updates at once lose no field of each other', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)

  await Promise.all([
    changed(app, `/events/${id}`, { description: 'Words' }),
    changed(app, `/events/${id}`, { cost: '5' }),
    changed(app, `/events/${id}`, { start_date: '2030-01-22 18:00' }),
    changed(app, `/events/${id}`, { end_date: '2030-01-22 22:00' }),
  ])

  const { body } = await app.send({ path: `/events/${id}` })
  assert.deepEqual(
    [body.description, body.cost, body.start_date, body.end_date],
    ['<p>Words</p>', '$5', '2030-01-22 18:00:00', '2030-01-22 22:00:00'],
  )
})

test('clock, zone and instants of an event agree after any change', async (t) => {
  const app = await startTestApp(t)
  const localDateTimes = fc
    .integer({ min: Date.UTC(2030, 0, 1) / 60_000, max: Date.UTC(2031, 11, 31) / 60_000 })
    .map((minutes) => new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' '))
  const change = fc.record(
    {
      start_date: localDateTimes,
      end_date: localDateTimes,
      timezone: fc.constantFrom(...zones),
      all_day: fc.boolean(),
    },
    { requiredKeys: [] },
  )

  await fc.assert(
    fc.asyncProperty(
      localDateTimes,
      localDateTimes,
      fc.constantFrom(...zones),
      fc.array(change, { maxLength: 4 }),
      async (start, end, timezone, changes) => {
        const event = await givenEvent(app, { start_date: start, end_date: end, timezone })
        assertTimesAgree(event)
        for (const sent of changes) assertTimesAgree(await changed(app, `/events/${event.id}`, sent))
      },
    ),
    { numRuns: runs(20, 60) },
  )
})

test('a clock hour that does not exist moves forward, one that occurs twice is the first', async (t) => {
  const app = await startTestApp(t)
  const times = async (start_date: string, timezone: string) => {
    const event = await givenEvent(app, { start_date, end_date: '2031-12-31', timezone })
    return [event.start_date, event.utc_start_date]
  }

  assert.deepEqual(await times('2030-03-10 02:30', 'America/Toronto'), ['2030-03-10 03:30:00', '2030-03-10 07:30:00'])
  assert.deepEqual(await times('2030-11-03 01:30', 'America/Toronto'), ['2030-11-03 01:30:00', '2030-11-03 05:30:00'])
  assert.deepEqual(await times('2030-10-06 02:15', 'Australia/Lord_Howe'), [
    '2030-10-06 02:45:00',
    '2030-10-05 15:45:00',
  ])
  assert.deepEqual(await times('2030-01-22 10:00', 'Asia/Kathmandu'), ['2030-01-22 10:00:00', '2030-01-22 04:15:00'])
})

test('a scheduled event is published at its date, once, and its terms count it then', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { status: 'publish', date: '2030-01-15 13:00', tags: ['Loud'] })
  assert.equal(event.status, 'future')
  assert.equal(event.tags[0].count, 0)
  assert.equal((await app.send({ path: `/events/${event.id}` })).status, 403)
  assert.equal(await publishDue(app.deps), 0)

  app.pass(3600)
  const published = await Promise.all([publishDue(app.deps), publishDue(app.deps)])

  assert.deepEqual([...published].sort(), [0, 1])
  const { body } = await app.send({ path: `/events/${event.id}` })
  assert.deepEqual([body.status, body.date, body.tags[0].count], ['publish', '2030-01-15 13:00:00', 1])
})

test('the trash keeps an event, frees its slug, and a status brings it back', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { tags: ['Loud'] })

  const trashed = await app.send({ as: 'editor', method: 'DELETE', path: `/events/${event.id}` })
  assert.deepEqual(
    [trashed.body.status, trashed.body.slug, trashed.body.tags[0].count],
    ['trash', 'concert__trashed', 0],
  )
  assert.equal((await app.send({ as: 'editor', path: `/events/${event.id}` })).body.code, 'event-no-longer-available')
  assert.equal((await app.send({ as: 'editor', method: 'DELETE', path: `/events/${event.id}` })).status, 410)
  const successor = await givenEvent(app)
  assert.equal(successor.slug, 'concert')
  assert.equal((await changed(app, `/events/${event.id}`, { title: 'Still there' })).status, 'trash')

  const restored = await changed(app, `/events/${event.id}`, { status: 'publish' })
  assert.deepEqual([restored.status, restored.slug, restored.tags[0].count], ['publish', 'concert-2', 1])
})

test('a draft has no slug until it is published, then one from its title', async (t) => {
  const app = await startTestApp(t)
  const draft = await givenEvent(app, { status: 'draft' })
  assert.equal(draft.slug, '')

  const published = await changed(app, `/events/${draft.id}`, { status: 'publish' })

  assert.deepEqual([published.slug, published.date_utc], ['concert', '2030-01-15 12:00:00'])
})

test('an author may not give an event away, an editor may', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, {}, 'author')

  const refused = await app.send({ as: 'author', method: 'PATCH', path: `/events/${event.id}`, json: { author: 1 } })
  assert.equal(refused.status, 403)
  assert.equal((await changed(app, `/events/${event.id}`, { author: 1 }, 'editor')).author, '1')
})

test('an event in the future of its own publication needs no seconds: a minute ahead is scheduled, less is now', async (t) => {
  const app = await startTestApp(t)

  assert.equal((await givenEvent(app, { date_utc: '2030-01-15 12:00:59' })).status, 'publish')
  assert.equal((await givenEvent(app, { date_utc: '2030-01-15 12:01:00' })).status, 'future')
  const answer = await app.send({
    as: 'editor',
    method: 'POST',
    path: '/events',
    json: { ...plainEvent, status: 'future' },
  })
  assert.equal(answer.body.status, 'publish')
})

test('an event that is put in the trash twice comes back with the status that it had before', async (t) => {
  const app = await startTestApp(t)
  const restored = async (id: number) =>
    (await app.send({ as: 'editor', method: 'POST', path: `//cal/service/v1/events/${id}/restore` })).body.status

  for (const status of ['draft', 'publish', 'private']) {
    const { id } = await givenEvent(app, { status })
    await app.send({ as: 'editor', method: 'DELETE', path: `/events/${id}` })
    assert.equal((await changed(app, `/events/${id}`, { status: 'trash' })).status, 'trash')

    assert.equal(await restored(id), status)
  }
})

test('a password has at most 255 characters and is a text', async (t) => {
  const app = await startTestApp(t)
  const statusOf = async (event_password: unknown) => {
    const json = { title: 'A', start_date: '2030-02-10', end_date: '2030-02-10', event_password }
    return (await app.send({ as: 'editor', method: 'POST', path: '/events', json })).status
  }

  assert.deepEqual(
    await Promise.all(['', 'x'.repeat(255), 'x'.repeat(256), 5, null].map(statusOf)),
    [201, 201, 400, 400, 400],
  )
})
