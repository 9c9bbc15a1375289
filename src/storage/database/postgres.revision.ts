import type { PostgresPool } from 'kysely'
import { contentRow } from './revision.ts'

const statement = `select number from revisions where id = ${contentRow}`

/**
 * The number of the last write that this server has, as `readRevision` gives it. It is asked before every answer from
 * memory: so without all that building a statement takes, and in the protocol that needs the fewest messages.
 */
export async function askRevision(pool: PostgresPool): Promise<number> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ number: number }>(statement, [])
    return rows[0]?.number ?? 0
  } finally {
    client.release()
  }
}
