import { sql } from 'kysely'
import type { Db } from '../../storage/database/tables.ts'
import { findIdBySlug } from '../records/record.translations.repository.ts'
import { readableBy } from '../records/record.visibility.ts'
import type { Viewer } from '../translations/viewer.ts'

/**
 * Returns the next date of the series with this slug that the viewer may read: the one that ends first, or else the last
 * one. Undefined if there is none. Runs at most two queries.
 *
 * @param at Whole seconds since 1970, UTC.
 */
export async function findNextDateBySlug(
  db: Db,
  viewer: Viewer,
  { slug, at }: { readonly slug: string; readonly at: number },
): Promise<number | undefined> {
  const templateId = await findIdBySlug(db, { kind: 'series', slug }, viewer)
  if (templateId === undefined) return undefined
  const { rows } = await sql<{ id: number }>`
    select records.id from records template
      join occurrences date on date.series_id = coalesce(template.group_id, template.id)
        and date.language = template.language
      join records on records.id = date.event_id join events on events.record_id = date.event_id
    where template.id = ${templateId} and date.is_dropped = 0 and records.status <> 'trash'
      and ${readableBy('records', viewer.actor, 'any')}
    order by case when events.end_utc > ${at} then 0 else 1 end,
      case when events.end_utc > ${at} then events.end_utc else -events.end_utc end, records.id
    limit 1`.execute(db)
  return rows[0]?.id
}
