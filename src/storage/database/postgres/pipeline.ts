import type { PostgresPoolClient } from 'kysely'

/** How a connection runs a statement and waits for its result. */
export type Run = (text: string, parameters: readonly unknown[]) => Promise<unknown>

/** Statements that may be on their way while nobody waits for them. */
const maxAhead = 16

/** Begins other statements whose result nobody needs. */
export const unread = '/* unread */'

/**
 * Whether nobody needs the result of a statement: what frames transactions and writes, except a commit, inserts that
 * return nothing, and what says so.
 */
export function isSentAhead(text: string): boolean {
  const statement = text.trimStart()
  if (/^(?:begin|savepoint|release savepoint|rollback to savepoint)\b/.test(statement)) return true
  return statement.startsWith(unread) || (statement.startsWith('insert ') && !/\breturning\b/.test(statement))
}

const ignore = () => {}

/** What a connection writes to. While it is corked, it collects what is written. */
interface Corkable {
  cork(): void
  uncork(): void
}

/**
 * Returns a query function that does not wait for statements whose result nobody needs. They travel with the next
 * statement, in one packet and one round trip. If one of them fails, the next statement that is waited for fails with
 * its error: it cannot succeed either, because the transaction is aborted. So a commit never hides a failure.
 */
export function sendingAhead(run: Run, stream: Corkable): PostgresPoolClient['query'] {
  const ahead: Promise<unknown>[] = []
  let isCorked = false
  const hold = () => {
    if (!isCorked) stream.cork()
    isCorked = true
  }
  const send = () => {
    if (isCorked) stream.uncork()
    isCorked = false
  }
  const query = async (text: string, parameters: readonly unknown[]) => {
    const isAhead = isSentAhead(text)
    if (isAhead) hold()
    // What is rolled back need not have succeeded.
    if (/^\s*rollback\b/.test(text)) ahead.length = 0
    const own = run(text, parameters)
    // Errors are reported when they are waited for.
    own.catch(ignore)
    if (!isAhead) {
      send()
      for (const earlier of ahead.splice(0)) await earlier
      return own
    }
    ahead.push(own)
    if (ahead.length > maxAhead) {
      send()
      await ahead.shift()
    }
    return { command: '', rowCount: 0, rows: [] }
  }
  // The other form of `query` is for cursors, which this service does not use.
  return query as unknown as PostgresPoolClient['query']
}
