import { sql } from 'kysely'
import type { Language } from '../../base/languages/language.ts'
import { compiledInsert, compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import { textParameter } from '../../storage/database/statements/sql.parameters.ts'
import type { Db, NewRecordRow, RecordChanges, RecordRow, Tx } from '../../storage/database/tables.ts'
import { changedColumns } from '../../storage/database/writes/changed.columns.ts'
import { comparableTitle } from './record.name.ts'
import type { CalendarRecord, RecordId, RecordKind, RecordStatus, RenderedRecord, StoredRecordKind } from './record.ts'

/** The shown columns of a record. */
const renderedColumns = [
  ...['id', 'kind', 'status', 'status_before_trash', 'slug', 'title_html', 'content_html', 'excerpt_html'],
  ...['author_id', 'password', 'image_id', 'parent_id', 'language', 'group_id'],
  ...['modified_at', 'change_count', 'dated_at', 'is_dated'],
] as const satisfies readonly (keyof RecordRow)[]

/** The same columns as SQL. The table has its own name. */
export const renderedRecordColumns = sql.raw(renderedColumns.map((name) => `records.${name}`).join(', '))

/** The shown columns of unlimited length. */
const longColumns: readonly string[] = ['title_html', 'content_html', 'excerpt_html']

/** The same columns with empty values instead of long texts and pictures. */
export const recordOutlineColumns = sql.raw(
  renderedColumns
    .map((name) => {
      if (longColumns.includes(name)) return `'' as ${name}`
      return name === 'image_id' ? `null as ${name}` : `records.${name}`
    })
    .join(', '),
)

/** The size of the long texts of a record in bytes. The database knows it without reading the texts. */
export const recordTextBytes = sql.raw(longColumns.map((name) => `octet_length(records.${name})`).join(' + '))

/** A row of the shared table with the shown columns, without the source texts for edits and searches. */
export type RenderedRecordRow = Pick<RecordRow, (typeof renderedColumns)[number]>

/** Returns a row of the shared table as a record of the calendar. */
export function recordFromRow(row: RecordRow): CalendarRecord {
  return { ...renderedRecordFromRow(row), title: row.title, content: row.content, excerpt: row.excerpt }
}

/** Returns the shown part of a record from its row. */
export function renderedRecordFromRow(row: RenderedRecordRow): RenderedRecord {
  return {
    id: row.id as RecordId,
    kind: row.kind as RecordKind,
    status: row.status as RecordStatus,
    statusBeforeTrash: (row.status_before_trash ?? undefined) as RecordStatus | undefined,
    slug: row.slug,
    titleHtml: row.title_html,
    contentHtml: row.content_html,
    excerptHtml: row.excerpt_html,
    authorId: row.author_id,
    passwordDigest: row.password ?? undefined,
    imageId: row.image_id ?? undefined,
    parentId: row.parent_id ?? undefined,
    language: row.language as Language,
    groupId: row.group_id ?? row.id,
    modifiedAt: row.modified_at,
    changeCount: row.change_count,
    datedAt: row.dated_at,
    isDated: row.is_dated === 1,
  }
}

type RecordBasics = Omit<
  CalendarRecord,
  'id' | 'kind' | 'statusBeforeTrash' | 'parentId' | 'groupId' | 'changeCount'
> & {
  readonly kind: StoredRecordKind
}

/** The shared part of a record that is not stored yet. */
export type NewRecord = RecordBasics & {
  readonly searchText: string
  /** An unused id that it keeps. Default: the next one. */
  readonly keptId?: number | undefined
}

/** Returns the values of a record except the time of its last change. */
function rowFromRecord(record: Omit<RecordBasics, 'modifiedAt'>) {
  return {
    kind: record.kind,
    status: record.status,
    slug: record.slug,
    title: record.title,
    title_html: record.titleHtml,
    content: record.content,
    content_html: record.contentHtml,
    excerpt: record.excerpt,
    excerpt_html: record.excerptHtml,
    author_id: record.authorId,
    password: record.passwordDigest ?? null,
    image_id: record.imageId ?? null,
    language: record.language,
    dated_at: record.datedAt,
    is_dated: record.isDated ? (1 as const) : (0 as const),
  }
}

/** The values of a record that the policy checks, and whether a password protects it. */
export interface OwnedRecord {
  readonly id: number
  readonly authorId: number
  readonly status: RecordStatus
  readonly isProtected: boolean
}

/** Returns the record with this id as the policy sees it, or undefined if it does not exist. Runs at most one query. */
export async function findOwnedRecord(db: Db, kind: StoredRecordKind, id: number): Promise<OwnedRecord | undefined> {
  return Number.isSafeInteger(id) ? (await listOwnedRecords(db, kind, [id]))[0] : undefined
}

/** Returns these records as the policy sees them, in order of id. Runs at most one query. */
export async function listOwnedRecords(
  db: Db,
  kind: StoredRecordKind,
  ids: readonly number[],
): Promise<readonly OwnedRecord[]> {
  if (ids.length === 0) return []
  // With a condition on the kind, SQLite would read all records of the kind.
  const rows = await ownedRows(db, { ids })
  return rows.filter((row) => row.kind === kind).map(ownedFromRow)
}

const ownedRows = compiledStatement<
  { readonly ids: readonly number[] },
  Pick<RecordRow, 'id' | 'kind' | 'author_id' | 'status' | 'password'>
>(
  ({ ids }, dialect) => sql`
    select id, kind, author_id, status, password from records
    where ${dialect.isAmong(sql.ref('id'), ids)} order by id`,
)

/** Returns a row as the policy sees it. */
export function ownedFromRow(row: Pick<RecordRow, 'id' | 'author_id' | 'status' | 'password'>): OwnedRecord {
  return {
    id: row.id,
    authorId: row.author_id,
    status: row.status as RecordStatus,
    isProtected: row.password !== null,
  }
}

export async function findRecordKind(db: Db, id: number): Promise<RecordRow['kind'] | undefined> {
  const row = await db.selectFrom('records').select('kind').where('id', '=', id).executeTakeFirst()
  return row?.kind
}

export async function findRecordSlug(
  db: Db,
  of: { readonly kind: RecordKind; readonly language: Language },
  id: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('records')
    .select('slug')
    .where('id', '=', id)
    .where('kind', '=', textParameter(of.kind))
    .where('language', '=', of.language)
    .executeTakeFirst()
  return row?.slug
}

/**
 * Returns the slugs among these that other records of this kind and language have. Events also share a namespace with
 * series. Runs at most one query.
 */
export async function listTakenRecordSlugs(
  db: Db,
  of: {
    readonly kind: RecordKind
    readonly language: Language
    readonly exceptId?: number | undefined
    readonly exceptIds?: readonly number[] | undefined
  },
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set()
  const rows = await db
    .selectFrom('records')
    .select(['id', 'slug'])
    .where(
      'kind',
      'in',
      (of.kind === 'event' ? (['event', 'series'] as const) : [of.kind]).map((kind) =>
        textParameter<RecordRow['kind']>(kind),
      ),
    )
    .where('slug', 'in', slugs)
    .where('language', '=', of.language)
    .where('id', '!=', of.exceptId ?? 0)
    .execute()
  const own = new Set(of.exceptIds)
  return new Set(rows.flatMap((row) => (own.has(row.id) ? [] : [row.slug])))
}

/** Adds the shared part of a record. */
export async function insertRecord(tx: Tx, record: NewRecord): Promise<RecordId> {
  const [added] = await insertRecords(tx, [record])
  return added?.id as RecordId
}

const insertRows = compiledInsert<NewRecordRow, { readonly id: number }>('records', { returning: ['id'] })
const insertRowsWithIds = compiledInsert<NewRecordRow>('records')

const insertRowUnlessTaken = compiledInsert<NewRecordRow, { readonly id: number; readonly slug: string }>('records', {
  returning: ['id', 'slug'],
  expressions: {
    slug: ({ kind, slug, language }) => sql`case when exists (
      select 1 from records other where other.kind = ${textParameter(kind)} and other.slug = ${slug} and other.language = ${language}
    ) or cast(${kind} as text) = 'event' and exists (
      select 1 from records other where other.kind = 'series' and other.slug = ${slug} and other.language = ${language}
    ) then '' else cast(${slug} as text) end`,
  },
})

export type AddedRecord = RecordRow & { readonly id: RecordId }

/** Adds the shared parts of records, and returns them as rows in the same order. Either all keep their ids, or none. */
export async function insertRecords(tx: Tx, records: readonly NewRecord[]): Promise<readonly AddedRecord[]> {
  const rows = records.map(rowFromNew)
  const kept = records.flatMap(({ keptId }, place) => (keptId === undefined ? [] : [{ ...rows[place], id: keptId }]))
  if (kept.length > 0) {
    await insertRowsWithIds(tx, kept as AddedRecord[])
    return kept.map((row) => ({ ...row, change_count: 0 }) as AddedRecord)
  }
  const added = await insertRows(tx, rows)
  // Ids ascend in the order of the rows, but a database engine may return them in another order.
  const ids = added.map(({ id }) => id as RecordId).sort((one, other) => one - other)
  return rows.map((row, place) => ({ ...row, id: ids[place] as RecordId, change_count: 0 }))
}

/** Adds the shared part of a record, with an empty slug if another record of its kind and language has the slug. */
export async function insertRecordUnlessTaken(tx: Tx, record: NewRecord): Promise<AddedRecord> {
  const row = rowFromNew(record)
  const [added] = await insertRowUnlessTaken(tx, [row])
  return { ...row, id: added?.id as RecordId, slug: added?.slug ?? '', change_count: 0 }
}

/** Sets the slug of a record that was added without one. This is part of its creation, and not a change. */
export async function completeSlug(tx: Tx, id: RecordId, slug: string): Promise<void> {
  await tx.updateTable('records').set({ slug }).where('id', '=', id).execute()
}

function rowFromNew(record: NewRecord) {
  return {
    ...rowFromRecord(record),
    status_before_trash: null,
    title_folded: comparableTitle(record.title),
    parent_id: null,
    group_id: null,
    created_at: record.modifiedAt,
    modified_at: record.modifiedAt,
    search_text: record.searchText,
  } satisfies NewRecordRow
}

/** Returns the changes that the record does not already have. The time of the change is always one of them. */
export function changesFrom(record: CalendarRecord, changes: RecordChanges): RecordChanges {
  const row = { ...rowFromRecord(record), status_before_trash: record.statusBeforeTrash ?? null }
  return changedColumns<RecordChanges>(row, changes)
}

/**
 * Changes the shared part of a record and increments its change count. Every change of a record calls this function.
 */
export async function updateRecord(tx: Tx, id: RecordId, changes: RecordChanges): Promise<void> {
  await tx
    .updateTable('records')
    .set((e) => ({ ...changes, change_count: e('change_count', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/**
 * Returns the translation groups of these records of one kind, by id. Records of other kinds are omitted. Runs one
 * query.
 */
export async function listGroupsOfKind(
  db: Db,
  kind: RecordKind | 'series',
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await kindRows(db, { ids })
  // Not a condition of the query, as for owned records.
  return new Map(rows.flatMap((row) => (row.kind === kind ? [[row.id, row.group_id ?? row.id]] : [])))
}

const kindRows = compiledStatement<{ readonly ids: readonly number[] }, Pick<RecordRow, 'id' | 'kind' | 'group_id'>>(
  ({ ids }, dialect) => sql<Pick<RecordRow, 'id' | 'kind' | 'group_id'>>`
    select id, kind, group_id from records where ${dialect.isAmong(sql.ref('id'), ids)}`,
)

/** Returns records whose publication date has come, earliest first. */
export async function listDueRecords(
  db: Db,
  now: number,
  limit: number,
): Promise<readonly { readonly id: number; readonly kind: RecordRow['kind'] }[]> {
  return db
    .selectFrom('records')
    .select(['id', 'kind'])
    .where('kind', 'in', ['event', 'series', 'venue', 'organizer'])
    .where('status', '=', 'future')
    .where('dated_at', '<=', now)
    .orderBy('dated_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
