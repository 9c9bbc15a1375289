import { sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { placeOf } from '../index/event.index.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { hasTrigram } from './search.find.repository.ts'

const textsAtOnce = 200
/** The beginning of a text that the index must find it by. */
const soughtLetters = 40

interface TextRow {
  readonly id: number
  readonly start_local: string
  readonly text: string
}

/** Yields the events whose texts the search index does not have, has otherwise or does not find, and the texts of no event. */
export async function* wrongSearchTexts(context: Pick<ReadContext, 'db' | 'dialect'>): AsyncGenerator<string> {
  const { db } = context
  let expected = 0
  for (let after = 0; ; ) {
    const { rows } = await sql<TextRow>`select records.id, events.start_local, records.search_text as text
      from events join records on records.id = events.record_id
      where events.record_id > ${after} and records.kind = 'event' order by events.record_id
      limit ${sql.lit(textsAtOnce)}`.execute(db)
    const last = rows.at(-1)
    if (!last) break
    const texts = new Map(rows.map((row) => [placeOfRow(row), row.text]))
    const stored = await readTexts(context, [...texts.keys()])
    const found = await placesFound(context, texts)
    expected += rows.length
    for (const row of rows) {
      const place = placeOfRow(row)
      if (stored.get(place) !== row.text || (isSought(row.text) && !found.has(place))) yield `event ${row.id}`
    }
    after = last.id
  }
  const { rows } = await sql<{ total: number }>`select count(*) as total from search_texts`.execute(db)
  if (Number(rows[0]?.total) !== expected) yield 'texts of no event'
}

function placeOfRow({ id, start_local }: TextRow): number {
  return placeOf(start_local, id)
}

const beginningOf = (text: string) => [...text.slice(0, 2 * soughtLetters)].slice(0, soughtLetters).join('')
const isSought = (text: string) => hasTrigram(beginningOf(text))

async function readTexts(
  { db, dialect }: { readonly db: Db; readonly dialect: Dialect },
  places: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ place: number; text: string }>`select place, text from search_texts
    where ${dialect.isAmong(sql.ref('place'), places)}`.execute(db)
  return new Map(rows.map(({ place, text }) => [place, text]))
}

/** Returns the places at which the index finds the beginnings of these texts. */
async function placesFound(
  { db, dialect }: { readonly db: Db; readonly dialect: Dialect },
  texts: ReadonlyMap<number, string>,
): Promise<ReadonlySet<number>> {
  const searches = [...texts].flatMap(([place, text]) =>
    isSought(text)
      ? [sql`select place from ${dialect.textsWith([beginningOf(text)], { from: place, to: place })} found`]
      : [],
  )
  if (searches.length === 0) return new Set()
  const { rows } = await sql<{ place: number }>`${sql.join(searches, sql` union all `)}`.execute(db)
  return new Set(rows.map(({ place }) => place))
}
