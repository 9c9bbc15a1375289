import { sql } from 'kysely'
import type { TestApp } from './app.ts'

/** Tables that change without a write of a client: credentials note when they were last used. Only their rows count. */
const ofCredentials = ['application_passwords', 'sessions']

/** Returns the rows of all tables, to tell whether a request has left a trace. */
export async function traceOf({ deps: { storage, pictures } }: TestApp): Promise<object> {
  const names = (await storage.db.introspection.getTables()).map(({ name }) => name)
  const rows: [string, unknown][] = []
  for (const name of names.toSorted()) {
    if (/search_text_|_fts|search_(?:data|idx|config|docsize|content)/.test(name)) continue
    if (ofCredentials.includes(name)) {
      const { rows: ids } = await sql<{ id: number }>`select id from ${sql.table(name)} order by id`.execute(storage.db)
      rows.push([name, ids.map(({ id }) => id)])
      continue
    }
    // The other counters count notes of credentials too.
    const condition = name === 'revisions' ? sql`where id = 1` : sql``
    const found = await sql`select * from ${sql.table(name)} ${condition}`.execute(storage.db)
    rows.push([name, found.rows.map((row) => JSON.stringify(row)).toSorted()])
  }
  const files: string[] = []
  for await (const { name } of pictures.store.list()) files.push(name)
  return { ...Object.fromEntries(rows), files: files.toSorted() }
}
