import type { PostgresPool } from 'kysely'
import { revisionRow } from '../revision.ts'

const statement = `select number from revisions where id = ${revisionRow}`

/**
 * Returns the number of the last write that this server has, as `readRevision` does. It runs before every answer from
 * the response cache. It therefore skips the query builder and uses the protocol with the fewest messages.
 */
export async function queryRevision(pool: PostgresPool): Promise<number> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ number: number }>(statement, [])
    return rows[0]?.number ?? 0
  } finally {
    client.release()
  }
}
