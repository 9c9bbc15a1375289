import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { RecordKind, RecordStatus } from '../records/record.ts'
import { listTranslationIds } from '../translations/group.repository.ts'

export type TrashedKind = Exclude<RecordKind, 'media'> | 'series'

/** A version of a record, as deleting it needs it. */
export interface TrashedTranslation {
  readonly id: number
  readonly language: string
  readonly titleHtml: string
  readonly status: RecordStatus
  readonly statusBeforeTrash: RecordStatus | undefined
  readonly authorId: number
}

/** Returns all versions of records of this kind, in order of id. */
export async function listTranslationsToDelete(
  db: Db,
  dialect: Dialect,
  { kind, ids }: { readonly kind: TrashedKind; readonly ids: readonly number[] },
): Promise<readonly TrashedTranslation[]> {
  const rows = await db
    .selectFrom('records')
    .select(['id', 'language', 'title_html', 'status', 'status_before_trash', 'author_id'])
    .where('kind', '=', kind)
    .where(dialect.isAmong(sql.ref('id'), await listTranslationIds(db, 'records', ids)))
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...{ id: row.id, language: row.language, titleHtml: row.title_html, authorId: row.author_id },
    status: row.status as RecordStatus,
    statusBeforeTrash: (row.status_before_trash ?? undefined) as RecordStatus | undefined,
  }))
}

/** Returns how many events outside the trash name one of these. Translations of an event count as one. */
export async function countEventsOf(
  db: Db,
  dialect: Dialect,
  { kind, ids }: { readonly kind: TrashedKind; readonly ids: readonly number[] },
): Promise<number> {
  if (kind === 'event' || kind === 'series') return 0
  const links: RawBuilder<unknown> = sql.table(`event_${kind}s`)
  const { rows } = await sql<{ number: number }>`
    select count(distinct coalesce(records.group_id, records.id)) as number
    from ${links} links join records on records.id = links.event_id
    where ${dialect.isAmong(sql.ref(`links.${kind}_id`), ids)} and records.status <> 'trash'`.execute(db)
  return Number(rows[0]?.number ?? 0)
}

/** Removes records with everything that belongs to them. A merge of one of them can then not be undone. */
export async function deleteRecords(
  tx: Tx,
  dialect: Dialect,
  { kind, ids }: { readonly kind: TrashedKind; readonly ids: readonly number[] },
): Promise<void> {
  if (kind !== 'event') {
    await sql`delete from undos where operation = ${`merge-${kind}`}
      and ${dialect.isAmong(sql.ref('subject_id'), ids)}`.execute(tx)
  }
  // The kind as an expression, so that SQLite looks the records up and does not read all of the kind.
  await sql`delete from records where kind || '' = ${kind} and ${dialect.isAmong(sql.ref('id'), ids)}`.execute(tx)
}
