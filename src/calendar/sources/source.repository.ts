import { sql } from 'kysely'
import type { Role, UserId } from '../../access/auth/actor.ts'
import { compiledStatement, dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import { statementBatches } from '../../storage/database/statements/statement.batches.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { RecordKind } from '../records/record.ts'
import { externalIdOf, type SourceName, siteOfSource } from './source.ts'
import type { Standing } from './standing.ts'

// What sources have sent, under the keys that they give it: docs/decisions/0053-names-of-senders.md.

export type NamedKind = 'event' | 'venue' | 'organizer' | 'category' | 'tag'

export interface NamedRecord {
  readonly id: number
  readonly key: string
  /** Digest of what the source sent. */
  readonly digest: string
  readonly url: string
  /** Empty if edits are not kept. */
  readonly standing: Standing
  readonly isGone: boolean
  /** When it was last written. Whole seconds since 1970, UTC. */
  readonly importedAt: number
  /** Whole days by which its dates were moved. */
  readonly shiftDays: number
}

/** A record or a term that a source names, as it was written. */
export type NewName = Pick<NamedRecord, 'id' | 'key' | 'digest'> &
  Partial<Pick<NamedRecord, 'url' | 'standing' | 'shiftDays'>>

/** What a source does to its records of one kind, and when. */
interface SourceTime {
  readonly kind: NamedKind
  /** Undefined: a recording, which belongs to nobody. */
  readonly name?: string | undefined
  readonly at: number
}

const columnOf = (kind: NamedKind) => (kind === 'category' || kind === 'tag' ? 'term_id' : 'record_id')

/** Returns what these keys name, by key. Leaves out what was permanently deleted. */
export async function listNamed(
  db: Db,
  kind: NamedKind,
  keys: readonly string[],
): Promise<ReadonlyMap<string, NamedRecord>> {
  const found = new Map<string, NamedRecord>()
  for (const some of statementBatches([...new Set(keys)])) {
    const rows = await db
      .selectFrom('imported_records')
      .select([
        'source',
        `${columnOf(kind)} as id`,
        'digest',
        'url',
        'standing',
        'gone_at',
        'shift_days',
        'imported_at',
      ])
      .where('kind', '=', kind)
      .where('source', 'in', some)
      .where(columnOf(kind), 'is not', null)
      .execute()
    for (const { source: key, id, digest, url, standing, gone_at, shift_days, imported_at } of rows) {
      found.set(key, {
        ...{ id: id as number, key, digest, url: url ?? '', shiftDays: shift_days },
        standing: JSON.parse(standing ?? '{}') as Standing,
        isGone: gone_at !== null,
        importedAt: imported_at,
      })
    }
  }
  return found
}

/**
 * Whether a record or a term is none that these sites name by the id that it has here.
 *
 * @param greatest The greatest id of a record on these sites. Pictures and series with greater ones do not count.
 */
export async function hasOthers(db: Db, sites: readonly string[], greatest: number): Promise<boolean> {
  const { rows } = await sql`
    select id from records where (kind in ('event', 'venue', 'organizer') or id <= ${greatest}) and not exists (
      select 1 from imported_records where record_id = records.id and source in (${keysAt(sites, 'id', 'records')}))
    union all
    select id from terms where not exists (
      select 1 from imported_records where term_id = terms.id and source in (${keysAt(sites, 'term', 'terms')}))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the keys that a row would have if it came from one of these sites with its id. */
function keysAt(sites: readonly string[], name: 'id' | 'term', table: 'records' | 'terms') {
  return sql.join(sites.map((site) => sql`cast(${`${site}?${name}=`} as text) || ${sql.ref(`${table}.id`)}`))
}

/** Stores what a source has sent, each record once, and replaces earlier rows. */
export async function saveNames(tx: Tx, { kind, name, at }: SourceTime, named: readonly NewName[]): Promise<void> {
  for (const some of statementBatches(named)) {
    const rows = some.map(({ id, key, digest, url, standing, shiftDays = 0 }) => ({
      ...{ kind, source: key, record_id: null, term_id: null, [columnOf(kind)]: id },
      ...{ digest, shift_days: shiftDays, imported_at: at, source_name: name ?? null, url: url ?? null },
      ...{
        standing: standing ? JSON.stringify(standing) : null,
        seen_at: name === undefined ? null : at,
        gone_at: null,
      },
    }))
    await tx
      .insertInto('imported_records')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'source']).doUpdateSet((e) => ({
          record_id: e.ref('excluded.record_id'),
          term_id: e.ref('excluded.term_id'),
          digest: e.ref('excluded.digest'),
          shift_days: e.ref('excluded.shift_days'),
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

/** Returns the keys of all records of a kind that a source has sent. */
export async function listKeys(db: Db, { kind, name }: Pick<SourceName, 'kind' | 'name'>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('imported_records')
    .select('source')
    .where('source_name', '=', name)
    .where('kind', '=', kind)
    .where('gone_at', 'is', null)
    .execute()
  return rows.map(({ source }) => source)
}

/** Notes that a source has sent these records again. */
export async function markSeen(tx: Tx, { kind, at }: SourceTime, keys: readonly string[]): Promise<void> {
  for (const some of statementBatches(keys)) await ofKeys(tx, kind, some).set({ seen_at: at }).execute()
}

/** Notes that a source has these records no longer. */
export async function markGone(tx: Tx, { kind, at }: SourceTime, keys: readonly string[]): Promise<void> {
  for (const some of statementBatches(keys)) await ofKeys(tx, kind, some).set({ gone_at: at }).execute()
}

/** Lets a source write a record again, though it sends the same, and notes how the record stands now. */
export async function forgetSent(
  tx: Tx,
  { kind, key }: Pick<SourceTime, 'kind'> & Pick<NamedRecord, 'key'>,
  standing: Standing,
): Promise<void> {
  await ofKeys(tx, kind, [key])
    .set({ digest: '', standing: JSON.stringify(standing) })
    .execute()
}

function ofKeys(tx: Tx, kind: NamedKind, keys: readonly string[]) {
  return tx.updateTable('imported_records').where('kind', '=', kind).where('source', 'in', keys)
}

/** The name that a source has for a record or a term, when that goes over to another one. */
export interface MovedName {
  readonly source: string
  readonly recordId: number
  readonly seenAt: number | null
}

export async function listNamesOf(db: Db, kind: NamedKind, ids: readonly number[]): Promise<readonly MovedName[]> {
  const column = columnOf(kind)
  const rows = await db
    .selectFrom('imported_records')
    .select(['source', `${column} as id`, 'seen_at'])
    .where('kind', '=', kind)
    .where(dialectOf(db).isAmong(sql.ref(column), ids))
    .orderBy('source')
    .execute()
  return rows.map(({ source, id, seen_at }) => ({ source, recordId: Number(id), seenAt: seen_at }))
}

/** Gives each of these names to its record. With `held`: only names that `held` has now. Runs one statement. */
export async function moveNames(
  tx: Tx,
  { kind, held }: { readonly kind: NamedKind; readonly held?: number },
  names: readonly MovedName[],
): Promise<void> {
  if (names.length === 0) return
  const column = sql.ref(columnOf(kind))
  const rows = names.map(({ source, recordId, seenAt }) => ({ n: source, r: recordId, s: seenAt }))
  await sql`update imported_records set
      ${column} = cast(given.value ->> 'r' as bigint), seen_at = cast(given.value ->> 's' as bigint)
    from ${dialectOf(tx).jsonRows(rows)} given
    where imported_records.kind = ${kind} and imported_records.source = given.value ->> 'n'
      ${held === undefined ? sql`` : sql`and imported_records.${column} = ${held}`}`.execute(tx)
}

/** Returns the sites that have named this record or term: hosts of recordings and names of sources. */
export async function listSitesOf(db: Db, kind: NamedKind, id: number): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('imported_records').select('source').where(columnOf(kind), '=', id).execute()
  return new Set(rows.map((row) => siteOfSource(row.source)))
}

/**
 * Returns the id of the record that had this id on the site from which it was imported, undefined if there is none. If
 * several sites gave it, the one with this host counts, or else the first.
 */
export async function findByOldId(db: Db, id: number, host: string): Promise<number | undefined> {
  const { rows } = await sql<{ record_id: number }>`select record_id from imported_records
    where source_name is null and replace(source, rtrim(source, '0123456789'), '') = ${String(id)}
      and kind in ('event', 'venue', 'organizer') and source like '%?id=%' and record_id is not null
    order by case when source = ${`${host}?id=${id}`} then 0 else 1 end, imported_at, source limit 1`.execute(db)
  return rows[0]?.record_id
}

/** A record that a source has not sent for some time. */
export interface UnseenRecord {
  readonly id: number
  readonly key: string
  readonly title: string
  readonly authorId: number
  readonly status: string
}

/**
 * Returns records that a source last sent before a time, those not seen for the longest time first: outside the trash,
 * not canceled if `isCanceling`, and of events and series only those that are not over.
 */
export async function listUnseen(
  db: Db,
  { kind, name }: Pick<SourceName, 'kind' | 'name'>,
  of: { readonly before: number; readonly now: number; readonly isCanceling: boolean; readonly limit: number },
): Promise<readonly UnseenRecord[]> {
  const isWanted = sql`events.end_utc >= ${of.now} ${of.isCanceling ? sql`and events.event_status <> 'canceled'` : sql``}`
  const ofEvents =
    kind === 'event'
      ? sql`and (exists (select 1 from events
            where events.record_id = records.id and records.kind = 'event' and ${isWanted})
          or exists (select 1 from occurrences date join events on events.record_id = date.event_id
            where date.series_id = records.id and date.is_dropped = 0 and ${isWanted}))`
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
    ...{ id, key: source, title: title_html, authorId: author_id, status },
  }))
}

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
