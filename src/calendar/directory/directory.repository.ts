import { type SqlBool, sql } from 'kysely'
import type { ListPage, PageRequest } from '../../access/http/arguments/paging.ts'
import type { LanguagePreference } from '../../base/languages/chain.ts'
import { fold, type SearchText } from '../../base/text/fold.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import { bigintParameter } from '../../storage/database/statements/sql.parameters.ts'
import type { Db, RecordRow } from '../../storage/database/tables.ts'
import { listPictures } from '../media/media.repository.ts'
import type { StatusFilter } from '../records/record.arguments.ts'
import { type ModifiedRange, modifiedConditions } from '../records/record.modified.repository.ts'
import { comparableTitle, foldedTitle } from '../records/record.name.ts'
import { recordFromRow } from '../records/record.repository.ts'
import { listTranslations } from '../records/record.translations.repository.ts'
import { readableBy } from '../records/record.visibility.ts'
import { isPreferredTranslation } from '../translations/group.repository.ts'
import type { ReadContext, Viewer } from '../translations/viewer.ts'
import type { Directory, DirectoryEntry, DirectoryKind, Fields } from './directory.ts'
import { linkedEventConditions } from './linked.events.repository.ts'

/** The query of a list of venues or organizers. */
export interface EntryQuery extends PageRequest {
  readonly status: StatusFilter | undefined
  /** Which version of a translated record the list shows. */
  readonly preference: LanguagePreference
  /** Folded words. A record must contain all of them. */
  readonly words: readonly string[] | undefined
  /** The ids of all versions of one event. */
  readonly eventIds: readonly number[] | undefined
  readonly hasEvents: boolean | undefined
  /** Limits the list to these, by the ids of their groups. */
  readonly groupIds?: readonly number[] | undefined
  /** Limits the list to records with events that start at this Unix time (seconds) or later. */
  readonly eventsFrom: number | undefined
  readonly modified?: ModifiedRange | undefined
  /** By name, or the newest first. */
  readonly order?: 'title' | 'date'
}

/** Returns the records with these ids, with their fields and pictures, by id. Runs three queries. */
export async function listEntriesById<F extends Fields>(
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

/** Returns the record with this id, or undefined if it is of another kind. */
export async function findEntry<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  id: number,
): Promise<DirectoryEntry<F> | undefined> {
  return (await listEntriesById(db, directory, [id])).get(id)
}

/** Returns the entry with an id that was checked before. It is missing only if the check is missing. */
export async function findEntryOrThrow<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  id: number,
): Promise<DirectoryEntry<F>> {
  const entry = await findEntry(db, directory, id)
  if (!entry) throw new Error(`There is no ${directory.kind} ${id}.`)
  return entry
}

/** Returns one page of the records that the caller may read, newest first, and the total. Runs four queries. */
export async function listDirectoryEntries<F extends Fields>(
  context: ReadContext,
  directory: Directory<F>,
  asked: EntryQuery,
): Promise<ListPage<DirectoryEntry<F>>> {
  const items = await listEntriesUncounted(context, directory, asked)
  const { total } = await matchingEntries(context, directory.kind, asked)
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

/** Returns the same page without counting the records on other pages, of which there may be very many. */
export async function listEntriesUncounted<F extends Fields>(
  context: ReadContext,
  directory: Directory<F>,
  asked: EntryQuery,
): Promise<readonly DirectoryEntry<F>[]> {
  const { db, viewer } = context
  const rows = await matchingEntries(context, directory.kind, asked)
    .selectAll('records')
    .$if(asked.order === 'title', (query) => query.orderBy('records.title_folded').orderBy('records.id'))
    .orderBy('records.dated_at', 'desc')
    .orderBy('records.id', 'desc')
    .limit(bigintParameter(asked.perPage))
    .offset(bigintParameter((asked.page - 1) * asked.perPage))
    .execute()
  return withTranslationIds(db, viewer, await entriesFromRows(db, directory, rows))
}

/** Returns the query of all records of a list, without an order. */
function matchingEntries({ db, dialect, viewer }: ReadContext, kind: DirectoryKind, asked: EntryQuery) {
  return (
    db
      .selectFrom('records')
      .where('records.kind', '=', kind)
      .where(readableBy('records', viewer.actor, asked.status))
      .where(
        isPreferredTranslation('records', asked.preference, (alias) => readableBy(alias, viewer.actor, asked.status)),
      )
      .where((e) => e.and((asked.words ?? []).map((word) => dialect.containsText(e.ref('records.search_text'), word))))
      // A search without words finds nothing (rulings.md 39).
      .$if(asked.words?.length === 0, (query) => query.where(sql<SqlBool>`1 = 0`))
      .$if(asked.groupIds !== undefined, (query) =>
        query.where(dialect.isAmong(sql`coalesce(records.group_id, records.id)`, asked.groupIds ?? [])),
      )
      .where((e) => e.and(asked.modified ? modifiedConditions(asked.modified) : []))
      .where((e) => e.and(linkedEventConditions({ kind, actor: viewer.actor }, asked)))
  )
}

/**
 * Returns the ids of the records that the caller may read and whose names contain a text, in order of id. The
 * comparison ignores letter case and accents.
 */
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
 * Returns the records outside the trash that have this name, oldest first (venues-organizers.md §4.3). If `content` is
 * not empty, they also have this description. The comparison of names ignores letter case and accents.
 *
 * @param of.language Undefined for all languages.
 */
export async function listNamesakes(
  db: Db,
  kind: DirectoryKind,
  of: { readonly title: string; readonly content: string; readonly language: string | undefined },
): Promise<readonly { readonly id: number; readonly authorId: number; readonly status: string }[]> {
  const rows = await db
    .selectFrom('records')
    .select(['id', 'author_id', 'status', 'title', 'content'])
    .where('kind', '=', kind)
    // The index of names excludes events. The database uses it only if the query excludes them too.
    .where('kind', '!=', sql.lit('event'))
    .where('title_folded', '=', comparableTitle(of.title))
    .$if(of.language !== undefined, (query) => query.where('language', '=', of.language ?? ''))
    .where('status', '!=', 'trash')
    .orderBy('id')
    .execute()
  return rows
    .filter((row) => foldedTitle(row.title) === foldedTitle(of.title))
    .filter((row) => of.content === '' || fold(row.content) === fold(of.content))
    .map((row) => ({ id: row.id, authorId: row.author_id, status: row.status }))
}

/** Returns the entries with the versions of each that the viewer may read, if the request names a language. */
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

/** Returns all versions of these records of the kind, with their fields and pictures. Runs three queries. */
export async function listEntryTranslations<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  ids: readonly number[],
): Promise<readonly DirectoryEntry<F>[]> {
  const rows = await listRowVersions(db, ids)
  return entriesFromRows(
    db,
    directory,
    // Not a condition of the query: with it, the database scans all records of a kind instead of looking these up.
    rows.filter((row) => row.kind === directory.kind),
  )
}

/** Returns the rows of all versions of these records, of any kind, in order of id. Runs one query. */
async function listRowVersions(db: Db, ids: readonly number[]): Promise<readonly RecordRow[]> {
  return ids.length === 0 ? [] : rowVersions(db, { ids })
}

const rowVersions = compiledStatement<{ readonly ids: readonly number[] }, RecordRow>(
  ({ ids }, dialect) => sql<RecordRow>`
    with given as (select id, group_id from records where ${dialect.isAmong(sql.ref('id'), ids)})
    select * from records where id in (
      select id from given union select other.id from given join records other on other.group_id = given.group_id)
    order by id`,
)

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
