import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { runOn } from '../../../test/support/database.ts'
import { givenEvent } from '../../../test/support/given.ts'
import { checkAll } from './check.service.ts'

/** A calendar with records of every kind; undefined if its database exists in this process only. */
async function givenCalendar(t: TestContext): Promise<TestApp | undefined> {
  const app = await startTestApp(t)
  if (process.env.TEST_POSTGRES_URL === 'pglite' && process.env.TEST_ENGINE === 'postgres') {
    t.skip('PGlite serves one process only.')
    return undefined
  }
  const write = (path: string, json: object) => app.send({ as: 'administrator', method: 'POST', path, json })
  const { body: above } = await write('/categories', { name: 'Music' })
  const { body: below } = await write('/categories', { name: 'Jazz', parent: above.id })
  const first = await givenEvent(app, {
    venue: { venue: 'Hall' },
    organizer: { organizer: 'Club' },
    categories: [below.id],
    tags: ['free'],
    timezone: 'America/Toronto',
  })
  await write('/events?ml_language=fr-CA', { title: 'Fête', ml_translation_of: first.id })
  const state = { event_status: 'canceled', event_status_reason: 'Storm', attendance: 'mixed' }
  await givenEvent(app, { title: 'Second', start_date: '2030-03-10 02:30', end_date: '2031-11-03 01:30', ...state })
  const trashed = await givenEvent(app, { title: 'Gone', categories: [above.id] })
  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${trashed.id}` })
  await givenEvent(app, { title: 'Draft', status: 'draft' })
  await givenEvent(app, { title: 'Yoga', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
  return app
}

/** Runs a statement that bypasses the service and the constraints of the engine. */
async function spoil({ deps }: TestApp, statement: string): Promise<void> {
  const { database } = deps.config
  if (database.engine === 'postgres') {
    return runOn(database.url, `set session_replication_role = replica; ${statement}`)
  }
  const { default: Database } = await import('better-sqlite3')
  const handle = new Database(database.file)
  handle.pragma('foreign_keys = off')
  handle.exec(statement)
  handle.close()
}

const brokenIn = async ({ deps }: TestApp) =>
  (await checkAll(deps.config)).filter(({ count }) => count > 0).map(({ name }) => name)

test('a calendar that only the service has written is sound, and its checking is told', async (t) => {
  const app = await givenCalendar(t)
  if (!app) return
  const told: number[] = []

  const findings = await checkAll(app.deps.config, { onProgress: (done, total) => told.push(done / total) })

  assert.deepEqual(
    findings.filter(({ count }) => count > 0),
    [],
  )
  assert.ok(findings.length >= 13)
  assert.deepEqual([told.at(-1), told.toSorted((a, b) => a - b)], [1, told])
})

const first = `(select min(record_id) from events)`
const someDate = '(select max(event_id) from occurrences)'
const faults: readonly (readonly [name: string, statement: string])[] = [
  ['kinds', 'delete from organizers'],
  ['references', 'delete from venues'],
  ['references', 'delete from users'],
  ['parents', 'update terms set parent_id = 999 where parent_id <> 0'],
  ['parents', `update terms set parent_id = id where taxonomy = 'category'`],
  ['slugs', `update records set slug = 'same' where kind = 'event'`],
  ['states', `update events set event_status = 'gone' where record_id = ${first}`],
  ['states', `update events set event_status = 'canceled' where record_id = ${first}`],
  ['states', `update events set status_reason = 'Storm' where record_id = ${first}`],
  ['states', `update events set attendance = 'nowhere' where record_id = ${first}`],
  ['event-index', `delete from event_facets where facet = 11`],
  ['record-groups', `update records set group_id = id where kind = 'venue'`],
  ['record-groups', `update records set language = 'fr-CA' where group_id is not null`],
  ['term-groups', 'update terms set group_id = 999'],
  [
    'imports',
    `insert into imported_records (kind, source, record_id, digest, shift_days, imported_at)
    values ('event', 'a?id=1', 999, '', 0, 0)`,
  ],
  ['counts', 'update terms set event_count = event_count + 1'],
  ['introduced', 'update terms set introduced_by = 2 where event_count > 0'],
  ['series', 'delete from series_rules'],
  ['series', 'delete from series_state'],
  ['series', `update occurrences set series_id = ${first}`],
  ['followers', `update records set title = 'Other' where id = ${someDate}`],
  ['dates', `update occurrences set recurrence_id = '2030-01-01 00:00:00' where event_id = ${someDate}`],
  ['dates', `delete from occurrences where event_id = ${someDate}`],
  ['stale', 'insert into stale_events (event_id) select record_id from events where true on conflict do nothing'],
  ['unrecorded', `insert into audit_pending values ('record', 1, 'venues', 0, 'venue', '{}', '{"phone":"555"}')`],
  ['times', `update events set start_utc = start_utc - 3600 where record_id = ${first}`],
  [
    'times',
    `update events set start_local = '2030-03-10 02:30:00', timezone = 'America/Toronto'
    where record_id = ${first}`,
  ],
  ['event-index', `update listed_events set end_local = start_local where event_id = ${first}`],
  ['event-index', `update listed_events set facets = ''`],
  ['event-index', 'update listed_events set event_id = event_id + 900'],
  ['event-index', 'update listed_events set shown_alone = 0'],
  ['event-index', 'update listed_events set shown_among_all = 0'],
  ['event-index', 'delete from listed_events'],
  ['event-index', 'delete from event_facets where facet > 2'],
  ['event-index', 'update event_facets set place = -place'],
  ['event-index', 'insert into event_facets (facet, place) values (1, 1)'],
  ['words', 'delete from search_texts'],
  ['words', `update search_texts set text = text || 's'`],
  ['words', 'update search_texts set place = -place'],
  ['words', `insert into search_texts (place, text) values (1, 'of no event')`],
  [
    'pictures',
    `insert into media values (${first}, '2030/01/lost.jpg', 'image/jpeg', 'jpg', 1, 1, 1, '{}', null, '{}', 0)`,
  ],
]

for (const [name, statement] of faults) {
  test(`the check of ${name} finds what this has done: ${statement.replaceAll(/\s+/g, ' ')}`, async (t) => {
    const app = await givenCalendar(t)
    if (!app) return

    await spoil(app, statement)

    assert.ok((await brokenIn(app)).includes(name), (await brokenIn(app)).join(', '))
  })
}
