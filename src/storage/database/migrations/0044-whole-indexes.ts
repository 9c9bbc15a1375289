import { type Kysely, sql } from 'kysely'

/**
 * Creates two indexes again for all kinds of records. They had a condition on the kind. SQLite then compiles every
 * statement that compares the kind with a parameter again for each new value, which takes 50 µs and more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index records_event_title`.execute(db)
  await sql`drop index records_event_state`.execute(db)
  await sql`create index records_beginning_of_title on records (kind, substr(title_folded, 1, 200), id)`.execute(db)
  await sql`create index records_state on records (kind, status, id)`.execute(db)
}
