import { sql } from 'kysely'
import { altTextIn } from '../../media/alt.text.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import type { EventCheck } from '../list/rows.arguments.ts'

/** A check that reads the events themselves. The others are answered by the event index. */
export type ReadCheck = Exclude<EventCheck, 'no-venue'>

/** The events of a list that such a check looks at: it costs the same in every calendar. */
export const maxChecked = 1000

/** Returns those of some events that a check finds, in their order. Runs one query. */
export async function findByCheck(
  context: ReadContext,
  check: ReadCheck,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const found = new Set(await finders[check](context, ids))
  return ids.filter((id) => found.has(id))
}

type Finder = (context: ReadContext, ids: readonly number[]) => Promise<readonly number[]>

const finders: Readonly<Record<ReadCheck, Finder>> = {
  'no-picture': async ({ db, dialect }, ids) => {
    const { rows } = await sql<{ id: number }>`
      select id from records where ${dialect.isAmong(sql.ref('id'), ids)} and image_id is null`.execute(db)
    return rows.map(({ id }) => id)
  },
  'no-alt-text': async ({ db, dialect }, ids) => {
    const { rows } = await sql<{ id: number; language: string; alt_texts: string }>`
      select records.id, records.language, media.alt_texts from records
        join media on media.record_id = records.image_id and media.is_decorative = 0
      where ${dialect.isAmong(sql.ref('records.id'), ids)}`.execute(db)
    return rows.flatMap(({ id, language, alt_texts: json }) =>
      altTextIn({ altTexts: JSON.parse(json), isDecorative: false }, language) === '' ? [id] : [],
    )
  },
  // Events with the same title that begin at the same time.
  double: async ({ db, dialect }, ids) => {
    const { rows } = await sql<{ id: number; title_folded: string; start_local: string }>`
      select records.id, records.title_folded, events.start_local from records
        join events on events.record_id = records.id
      where ${dialect.isAmong(sql.ref('records.id'), ids)}`.execute(db)
    const same = Map.groupBy(rows, (row) => `${row.start_local} ${row.title_folded}`)
    return [...same.values()].flatMap((some) => (some.length > 1 ? some.map(({ id }) => id) : []))
  },
  // A change of what translations share is noted in all of them. One of the original alone is newer than they are.
  outdated: async ({ db, dialect }, ids) => {
    const { rows } = await sql<{ id: number }>`
      select listed.id from records listed
        join records original on original.id = listed.group_id
      where ${dialect.isAmong(sql.ref('listed.id'), ids)}
        and exists (select 1 from records version where version.group_id = listed.group_id
          and version.id <> original.id and version.status <> 'trash' and version.modified_at < original.modified_at)
      `.execute(db)
    return rows.map(({ id }) => id)
  },
}
