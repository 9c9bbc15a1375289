import type { Selectable } from 'kysely'
import type { Db, MediaTable } from '../storage/tables.ts'
import type { Picture } from './media.ts'

function pictureFromRow(row: Selectable<MediaTable>): Picture {
  return {
    id: row.record_id,
    file: row.file,
    mimeType: row.mime_type,
    extension: row.extension,
    width: row.width,
    height: row.height,
    sizeBytes: row.size_bytes,
    sizes: JSON.parse(row.sizes) as Picture['sizes'],
  }
}

/** The pictures with these ids, by id. One query. */
export async function listPictures(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Picture>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('media').selectAll().where('record_id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.record_id, pictureFromRow(row)]))
}

export async function hasPicture(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('media').select('record_id').where('record_id', '=', id).executeTakeFirst()) !== undefined
}

/** The picture that was fetched from this address before. */
export async function findPictureBySource(db: Db, url: string): Promise<number | undefined> {
  const row = await db.selectFrom('media').select('record_id').where('source_url', '=', url).executeTakeFirst()
  return row?.record_id
}
