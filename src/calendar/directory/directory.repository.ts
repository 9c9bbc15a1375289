import type { Expression } from 'kysely'
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import type { Page, PageRequest } from '../../access/http/paging.ts'
import type { LanguagePreference } from '../../base/languages/chain.ts'
import { fold, type SearchText } from '../../base/text/fold.ts'
import { plannedOnce } from '../../storage/database/parameters.ts'
import type { Db, RecordRow, Tables } from '../../storage/database/tables.ts'
import { listPictures } from '../media/media.repository.ts'
import type { StatusFilter } from '../records/record.arguments.ts'
import { comparableTitle, recordFromRow } from '../records/record.repository.ts'
import { listTranslations } from '../records/record.versions.repository.ts'
import { isUnmaskedFor, readableBy } from '../records/record.visibility.ts'
import { isPreferredVersion } from '../translations/group.repository.ts'
import type { ReadContext, Viewer } from '../translations/viewer.ts'
import type { Directory, DirectoryEntry, DirectoryKind, Fields } from './directory.ts'

/** What a list of venues or organizers is asked for. */
export interface EntryQuery extends PageRequest {
  readonly status: StatusFilter | undefined
  /** Which version of what is translated is listed. */
  readonly preference: LanguagePreference
  /** Folded words, all of which must occur. */
  readonly words: readonly string[] | undefined
  /** All versions of one event. */
  readonly eventIds: readonly number[] | undefined
  readonly hasEvents: boolean | undefined
  /** Only those with events that start at this second of 1970 or later. */
  readonly eventsFrom: number | undefined
}

/** The records with these ids and their fields and pictures, by id. Three queries. */
async function listEntriesById<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DirectoryEntry<F>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('records')
    .selectAll()
    .where('id', 'in', ids)
    .where('kind', '=', directory.kind)
    .execute()
  return new Map((await entriesFromRows(db, directory, rows)).map((entry) => [entry.id, entry]))
}

/** The record with this id, or undefined where it is of another kind. */
export async function findEntry<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  id: number,
): Promise<DirectoryEntry<F> | undefined> {
  return (await listEntriesById(db, directory, [id])).get(id)
}

/** The entry with an id that was checked before: gone only where the check is missing. */
export async function findEntryOrThrow<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  id: number,
): Promise<DirectoryEntry<F>> {
  const entry = await findEntry(db, directory, id)
  if (!entry) throw new Error(`There is no ${directory.kind} ${id}.`)
  return entry
}

/** One page of the records that the caller may read, newest first, and how many there are. Four queries. */
export async function listDirectoryEntries<F extends Fields>(
  { db, dialect, viewer }: ReadContext,
  directory: Directory<F>,
  asked: EntryQuery,
): Promise<Page<DirectoryEntry<F>>> {
  const matching = db
    .selectFrom('records')
    .where('records.kind', '=', directory.kind)
    .where(readableBy('records', viewer.actor, asked.status))
    .where(isPreferredVersion('records', asked.preference, (alias) => readableBy(alias, viewer.actor, asked.status)))
    .where((e) => e.and((asked.words ?? []).map((word) => dialect.containsText(e.ref('records.search_text'), word))))
    // A search without any word finds nothing (rulings.md 39).
    .$if(asked.words?.length === 0, (query) => query.where(sql<SqlBool>`1 = 0`))
    .where((e) => eventLinkCondition(e, { kind: directory.kind, actor: viewer.actor }, asked))
  const rows = await matching
    .selectAll('records')
    .orderBy('records.dated_at', 'desc')
    .orderBy('records.id', 'desc')
    .limit(plannedOnce(asked.perPage))
    .offset(plannedOnce((asked.page - 1) * asked.perPage))
    .execute()
  const { total } = await matching.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const entries = await entriesFromRows(db, directory, rows)
  return { items: await withTranslationIds(db, viewer, entries), total: Number(total) }
}

/** Ids of the records that the caller may read whose names contain a text, letter case and accents aside, in order of id. */
export async function listIdsByName(
  { db, dialect, viewer }: ReadContext,
  kind: DirectoryKind,
  { text, most }: { readonly text: SearchText; readonly most: number },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('records')
    .select('id')
    .where('kind', '=', kind)
    .where(readableBy('records', viewer.actor, undefined))
    .where((e) => dialect.containsText(e.ref('title_folded'), text))
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The records outside the trash that bear this name, letter case and accents aside, and where `content` is not empty
 * also that description, the oldest first (venues-organizers.md §4.3).
 */
export async function listNamesakes(
  db: Db,
  kind: DirectoryKind,
  of: { readonly title: string; readonly content: string; readonly language: string },
): Promise<readonly { readonly id: number; readonly authorId: number; readonly status: string }[]> {
  const rows = await db
    .selectFrom('records')
    .select(['id', 'author_id', 'status', 'title', 'content'])
    .where('kind', '=', kind)
    // The index of names has no events in it, and is used only where that is said.
    .where('kind', '!=', sql.lit('event'))
    .where('title_folded', '=', comparableTitle(of.title))
    .where('language', '=', of.language)
    .where('status', '!=', 'trash')
    .orderBy('id')
    .execute()
  return rows
    .filter((row) => fold(row.title) === fold(of.title))
    .filter((row) => of.content === '' || fold(row.content) === fold(of.content))
    .map((row) => ({ id: row.id, authorId: row.author_id, status: row.status }))
}

/** The entries with the versions of each that the viewer may read, where a language was asked for. */
export async function withTranslationIds<F extends Fields>(
  db: Db,
  { actor, language }: Viewer,
  entries: readonly DirectoryEntry<F>[],
): Promise<readonly DirectoryEntry<F>[]> {
  if (language === undefined) return entries
  const translations = await listTranslations(
    db,
    actor,
    entries.map(({ id }) => id),
  )
  return entries.map((entry) => ({ ...entry, translations: translations.get(entry.id) ?? {} }))
}

/** All versions of these records of the kind with their fields and pictures. Three queries. */
export async function listEntryVersions<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  ids: readonly number[],
): Promise<readonly DirectoryEntry<F>[]> {
  const rows = await listRowVersions(db, ids)
  return entriesFromRows(
    db,
    directory,
    // Not asked of the database: it would rather look through all of a kind than up these.
    rows.filter((row) => row.kind === directory.kind),
  )
}

/** The rows of all versions of these records, of whatever kind, in order of id. One query. */
async function listRowVersions(db: Db, ids: readonly number[]): Promise<readonly RecordRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<RecordRow>`
    with given as (select id, group_id from records where id in (${sql.join(ids)}))
    select * from records where id in (
      select id from given union select other.id from given join records other on other.group_id = given.group_id)
    order by id`.execute(db)
  return rows
}

async function entriesFromRows<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  rows: readonly RecordRow[],
): Promise<readonly DirectoryEntry<F>[]> {
  const ids = rows.map((row) => row.id)
  const [fields, pictures] = await Promise.all([
    ids.length === 0 ? new Map<number, F>() : directory.store.list(db, ids),
    listPictures(
      db,
      rows.flatMap((row) => row.image_id ?? []),
    ),
  ])
  return rows.map((row) => ({
    ...recordFromRow(row),
    fields: fields.get(row.id) ?? directory.blank,
    image: pictures.get(row.image_id ?? 0),
  }))
}

/**
 * Only events that the caller may read and that are not in the trash count (venues-organizers.md §11 row 11), and of those
 * that have a password, which hides where they are, the caller's own.
 */
function eventLinkCondition(
  e: ExpressionBuilder<Tables, 'records'>,
  { kind, actor }: { readonly kind: DirectoryKind; readonly actor: Actor },
  asked: EntryQuery,
): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = []
  const link = sql.table(`event_${kind}s`)
  const target = sql.ref(`link.${kind}_id`)
  // Links are to one version and mean all of them (languages.md F8).
  const isLinked = sql<SqlBool>`(${target} = records.id or ${target} in (
    select version.id from records version where version.group_id = records.group_id))`
  const isReadable = sql<SqlBool>`(${readableBy('event', actor, 'any')} and ${isUnmaskedFor('event', actor)})`
  if (asked.eventIds !== undefined) {
    conditions.push(
      sql<SqlBool>`exists (select 1 from ${link} link where ${isLinked} and link.event_id in (${sql.join(asked.eventIds)}))`,
    )
  }
  if (asked.hasEvents !== undefined) {
    const has = sql<SqlBool>`exists (select 1 from ${link} link join records event on event.id = link.event_id
      where ${isLinked} and event.status not in ('draft', 'pending') and ${isReadable})`
    conditions.push(asked.hasEvents ? has : e.not(has))
  }
  if (asked.eventsFrom !== undefined) {
    conditions.push(sql<SqlBool>`exists (select 1 from ${link} link join records event on event.id = link.event_id
      join events times on times.record_id = event.id
      where ${isLinked} and times.is_hidden = 0 and times.start_utc >= ${asked.eventsFrom} and ${isReadable})`)
  }
  return e.and(conditions)
}
