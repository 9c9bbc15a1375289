import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** What events are linked to, by the row of `revisions` that tells its state. */
const linked = [
  { row: 3, tables: ['records', 'venues', 'organizers', 'media'] },
  { row: 4, tables: ['terms'] },
] as const

/**
 * Numbers that are raised with every change of what events are linked to: one for venues and organizers with their
 * pictures, one for terms. Whoever sees the same number twice would read the same both times.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const { row, tables } of linked) {
    // No number that a database had which stood in the place of this one.
    const first = Date.now() * 1000
    await sql`insert into revisions (id, number) values (${sql.lit(row)}, ${sql.lit(first)})`.execute(db)
    for (const table of tables) {
      for (const on of ['insert', 'update', 'delete'] as const) {
        await dialect.createTrigger(db, {
          name: `${table}_linked_${on}`,
          table,
          on,
          ...(table === 'records' ? { when: `${on === 'delete' ? 'old' : 'new'}.kind <> 'event'` } : {}),
          statement: `update revisions set number = number + 1 where id = ${row}`,
        })
      }
    }
  }
}
