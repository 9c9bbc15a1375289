import { type Kysely, sql } from 'kysely'

/**
 * Creates two indexes again for all kinds of records. They had a condition on the kind. SQLite then compiles every
 * statement that compares the kind with a parameter again for each new value, which takes 50 µs and more.
 *
 * The index of slugs is created again after them. While a new calendar has no statistics, PostgreSQL takes the newest of
 * the indexes that seem equally good, and would read all records of a kind to look up a slug.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['records_event_title', 'records_event_state', 'records_slug']) {
    await sql`drop index ${sql.id(name)}`.execute(db)
  }
  await sql`create index records_beginning_of_title on records (kind, substr(title_folded, 1, 200), id)`.execute(db)
  await sql`create index records_state on records (kind, status, id)`.execute(db)
  await sql`create index records_slug on records (kind, slug, id)`.execute(db)
}
