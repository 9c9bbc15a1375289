import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Rows of protected events in the event index contain less than others. They follow the password as they follow the
 * status.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTrigger(db, {
    name: 'records_stale_password',
    table: 'records',
    on: 'update',
    columns: ['password'],
    when: "new.kind = 'event'",
    statement: `insert into stale_events (event_id) select new.id where true on conflict (event_id) do nothing`,
  })
  await sql`insert into stale_events (event_id) select id from records where kind = 'event' and password is not null`.execute(
    db,
  )
}
