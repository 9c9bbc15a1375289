import { sql } from 'kysely'
import type { Role, UserId } from '../../access/auth/actor.ts'
import { compiledStatement } from '../../storage/database/compiled.statement.ts'
import { statementBatches } from '../../storage/database/statement.batches.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { RecordKind } from '../records/record.ts'
import { externalIdOf, type SourceName, sourceKey } from './source.ts'
import type { Standing } from './standing.ts'

/** A record that a source has named. */
export interface NamedRecord {
  readonly id: number
  readonly externalId: string
  /** Digest of what the source sent. */
  readonly digest: string
  readonly url: string
  readonly standing: Standing
  readonly isGone: boolean
}

/** A record that a source names, as it was written. */
export type NewName = Omit<NamedRecord, 'isGone'>

/** A source, or its records of one kind. */
export type SourceKind = Pick<SourceName, 'kind' | 'name'>

/** What a source does to its records of one kind, and when. */
type SourceTime = SourceKind & { readonly at: number }

/** Returns the user who owns a source: undefined if there is no such source, null if the owner was removed. */
export async function findSourceOwner(
  db: Db,
  name: string,
): Promise<{ readonly id: UserId; readonly role: Role } | null | undefined> {
  const row = await db
    .selectFrom('sources')
    .leftJoin('users', 'users.id', 'sources.user_id')
    .select(['users.id', 'users.role'])
    .where('sources.name', '=', name)
    .executeTakeFirst()
  if (!row) return undefined
  return row.id === null || row.role === null ? null : { id: row.id as UserId, role: row.role as Role }
}

export async function insertSource(
  tx: Tx,
  source: { readonly name: string; readonly userId: number; readonly at: number },
): Promise<void> {
  await tx.insertInto('sources').values({ name: source.name, user_id: source.userId, created_at: source.at }).execute()
}

/** Returns the records with these external ids, by external id. */
export async function listNamed(
  db: Db,
  { kind, name }: SourceKind,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, NamedRecord>> {
  const found = new Map<string, NamedRecord>()
  for (const some of statementBatches(externalIds)) {
    const rows = await db
      .selectFrom('imported_records')
      .select(['source', 'record_id', 'digest', 'url', 'standing', 'gone_at'])
      .where('kind', '=', kind)
      .where(
        'source',
        'in',
        some.map((externalId) => sourceKey({ name, externalId })),
      )
      .where('record_id', 'is not', null)
      .execute()
    for (const { source, record_id, digest, url, standing, gone_at } of rows) {
      const externalId = externalIdOf(source)
      found.set(externalId, {
        ...{ id: record_id as number, externalId, digest, url: url ?? '' },
        standing: JSON.parse(standing ?? '{}') as Standing,
        isGone: gone_at !== null,
      })
    }
  }
  return found
}

/** Stores what a source has sent, each record once, and replaces earlier rows. */
export async function saveNames(tx: Tx, { kind, name, at }: SourceTime, named: readonly NewName[]): Promise<void> {
  for (const some of statementBatches(named)) {
    const rows = some.map(({ id, externalId, digest, url, standing }) => ({
      ...{ kind, source: sourceKey({ name, externalId }), record_id: id, term_id: null, digest, shift_days: 0 },
      ...{ imported_at: at, source_name: name, url, standing: JSON.stringify(standing), seen_at: at, gone_at: null },
    }))
    await tx
      .insertInto('imported_records')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'source']).doUpdateSet((e) => ({
          record_id: e.ref('excluded.record_id'),
          digest: e.ref('excluded.digest'),
          imported_at: e.ref('excluded.imported_at'),
          url: e.ref('excluded.url'),
          standing: e.ref('excluded.standing'),
          seen_at: e.ref('excluded.seen_at'),
          gone_at: null,
        })),
      )
      .execute()
  }
}

/** Notes that a source has sent these records again. */
export async function markSeen(tx: Tx, at: SourceTime, externalIds: readonly string[]): Promise<void> {
  for (const some of statementBatches(externalIds)) await ofSource(tx, at, some).set({ seen_at: at.at }).execute()
}

/** Notes that a source has these records no longer. */
export async function markGone(tx: Tx, at: SourceTime, externalIds: readonly string[]): Promise<void> {
  for (const some of statementBatches(externalIds)) await ofSource(tx, at, some).set({ gone_at: at.at }).execute()
}

/** An update of what a source has sent under these external ids. */
function ofSource(tx: Tx, { kind, name }: SourceKind, externalIds: readonly string[]) {
  const sources = externalIds.map((externalId) => sourceKey({ name, externalId }))
  return tx.updateTable('imported_records').where('kind', '=', kind).where('source', 'in', sources)
}

/** A record that a source has not sent for some time. */
export interface UnseenRecord {
  readonly id: number
  readonly externalId: string
  readonly title: string
  readonly authorId: number
  readonly status: string
}

/**
 * Returns records that a source last sent before a time, those not seen for the longest time first: outside the trash,
 * not canceled if `isCanceling`, and of events only those that are not over.
 */
export async function listUnseen(
  db: Db,
  { kind, name }: SourceKind,
  of: { readonly before: number; readonly now: number; readonly isCanceling: boolean; readonly limit: number },
): Promise<readonly UnseenRecord[]> {
  const ofEvents =
    kind === 'event'
      ? sql`and exists (select 1 from events where events.record_id = records.id and events.end_utc >= ${of.now}
          ${of.isCanceling ? sql`and events.event_status <> 'canceled'` : sql``})`
      : sql``
  // Drafts are not announced, so they cannot be canceled.
  const ofStatus = of.isCanceling
    ? sql`('publish', 'future', 'private')`
    : sql`('publish', 'future', 'private', 'draft', 'pending')`
  const { rows } = await sql<{ id: number; source: string; title_html: string; author_id: number; status: string }>`
    select records.id, imported.source, records.title_html, records.author_id, records.status
    from imported_records imported join records on records.id = imported.record_id
    where imported.source_name = ${name} and imported.kind = ${kind} and imported.seen_at < ${of.before}
      and records.status in ${ofStatus} ${ofEvents}
    order by imported.seen_at, imported.source limit ${of.limit}`.execute(db)
  return rows.map(({ id, source, title_html, author_id, status }) => ({
    ...{ id, externalId: externalIdOf(source), title: title_html, authorId: author_id, status },
  }))
}

/** The source of a record. */
export interface RecordSource extends SourceName {
  readonly url: string
}

const sourceRows = compiledStatement<
  { readonly id: number },
  { readonly kind: string; readonly source: string; readonly source_name: string | null; readonly url: string | null }
>(({ id }) => sql`select kind, source, source_name, url from imported_records where record_id = ${id} order by source`)

/** Returns the source that has named this record, the oldest if there are several; undefined if there is none. */
export async function findSourceOf(db: Db, kind: RecordKind, id: number): Promise<RecordSource | undefined> {
  // Not more conditions: with them, SQLite reads what sources have named in its order instead of looking this up.
  const rows = await sourceRows(db, { id })
  const row = rows.find((one) => one.kind === kind && one.source_name !== null)
  if (!row?.source_name) return undefined
  return { kind, name: row.source_name, externalId: externalIdOf(row.source), url: row.url ?? '' }
}
