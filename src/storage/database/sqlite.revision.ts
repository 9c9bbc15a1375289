import type Database from 'better-sqlite3'
import { asideRow, contentRow } from './revision.ts'

/**
 * A number that is another one after every commit that other handles make, of whatever process, but for those that say
 * they stand aside. Costs no look at a table while nothing is committed.
 *
 * @param reader A handle that never commits itself.
 */
export function watchRevision(reader: Database.Database): () => number {
  const dataVersion = reader.prepare<[], number>('pragma data_version').pluck()
  const countOf = reader.prepare<[number], number>('select number from revisions where id = ?').pluck()
  let seen: number | undefined
  let content = 0
  let aside = 0
  let changes = 0
  return () => {
    const version = dataVersion.get()
    if (version === seen) return changes
    seen = version
    const now = { content: countOf.get(contentRow) ?? 0, aside: countOf.get(asideRow) ?? 0 }
    // A commit that nobody counted is one of another program: who knows what it changed.
    if (now.content !== content || now.aside === aside) changes += 1
    content = now.content
    aside = now.aside
    return changes
  }
}
