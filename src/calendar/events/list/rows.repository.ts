import { sql } from 'kysely'
import type { RecordStatus } from '../../records/record.ts'
import { readableBy } from '../../records/record.visibility.ts'
import type { ReadContext } from '../../translations/viewer.ts'

/** A version of an event, as the table of editors shows it. */
export interface EventVersion {
  readonly id: number
  readonly groupId: number
  readonly language: string
  readonly status: RecordStatus
  readonly titleHtml: string
  readonly authorId: number
  readonly changeCount: number
}

interface TranslationRow {
  readonly id: number
  readonly group_id: number | null
  readonly language: string
  readonly status: RecordStatus
  readonly title_html: string
  readonly author_id: number
  readonly change_count: number
}

/** Versions went to the trash together if no more time lies between. A batch of writes may take as long. */
const togetherSeconds = 5

/**
 * Returns these events, and their other versions that the caller may read. Of those in the trash, it returns those
 * that went there together with the event. Runs one query.
 */
export async function listEventTranslations(
  { db, dialect, viewer }: ReadContext,
  ids: readonly number[],
): Promise<readonly EventVersion[]> {
  if (ids.length === 0) return []
  const columns = sql.raw(
    ['id', 'group_id', 'language', 'status', 'title_html', 'author_id', 'change_count']
      .map((name) => `records.${name}`)
      .join(', '),
  )
  const { rows } = await sql<TranslationRow>`
    select ${columns} from records where ${dialect.isAmong(sql.ref('records.id'), ids)}
    union
    select ${columns} from records given join records on records.group_id = given.group_id
    where ${dialect.isAmong(sql.ref('given.id'), ids)} and (${readableBy('records', viewer.actor, 'any')} or (
      given.status = 'trash' and ${readableBy('records', viewer.actor, ['trash'])}
      and abs(records.modified_at - given.modified_at) <= ${togetherSeconds}))
    order by 1`.execute(db)
  return rows.map((row) => ({
    ...{ id: row.id, groupId: row.group_id ?? row.id, language: row.language, status: row.status },
    ...{ titleHtml: row.title_html, authorId: row.author_id, changeCount: row.change_count },
  }))
}
