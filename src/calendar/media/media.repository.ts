import { type SqlBool, sql } from 'kysely'
import type { PageRequest } from '../../access/http/arguments/paging.ts'
import type { Language } from '../../base/languages/language.ts'
import { fold } from '../../base/text/fold.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, RecordRow, Row, Tx } from '../../storage/database/tables.ts'
import type { MediaItem, Picture } from './media.ts'

function pictureFromRow(row: Row<'media'>): Picture {
  return {
    id: row.record_id,
    file: row.file,
    mimeType: row.mime_type,
    extension: row.extension,
    width: row.width,
    height: row.height,
    sizeBytes: row.size_bytes,
    sizes: JSON.parse(row.sizes) as Picture['sizes'],
    altTexts: JSON.parse(row.alt_texts) as Picture['altTexts'],
    isDecorative: row.is_decorative === 1,
  }
}

/** Returns the pictures with these ids, by id. Runs one query. */
export async function listPictures(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Picture>> {
  if (ids.length === 0) return new Map()
  const rows = await mediaRows(db, { ids })
  return new Map(rows.map((row) => [row.record_id, pictureFromRow(row)]))
}

const mediaRows = compiledStatement<{ readonly ids: readonly number[] }, Row<'media'>>(
  ({ ids }, dialect) => sql<Row<'media'>>`select * from media where ${dialect.isAmong(sql.ref('record_id'), ids)}`,
)

export async function hasPicture(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('media').select('record_id').where('record_id', '=', id).executeTakeFirst()) !== undefined
}

export async function findPictureByFile(db: Db, file: string): Promise<number | undefined> {
  const row = await db.selectFrom('media').select('record_id').where('file', '=', file).executeTakeFirst()
  return row?.record_id
}

/** Returns the id of the picture that was fetched from this address before. */
export async function findPictureBySource(db: Db, url: string): Promise<number | undefined> {
  const row = await db.selectFrom('media').select('record_id').where('source_url', '=', url).executeTakeFirst()
  return row?.record_id
}

/** Whether to include only pictures that everybody may see. */
interface VisibilityFilter {
  readonly isShown?: boolean
}

/** Returns the pictures that users added, newest first. Runs one query. */
export async function listMedia(
  db: Db,
  { page, perPage }: PageRequest,
  { isShown = false }: VisibilityFilter = {},
): Promise<readonly MediaItem[]> {
  const rows = await mediaItems(db)
    .$if(isShown, (query) => query.where(isShownPublicly))
    .orderBy('media.record_id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return rows.map(itemFromRow)
}

/** Returns the pictures with these ids, newest first. Runs one query. */
export async function listMediaItems(db: Db, ids: readonly number[]): Promise<readonly MediaItem[]> {
  if (ids.length === 0) return []
  const rows = await mediaItems(db)
    .where('media.record_id', 'in', [...ids])
    .orderBy('media.record_id', 'desc')
    .execute()
  return rows.map(itemFromRow)
}

export async function countMedia(db: Db, { isShown = false }: VisibilityFilter = {}): Promise<number> {
  const { total } = await db
    .selectFrom('media')
    .$if(isShown, (query) => query.where(isShownPublicly))
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function findMedia(
  db: Db,
  id: number,
  { isShown = false }: VisibilityFilter = {},
): Promise<MediaItem | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const row = await mediaItems(db)
    .where('media.record_id', '=', id)
    .$if(isShown, (query) => query.where(isShownPublicly))
    .executeTakeFirst()
  return row && itemFromRow(row)
}

/** Returns the version of a picture, and who added it. Runs at most one query. */
export async function findMediaValidators(db: Db, id: number) {
  if (!Number.isSafeInteger(id)) return undefined
  const row = await db
    .selectFrom('records')
    .select(['author_id', 'change_count', 'modified_at'])
    .where('id', '=', id)
    .where('kind', '=', 'media')
    .executeTakeFirst()
  return row && { authorId: row.author_id, version: row.change_count, modifiedAt: row.modified_at }
}

/** A record that everybody may read shows the picture. The password of an event also protects its picture. */
const isShownPublicly = sql<SqlBool>`exists (
  select 1 from records owner
  where owner.image_id = media.record_id and owner.kind <> 'series' and owner.status = 'publish' and owner.password is null
)`

function mediaItems(db: Db) {
  return db
    .selectFrom('media')
    .innerJoin('records', 'records.id', 'media.record_id')
    .selectAll('media')
    .select(['records.title', 'records.author_id', 'records.created_at', 'records.change_count'])
}

function itemFromRow({
  title,
  author_id: authorId,
  created_at: createdAt,
  change_count: version,
  ...row
}: Row<'media'> & Pick<RecordRow, 'title' | 'author_id' | 'created_at' | 'change_count'>): MediaItem {
  return { ...pictureFromRow(row), title, authorId, createdAt, version }
}

/** The stored values of a new picture. */
export type NewMedia = Omit<MediaItem, 'id' | 'version'> & {
  readonly language: Language
  readonly sourceUrl: string | undefined
}

export async function insertMedia(tx: Tx, media: NewMedia): Promise<number> {
  const { id } = await tx
    .insertInto('records')
    .values({
      kind: 'media',
      status: 'publish',
      status_before_trash: null,
      slug: '',
      title: media.title,
      title_folded: '',
      title_html: '',
      content: '',
      content_html: '',
      excerpt: '',
      excerpt_html: '',
      author_id: media.authorId,
      password: null,
      image_id: null,
      parent_id: null,
      language: media.language,
      group_id: null,
      created_at: media.createdAt,
      modified_at: media.createdAt,
      dated_at: media.createdAt,
      is_dated: 1,
      search_text: fold(media.title),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('media')
    .values({
      record_id: id,
      file: media.file,
      mime_type: media.mimeType,
      extension: media.extension,
      width: media.width,
      height: media.height,
      size_bytes: media.sizeBytes,
      sizes: JSON.stringify(media.sizes),
      source_url: media.sourceUrl ?? null,
      alt_texts: JSON.stringify(media.altTexts),
      is_decorative: media.isDecorative ? 1 : 0,
    })
    .execute()
  return id
}

/** The values of a stored picture that can change. */
export type MediaChanges = Partial<Pick<MediaItem, 'title' | 'altTexts' | 'isDecorative'>>

/** Writes the values that are sent and no others. */
export async function updateMedia(
  tx: Tx,
  id: number,
  { title, altTexts, isDecorative, modifiedAt }: MediaChanges & { readonly modifiedAt: number },
): Promise<void> {
  await tx
    .updateTable('records')
    .set((e) => ({
      modified_at: modifiedAt,
      change_count: e('change_count', '+', 1),
      ...(title === undefined ? {} : { title, search_text: fold(title) }),
    }))
    .where('id', '=', id)
    .execute()
  if (altTexts === undefined && isDecorative === undefined) return
  await tx
    .updateTable('media')
    .set({
      ...(altTexts ? { alt_texts: JSON.stringify(altTexts) } : {}),
      ...(isDecorative === undefined ? {} : { is_decorative: isDecorative ? 1 : 0 }),
    })
    .where('record_id', '=', id)
    .execute()
}

/** Returns how many records show the picture. */
export async function countUses(db: Db, id: number): Promise<number> {
  const { count } = await db
    .selectFrom('records')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('image_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Removes a picture. Records that show it then have none.
 *
 * @returns false if it did not exist, or if it is in use and `isUnused` is true.
 */
export async function removeMedia(tx: Tx, id: number, { isUnused = false } = {}): Promise<boolean> {
  if (isUnused && (await countUses(tx, id)) > 0) return false
  const { numDeletedRows } = await tx
    .deleteFrom('records')
    .where('id', '=', id)
    .where('kind', '=', 'media')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns pictures that no record shows and that were stored before the second `before`, in order of id. */
export async function listUnusedPictures(
  db: Db,
  { before, afterId, limit }: { readonly before: number; readonly afterId: number; readonly limit: number },
): Promise<readonly Picture[]> {
  const rows = await db
    .selectFrom('media')
    .innerJoin('records', 'records.id', 'media.record_id')
    .selectAll('media')
    .where('media.record_id', '>', afterId)
    .where('records.created_at', '<', before)
    .where(sql<boolean>`not exists (select 1 from records owner where owner.image_id = media.record_id)`)
    .orderBy('media.record_id')
    .limit(limit)
    .execute()
  return rows.map(pictureFromRow)
}

/** Returns the files among these that belong to a picture or to one of its sizes. */
export async function listFilesInUse(db: Db, originals: readonly string[]): Promise<ReadonlySet<string>> {
  if (originals.length === 0) return new Set()
  const rows = await db.selectFrom('media').select('file').where('file', 'in', originals).execute()
  return new Set(rows.map((row) => row.file))
}
