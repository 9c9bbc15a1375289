import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Tables of links with a column that their key does not have. */
const links = [
  { table: 'event_venues', column: 'venue_id', target: 'venues.record_id' },
  { table: 'event_organizers', column: 'organizer_id', target: 'organizers.record_id' },
] as const

/**
 * Adds an index of long events by their start: a total subtracts those of its days that end after the window. Stores links
 * in the order of their events where the engine can, so that a page finds them in one tree for each table and not in two.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`create index event_order_long_start on event_order
    (start_local, end_local, class, start_utc, end_utc) where is_long = 1`.execute(db)
  if (dialect.name !== 'sqlite') return
  for (const { table, column, target } of links) {
    const { rows: dependent } = await sql<{ sql: string }>`select sql from sqlite_schema
      where tbl_name = ${table} and type in ('index', 'trigger') and sql is not null`.execute(db)
    await sql`create temp table kept_links as select event_id, ${sql.ref(column)} as id, position from ${sql.table(table)}
      order by 1, 2`.execute(db)
    await db.schema.dropTable(table).execute()
    await dialect
      .finish(
        db.schema
          .createTable(table)
          .addColumn('event_id', dialect.id, (c) => c.notNull().references('events.record_id').onDelete('cascade'))
          .addColumn(column, dialect.id, (c) => c.notNull().references(target).onDelete('cascade'))
          .addColumn('position', 'integer', (c) => c.notNull())
          .addPrimaryKeyConstraint(`${table}_key`, ['event_id', column]),
        { isClustered: true },
      )
      .execute()
    // The triggers come later, because nothing changes.
    await sql`insert into ${sql.table(table)} (event_id, ${sql.ref(column)}, position)
      select event_id, id, position from kept_links`.execute(db)
    await sql`drop table kept_links`.execute(db)
    for (const { sql: text } of dependent) await sql.raw(text).execute(db)
  }
}
