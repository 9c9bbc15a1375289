import { sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import type { Db } from '../../storage/database/tables.ts'
import { editableBy, readableBy } from '../records/record.visibility.ts'

/**
 * Returns the series of these templates, by template. Left out are those that the caller does not know: he may neither
 * read nor change the template, and read none of the dates. Runs at most one query.
 */
export async function listKnownSeries(
  db: Db,
  actor: Actor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ readonly id: number; readonly series_id: number }>`
    select template.id, coalesce(template.group_id, template.id) as series_id from records template
    where ${dialectOf(db).isAmong(sql.ref('template.id'), ids)} and template.kind = 'series'
      and (${readableBy('template', actor, 'any')} or ${editableBy('template', actor)}
        or exists (select 1 from occurrences date join records on records.id = date.event_id
          where date.series_id = coalesce(template.group_id, template.id) and ${readableBy('records', actor, 'any')}))`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row.series_id]))
}
