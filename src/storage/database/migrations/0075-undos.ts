import { type Kysely, sql } from 'kysely'
import { advanceSequence, lastGivenId } from '../copy.sequences.ts'
import type { TableName } from '../copy.tables.ts'
import type { Dialect } from '../dialect.ts'
import type { Tx } from '../tables.ts'

/** Puts what undoes cancellations and merges into the same two tables. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createTables(db, dialect)
  // Merges keep their number as a negative one, because a cancellation may have the same.
  await sql`insert into undos (id, operation, at, user_id, subject_id, details, undone_at)
    select id, 'cancel', at, user_id, null, '{}', undone_at from cancellations
    union all select -id, 'merge-' || kind, at, user_id, from_id,
      '{"intoId":' || cast(into_id as text) || ',"trashed":' || trashed || ',"names":' || names
        || ',"terms":' || coalesce(terms, 'null') || '}', undone_at from merges`.execute(db)
  await sql`insert into undo_items (undo_id, record_id, before, after, undone_at)
    select cancellation_id, event_id, before, after, undone_at from canceled_events
    union all select -merge_id, event_id, before, after, undone_at from merged_events
      join merges on merges.id = merged_events.merge_id`.execute(db)
  const tx = db as unknown as Tx
  const last = await Promise.all(
    ['cancellations', 'merges'].map((table) => lastGivenId(tx, dialect, table as TableName)),
  )
  await advanceSequence(tx, dialect, { table: 'undos', id: Math.max(...last) })
  await dialect.dropTables(tx, ['canceled_events', 'merged_events', 'cancellations', 'merges'])
  await createTriggers(db, dialect)
}

async function createTables(db: Kysely<unknown>, { finish, numbered, id, text, instant }: Dialect): Promise<void> {
  await finish(
    numbered(db.schema.createTable('undos'))
      .addColumn('operation', text, (c) => c.notNull())
      .addColumn('at', instant, (c) => c.notNull())
      // No foreign keys: an operation may outlive its user and what it took away.
      .addColumn('user_id', id)
      .addColumn('subject_id', id)
      .addColumn('details', text, (c) => c.notNull())
      .addColumn('undone_at', instant),
  ).execute()
  await db.schema.createIndex('undos_at').on('undos').columns(['at', 'id']).execute()
  await finish(
    db.schema
      .createTable('undo_items')
      .addColumn('undo_id', id, (c) => c.notNull().references('undos.id').onDelete('cascade'))
      .addColumn('record_id', id, (c) => c.notNull().references('records.id').onDelete('cascade'))
      .addColumn('before', text, (c) => c.notNull())
      .addColumn('after', text, (c) => c.notNull())
      .addColumn('undone_at', instant)
      .addPrimaryKeyConstraint('undo_items_key', ['undo_id', 'record_id']),
    { isClustered: true },
  ).execute()
  await db.schema.createIndex('undo_items_record').on('undo_items').column('record_id').execute()
}

/** The audit log shows cancellations as items of their own. Merges are in the entries of what they merged. */
async function createTriggers(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const json = (row: 'new' | 'old') => `cast(${dialect.jsonObject}('undone_at', ${row}.undone_at) as text)`
  for (const [on, row, was, became] of [
    ['insert', 'new', 'null', `'{}'`],
    ['update', 'new', json('old'), json('new')],
    ['delete', 'old', json('old'), 'null'],
  ] as const) {
    await dialect.createTrigger(db, {
      ...{ name: `undos_audit_${on}`, table: 'undos', on, when: `${row}.operation = 'cancel'` },
      ...(on === 'update' ? { columns: ['undone_at'] } : {}),
      statement: `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
        values ('cancellation', ${row}.id, 'undos', 0, 'cancellation', ${was}, ${became})
        on conflict (subject, item_id, area, part_id) do update set became = excluded.became`,
    })
  }
}
