import { sql } from 'kysely'
import { mayRead } from '../../../access/auth/policy.ts'
import { sanitizeTitle } from '../../../base/text/sanitize.ts'
import { comparableTitle } from '../../records/record.name.ts'
import { ownedFromRow } from '../../records/record.repository.ts'
import type { RecordStatus } from '../../records/record.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import type { TitleAndStart } from './doubles.arguments.ts'

/** More events than this are not looked at: a warning needs only some of them. */
const maxFound = 1000

interface FoundRow {
  readonly id: number
  readonly group_id: number
  readonly title_folded: string
  readonly title_html: string
  readonly start_local: string
  readonly status: string
  readonly author_id: number
  readonly password: string | null
}

/** An event that has the title and the start of another one. */
export interface Double {
  readonly id: number
  readonly title: string
  readonly status: RecordStatus
}

/**
 * Returns the events outside the trash with the same title and the same local start as each of these, as far as the
 * reader may read them. Runs one query.
 */
export async function findDoubles(
  { db, dialect, viewer }: ReadContext,
  events: readonly TitleAndStart[],
): Promise<readonly (readonly Double[])[]> {
  const keys = events.map(({ title, start }) => ({ title: comparableTitle(sanitizeTitle(title)), start }))
  const titles = [...new Set(keys.map(({ title }) => title.slice(0, 200)))]
  const starts = [...new Set(keys.map(({ start }) => start))]
  const { rows } = await sql<FoundRow>`
    select records.id, records.group_id, records.title_folded, records.title_html, events.start_local, records.status,
      records.author_id, records.password
    from events join records on records.id = events.record_id
    where ${dialect.isAmongTexts(sql.ref('events.start_local'), starts)}
      and ${dialect.isAmongTexts(sql<string>`substr(records.title_folded, 1, 200)`, titles)}
      and records.kind = 'event' and records.status <> 'trash'
    order by records.id limit ${maxFound}`.execute(db)
  const readable = rows.filter((row) => mayRead(viewer.actor, ownedFromRow(row)))
  const found = Map.groupBy(readable, (row) => `${row.start_local} ${row.title_folded}`)
  return keys.map(({ title, start }) =>
    firstOfEach(found.get(`${start} ${title}`) ?? []).map((row) => ({
      ...{ id: row.id, title: row.title_html, status: row.status as RecordStatus },
    })),
  )
}

/** Translations of an event count as one. */
function firstOfEach(rows: readonly FoundRow[]): readonly FoundRow[] {
  return [...Map.groupBy(rows, (row) => row.group_id).values()].flatMap(([row]) => (row ? [row] : []))
}
