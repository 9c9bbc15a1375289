import { type Kysely, sql } from 'kysely'

/** Empties the search index, because the numbers of tokens now tell how words begin and end. All events wait to be indexed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'search_rows',
    'search_merges',
    'search_lists',
    'search_documents',
    'search_tokens',
    'search_pending',
  ])
    await sql`delete from ${sql.table(table)}`.execute(db)
  // In the order of lists, so that a search reads only the rows of its days.
  await sql`insert into search_pending (event_id, place)
    select record_id, row_number() over (order by start_local, record_id)
    from events join records on records.id = record_id where kind = 'event'`.execute(db)
  const generation = Math.floor(Math.random() * 2 ** 31)
  await sql`update search_state set generation = ${generation}, documents = 0, tokens = 0,
    digest = ${0x811c9dc5 | 0}, version = 0`.execute(db)
}
