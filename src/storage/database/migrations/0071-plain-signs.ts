import { type Kysely, sql } from 'kysely'
import { decodeEntities } from '../../../base/text/escape.ts'
import { fold, searchedText } from '../../../base/text/fold.ts'
import type { Dialect } from '../dialect.ts'

/** Rows in memory at once. Each record has up to three long texts. */
const rowsAtOnce = 100

interface RecordTexts {
  readonly id: number
  readonly kind: string
  readonly title: string
  readonly content: string
  readonly excerpt: string
  readonly title_folded: string
  readonly search_text: string
}

const venueColumns = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince', 'website']
const columnsOf: Readonly<Record<string, readonly string[]>> = {
  venues: venueColumns,
  organizers: ['phone', 'website', 'email'],
}

/** Signs that look alike are one sign in folded texts, so names and search texts are folded again, some rows at a time. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await foldRecords(db, dialect)
  await foldTerms(db, dialect)
}

async function foldRecords(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<RecordTexts>`select id, kind, title, content, excerpt, title_folded, search_text
      from records where id > ${after} order by id limit ${sql.lit(rowsAtOnce)}`.execute(db)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const own = await ownTexts(db, dialect, rows)
    const changed = rows.flatMap((row) => {
      const title = row.kind === 'media' ? '' : foldedName(row.title).slice(0, 500).toWellFormed()
      const text = searchTextOf(row, own.get(row.id) ?? [])
      return title === row.title_folded && text === row.search_text ? [] : [{ id: row.id, title, text }]
    })
    if (changed.length === 0) continue
    await sql`update records set title_folded = value ->> 'title', search_text = value ->> 'text'
      from ${dialect.jsonRows(changed)} given where records.id = cast(value ->> 'id' as bigint)`.execute(db)
  }
}

function searchTextOf({ kind, title, content, excerpt }: RecordTexts, own: readonly string[]): string {
  if (kind === 'venue' || kind === 'organizer') return [title, content, ...own].map(fold).join('\n')
  return kind === 'media' ? fold(title) : searchedText([title, excerpt, content])
}

/** Returns the texts that only venues or organizers have, by id. */
async function ownTexts(
  db: Kysely<unknown>,
  dialect: Dialect,
  records: readonly RecordTexts[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const texts = new Map<number, readonly string[]>()
  for (const [table, columns] of Object.entries(columnsOf)) {
    const ids = records.filter(({ kind }) => `${kind}s` === table).map(({ id }) => id)
    if (ids.length === 0) continue
    const { rows } = await sql<Readonly<Record<string, unknown>>>`select * from ${sql.table(table)}
      where ${dialect.isAmong(sql.ref('record_id'), ids)}`.execute(db)
    for (const row of rows)
      texts.set(
        Number(row.record_id),
        columns.map((column) => String(row[column])),
      )
  }
  return texts
}

async function foldTerms(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string; name_folded: string }>`select id, name, name_folded
      from terms where id > ${after} order by id limit ${sql.lit(rowsAtOnce)}`.execute(db)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const changed = rows.flatMap(({ id, name, name_folded }) =>
      foldedName(name) === name_folded ? [] : [{ id, name: foldedName(name) }],
    )
    if (changed.length === 0) continue
    await sql`update terms set name_folded = value ->> 'name' from ${dialect.jsonRows(changed)} given
      where terms.id = cast(value ->> 'id' as bigint)`.execute(db)
  }
}

const foldedName = (name: string) => fold(decodeEntities(name))
