import { sql } from 'kysely'
import { addressEnd } from '../../../calendar/records/record.translations.repository.ts'
import { termFromRow, withAncestors } from '../../../calendar/terms/term.repository.ts'
import type { TermWithAncestors } from '../../../calendar/terms/term.ts'
import type { Db } from '../../../storage/database/tables.ts'

/** A record with its own page. */
export interface SitemapEntry {
  readonly kind: 'event' | 'venue' | 'organizer'
  readonly language: string
  /** The end of its address. */
  readonly end: string
  /** Whole seconds since 1970, UTC. */
  readonly modifiedAt: number
}

/** Returns the highest id of a record or term. It determines the number of sitemap files. */
export async function lastId(db: Db): Promise<number> {
  const { rows } = await sql<{ readonly last: number | null }>`
    select max(id) as last from records union all select max(id) from terms`.execute(db)
  return Math.max(...rows.map(({ last }) => Number(last)))
}

/**
 * Returns the public records with ids in this range, in order of id. Takes one query over a range of the primary key.
 */
export async function listSitemap(db: Db, first: number, last: number): Promise<readonly SitemapEntry[]> {
  const hidden = sql<number>`(select 1 from events where events.record_id = records.id and events.is_hidden = 1)`
  // A series has a page if visitors see one of its dates.
  const hasDates = sql<boolean>`exists (select 1 from occurrences date join records shown on shown.id = date.event_id
    join events on events.record_id = date.event_id and events.is_hidden = 0
    where date.series_id = coalesce(records.group_id, records.id) and date.language = records.language
      and shown.status = 'publish' and shown.password is null)`
  const rows = await db
    .selectFrom('records')
    .select(['kind', 'language', addressEnd.as('end'), 'modified_at'])
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where((e) => e.or([e('kind', 'in', ['event', 'venue', 'organizer']), e.and([e('kind', '=', 'series'), hasDates])]))
    .where('status', '=', 'publish')
    .where('password', 'is', null)
    .where(hidden, 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ modified_at, ...row }) => ({
    ...row,
    // A series has the page of its dates.
    kind: row.kind === 'series' ? 'event' : (row.kind as SitemapEntry['kind']),
    modifiedAt: Number(modified_at),
  }))
}

/**
 * Returns the terms of published events with ids in this range, in order of id. Takes two queries over a range of the
 * primary key.
 */
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
