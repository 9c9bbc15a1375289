import { type Kysely, sql } from 'kysely'

/** Adds an index of long events by their start: a total subtracts those of its days that end after the window. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index event_order_long_start on event_order
    (start_local, end_local, class, start_utc, end_utc) where is_long = 1`.execute(db)
}
