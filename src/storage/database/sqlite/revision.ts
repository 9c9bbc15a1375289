import type Database from 'better-sqlite3'
import { noRevisionRow, revisionRow } from '../revision.ts'

/**
 * Returns a number that differs after every commit of another handle, in this or another process. Commits that are
 * counted as aside do not change it. While nothing is committed, no table is read.
 *
 * @param reader A handle that never commits itself.
 */
export function watchRevision(reader: Pick<Database.Database, 'prepare'>): () => number {
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
    const now = { content: countOf.get(revisionRow) ?? 0, aside: countOf.get(noRevisionRow) ?? 0 }
    // A commit that is not counted comes from another program, so its changes are unknown.
    if (now.content !== content || now.aside === aside) changes += 1
    content = now.content
    aside = now.aside
    return changes
  }
}
