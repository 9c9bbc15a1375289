import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds series: the rules by which they repeat, and which events are dates of them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, numbered, id, text } = dialect
  await finish(
    numbered(db.schema.createTable('series_rules'))
      .addColumn('series_id', id, (c) => c.notNull().references('records.id').onDelete('cascade'))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('from_local', text, (c) => c.notNull())
      .addColumn('start_local', text, (c) => c.notNull())
      .addColumn('end_local', text, (c) => c.notNull())
      .addColumn('timezone', text, (c) => c.notNull())
      .addColumn('is_all_day', 'integer', (c) => c.notNull())
      .addColumn('rrule', text, (c) => c.notNull())
      .addColumn('dates', text, (c) => c.notNull())
      .addColumn('except', text, (c) => c.notNull())
      .addUniqueConstraint('series_rules_position', ['series_id', 'position']),
  ).execute()
  await finish(
    db.schema
      .createTable('occurrences')
      .addColumn('event_id', id, (c) => c.primaryKey().notNull().references('events.record_id').onDelete('cascade'))
      .addColumn('series_id', id, (c) => c.notNull().references('records.id').onDelete('cascade'))
      .addColumn('recurrence_id', text, (c) => c.notNull())
      .addColumn('path', text, (c) => c.notNull())
      .addColumn('own_fields', text, (c) => c.notNull().defaultTo('[]'))
      .addColumn('is_dropped', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('language', text, (c) => c.notNull())
      .addUniqueConstraint('occurrences_date', ['series_id', 'recurrence_id', 'language'])
      .addUniqueConstraint('occurrences_path', ['path', 'language']),
  ).execute()
  await db.schema.createIndex('occurrences_series').on('occurrences').columns(['series_id', 'event_id']).execute()
  await finish(
    db.schema
      .createTable('series_state')
      .addColumn('series_id', id, (c) => c.primaryKey().notNull().references('records.id').onDelete('cascade'))
      .addColumn('made_until', text, (c) => c.notNull())
      .addColumn('is_endless', 'integer', (c) => c.notNull())
      .addColumn('sequence', 'integer', (c) => c.notNull()),
  ).execute()
  await db.schema
    .createIndex('series_state_endless')
    .on('series_state')
    .columns(['made_until', 'series_id'])
    .where(sql.ref('is_endless'), '=', sql.lit(1))
    .execute()
  await indexSeries(db, dialect)
  await noteStaleEvents(db, dialect)
  await auditRules(db, dialect)
}

/**
 * Lists of the next dates look up one date of each series in this index. Events of series are in classes of their own, so
 * that they are counted apart.
 */
async function indexSeries(db: Kysely<unknown>, { id }: Dialect): Promise<void> {
  await db.schema.alterTable('event_order').addColumn('series_id', id).execute()
  await sql`create index event_order_series on event_order (series_id, start_local, dated_at, event_id, class)
    where series_id is not null`.execute(db)
  await db.schema
    .alterTable('event_classes')
    .addColumn('is_of_series', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}

async function noteStaleEvents(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const [on, row] of [
    ['insert', 'new'],
    ['delete', 'old'],
    ['update', 'new'],
  ] as const) {
    await dialect.createTrigger(db, {
      ...{ name: `occurrences_stale_${on}`, table: 'occurrences', on },
      statement: `insert into stale_events (event_id) select ${row}.event_id where true
        on conflict (event_id) do nothing`,
    })
  }
}

/** The rules of a series are parts of its record. */
async function auditRules(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const label = (row: 'new' | 'old') => {
    const names = ['from_local', 'start_local', 'end_local', 'timezone', 'is_all_day', 'rrule', 'dates', 'except']
    const members = names.map((name) => `'${name}', ${row}."${name}"`)
    return `cast(${dialect.jsonObject}(${members.join(', ')}) as text)`
  }
  const note = (row: 'new' | 'old', was: string, became: string) =>
    `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
      values ('record', ${row}.series_id, 'series_rules', ${row}.id, 'series', ${was}, ${became})
      on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
  for (const [on, statement] of [
    ['insert', note('new', 'null', label('new'))],
    ['delete', note('old', label('old'), 'null')],
    ['update', note('new', label('old'), label('new'))],
  ] as const) {
    await dialect.createTrigger(db, { name: `series_rules_audit_${on}`, table: 'series_rules', on, statement })
  }
}
