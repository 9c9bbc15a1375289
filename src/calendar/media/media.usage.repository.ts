import { type SqlBool, sql } from 'kysely'
import type { PageRequest } from '../../access/http/arguments/paging.ts'
import type { Language } from '../../base/languages/language.ts'
import { fold } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'

/** Which pictures a library shows. */
export interface MediaFilter {
  readonly id: number | undefined
  readonly words: string | undefined
  /** Only pictures without a description in this language, unless they are decorative. */
  readonly withoutAltText: Language | undefined
}

interface Asked {
  readonly db: Db
  readonly dialect: Dialect
}

/** Returns the ids of the pictures that a filter leaves, newest first, and their number. Runs two queries. */
export async function listFilteredMedia(
  { db, dialect }: Asked,
  { id, words, withoutAltText }: MediaFilter,
  { page, perPage }: PageRequest,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const filtered = db
    .selectFrom('media')
    .innerJoin('records', 'records.id', 'media.record_id')
    .$if(id !== undefined, (query) => query.where('media.record_id', '=', id ?? 0))
    .$if(words !== undefined, (query) =>
      query.where((e) => dialect.containsText(e.ref('records.search_text'), fold(words ?? ''))),
    )
    .$if(withoutAltText !== undefined, (query) =>
      query.where('media.is_decorative', '=', 0).where((e) =>
        // The texts are stored by language as JSON, in which a backslash precedes each quotation mark of a text.
        e.not(dialect.containsText(e.ref('media.alt_texts'), `${JSON.stringify(withoutAltText)}:`) as never),
      ),
    )
  const rows = await filtered
    .select('media.record_id')
    .orderBy('media.record_id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const { total } = await filtered.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { ids: rows.map((row) => row.record_id), total: Number(total) }
}

/** A record that shows a picture. */
export interface MediaUse {
  readonly id: number
  readonly kind: string
  readonly title: string
  readonly status: string
  readonly authorId: number
  readonly imageId: number
  /** How many records show the picture. */
  readonly uses: number
}

/** Returns the newest records that show each of these pictures. Runs one query. */
export async function listMediaUses(db: Db, ids: readonly number[], most: number): Promise<readonly MediaUse[]> {
  if (ids.length === 0) return []
  const rows = await db
    .with('shown', (of) =>
      of
        .selectFrom('records')
        .where('image_id', 'in', [...ids])
        // The template of a series is not an event: its dates show the picture.
        .where('kind', '<>', 'series')
        .select(['id', 'kind', 'title', 'status', 'author_id', 'image_id'])
        .select([
          sql<number>`row_number() over (partition by image_id order by id desc)`.as('place'),
          sql<number>`count(*) over (partition by image_id)`.as('uses'),
        ]),
    )
    .selectFrom('shown')
    .selectAll()
    .where(sql<SqlBool>`place <= ${most}`)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, kind, title, status, author_id: authorId, image_id: imageId, uses }) => ({
    ...{ id, kind, title, status, authorId, imageId: imageId ?? 0, uses: Number(uses) },
  }))
}
