import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Adds indexes with what feeds look for in each of their events before they read it: the number of its changes, its
 * password, and the size of its texts. In the tables, these are behind long texts.
 *
 * PostgreSQL does not read values of expressions from an index, so there they would be of no use.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect.name !== 'sqlite') return
  await sql`create index records_keys on records (id, change_count, password,
    octet_length(title_html) + octet_length(content_html) + octet_length(excerpt_html))`.execute(db)
  await sql`create index events_keys on events (record_id,
    coalesce(octet_length(cost), 0) + coalesce(octet_length(custom_fields), 0) + coalesce(octet_length(website), 0)
    + coalesce(octet_length(status_reason), 0) + coalesce(octet_length(virtual_url), 0)
    + coalesce(octet_length(offers), 0))`.execute(db)
}
