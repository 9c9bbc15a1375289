import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { startTestApp } from '../../../test/support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { service } from '../../../test/support/signing.ts'
import { discardPendingAudit } from '../../storage/database/audit.ts'
import * as cancellations from '../../storage/database/migrations/0027-cancellations.ts'
import * as merges from '../../storage/database/migrations/0036-merges.ts'
import * as undos from '../../storage/database/migrations/0075-undos.ts'

test('what an earlier version did can be undone at its address, even if two operations have the same number', async (t) => {
  const app = await startTestApp(t)
  const post = (path: string, json: object = {}) =>
    app.send({ as: 'editor', method: 'POST', path: service(path), json })
  const [hall, arena] = [await givenVenue(app, { venue: 'Hall' }), await givenVenue(app, { venue: 'Arena' })]
  const [music, jazz] = [
    await givenTerm(app, 'categories', { name: 'Music' }),
    await givenTerm(app, 'categories', { name: 'Jazz' }),
  ]
  const { id } = await givenEvent(app, { venue: hall.id, categories: [music.id] })
  await post('/events/cancel', { where: { to: '2030-02-01' }, reason: 'Storm' })
  await post(`/venues/${hall.id}/merge`, { into: arena.id })
  await post(`/categories/${music.id}/merge`, { into: jazz.id })

  const { dialect, write } = app.deps.storage
  await write(async (tx) => {
    const db = tx as unknown as Kysely<unknown>
    await cancellations.up(db, dialect)
    await merges.up(db, dialect)
    await db.schema.alterTable('merges').addColumn('terms', 'text').execute()
    const { rows } = await sql<Record<string, string>>`select * from undos order by id`.execute(tx)
    for (const { id: undo, operation = '', at, user_id, subject_id, details = '' } of rows) {
      const { intoId, trashed, names, terms } = JSON.parse(details)
      // The merges are numbers 1 and 2 of their own.
      if (operation === 'cancel') {
        await sql`insert into cancellations (at, user_id, event_status)
          values (${at}, ${user_id}, 'canceled')`.execute(tx)
        await sql`insert into canceled_events (cancellation_id, event_id, before, after)
          select undo_id, record_id, before, after from undo_items where undo_id = ${undo}`.execute(tx)
      } else {
        await sql`insert into merges (at, user_id, kind, from_id, into_id, trashed, names, terms)
          values (${at}, ${user_id}, ${operation.slice('merge-'.length)}, ${subject_id}, ${intoId},
            ${JSON.stringify(trashed)}, ${JSON.stringify(names)}, ${terms ? JSON.stringify(terms) : null})`.execute(tx)
        await sql`insert into merged_events (merge_id, event_id, before, after)
          select undo_id - 1, record_id, before, after from undo_items where undo_id = ${undo}`.execute(tx)
      }
    }
    await dialect.dropTables(tx, ['undo_items', 'undos'])
    await discardPendingAudit(tx)
    await undos.up(db, dialect)
  })

  const event = await givenEvent(app)
  const { body: later } = await post('/events/cancel', { where: { to: '2030-02-01' } })
  assert.equal(later.undo.id, 3)
  for (const path of ['/events/cancel/1', '/venues/merge/1', '/categories/merge/2']) {
    const { status, body, text } = await post(`${path}/undo`)
    assert.deepEqual([status, body.count], [200, 1], text)
  }
  assert.equal((await post('/venues/merge/2/undo')).status, 404)
  const { body: shown } = await app.send({ path: `/events/${id}` })
  assert.deepEqual([shown.event_status, shown.venue.venue, shown.categories[0].name], [undefined, 'Hall', 'Music'])
  assert.equal((await app.send({ path: `/events/${event.id}` })).body.event_status, 'canceled')
  const audit = { as: 'administrator', path: service('/audit?kind=cancellation&id=1') } as const
  assert.deepEqual(
    (await app.send(audit)).body.entries.map(({ action }: { readonly action: string }) => action),
    ['update', 'create'],
  )
})
