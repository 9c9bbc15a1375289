import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { contentTables, derivedTables, internalTables } from '../../src/storage/database/schema/schema.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { changed, givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'
import { service } from '../support/signing.ts'

// During an upgrade, nodes of the version before continue with a schema that the new version has expanded (docs/versioning.md).

/** What an expanding migration may do to a table that exists. */
const expand = (table: string) => [
  sql`alter table ${sql.table(table)} add column added_without_value text`,
  sql`alter table ${sql.table(table)} add column added_with_value integer not null default 7`,
]

/** Reads and writes of each kind, which leave statements behind that the node uses again. */
async function useEverything(app: TestApp, name: string): Promise<void> {
  const { id: venue } = await givenVenue(app, { venue: `Hall ${name}` })
  const { id: organizer } = await givenOrganizer(app, { organizer: `Club ${name}` })
  const { id: category } = await givenTerm(app, 'categories', { name: `Kind ${name}` })
  const { id } = await givenEvent(app, { title: `Fair ${name}`, venue, organizer: [organizer], categories: [category] })
  await changed(app, `/events/${id}`, { description: name, tags: [name] })
  await changed(app, `/venues/${venue}`, { city: 'Lyon' })
  for (const path of [
    ...['/events', `/events?search=${name}`, `/events?venue=${venue}&categories=${category}`, `/events/${id}`],
    ...['/venues', '/organizers', '/categories', '/tags', `/venues/${venue}`, '/events?featured=true'],
    ...['//events/', '//events/month/', '//events/?ical=1', service('/changes'), service('/audit'), service('/users')],
  ]) {
    for (const as of ['administrator', undefined] as const) {
      const answer = await app.send({ path, ...(as ? { as } : {}) })
      assert.ok(answer.status < 500, `${path}: ${answer.status} ${answer.text}`)
    }
  }
  assert.equal((await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${id}` })).status, 200)
}

test('a node continues while a newer one adds columns to every table, a table and an index', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '100000/60' })
  const { storage } = app.deps
  await useEverything(app, 'before')
  await storage.writeWithoutRevision(async (tx) => {
    for (const name of Object.keys({ ...contentTables, ...internalTables, ...derivedTables }))
      for (const statement of expand(name)) await statement.execute(tx)
    await sql`create table added_later (id integer primary key, note text)`.execute(tx)
    await sql`create index added_later_note on added_later (note)`.execute(tx)
  })

  await useEverything(app, 'after')
})
