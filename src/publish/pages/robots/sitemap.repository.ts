import { sql } from 'kysely'
import { termFromRow, withAncestors } from '../../../calendar/terms/term.repository.ts'
import type { TermWithAncestors } from '../../../calendar/terms/term.ts'
import type { Db } from '../../../storage/database/tables.ts'

/** Something with a page of its own. */
export interface SitemapEntry {
  readonly kind: 'event' | 'venue' | 'organizer'
  readonly language: string
  readonly slug: string
  /** Whole seconds since 1970, UTC. */
  readonly modifiedAt: number
}

/** The highest id of a record or term: what bounds the files of a sitemap. */
export async function lastId(db: Db): Promise<number> {
  const { rows } = await sql<{ readonly last: number | null }>`
    select max(id) as last from records union all select max(id) from terms`.execute(db)
  return Math.max(...rows.map(({ last }) => Number(last)))
}

/** What everybody may see of the records with these ids, in order of id. One query, over a range of the key. */
export async function listSitemap(db: Db, first: number, last: number): Promise<readonly SitemapEntry[]> {
  const hidden = sql<number>`(select 1 from events where events.record_id = records.id and events.is_hidden = 1)`
  const rows = await db
    .selectFrom('records')
    .select(['kind', 'language', 'slug', 'modified_at'])
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where('kind', 'in', ['event', 'venue', 'organizer'])
    .where('status', '=', 'publish')
    .where('password', 'is', null)
    .where(hidden, 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ modified_at, ...row }) => ({
    ...row,
    kind: row.kind as SitemapEntry['kind'],
    modifiedAt: Number(modified_at),
  }))
}

/** The terms with these ids that published events have, in order of id. Two queries, over a range of the key. */
export async function listSitemapTerms(db: Db, first: number, last: number): Promise<readonly TermWithAncestors[]> {
  const rows = await db
    .selectFrom('terms')
    .selectAll()
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where('event_count', '>', 0)
    .orderBy('id')
    .execute()
  return withAncestors(db, rows.map(termFromRow))
}
