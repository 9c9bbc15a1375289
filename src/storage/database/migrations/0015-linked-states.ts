import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Tables that events link to, by the row of `revisions` that counts their changes. */
const linked = [
  { row: 3, tables: ['records', 'venues', 'organizers', 'media'] },
  { row: 4, tables: ['terms'] },
] as const

/**
 * Adds numbers that are raised with every change of items that events link to: one for venues and organizers with their
 * pictures, one for terms. A reader that sees the same number twice would read the same data both times.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const { row, tables } of linked) {
    // Starts above any number of another database that was at this location before.
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
