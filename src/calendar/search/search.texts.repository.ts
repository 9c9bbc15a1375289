import { type RawBuilder, sql } from 'kysely'
import { searchedText } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { events } from '../../storage/database/schema/events.ts'
import { records } from '../../storage/database/schema/records.ts'
import { searchedColumns } from '../../storage/database/schema/table.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { EventDerivation } from '../index/stale.events.repository.ts'

/** The number of events in memory at once. Each has up to three long texts. */
const eventsAtOnce = 50

interface TextRow {
  readonly id: number
  readonly search_text: string
  readonly [column: string]: unknown
}

const columns = [...searchedColumns(records), ...searchedColumns(events)]

/**
 * The folded texts of events that searches compare. Writes store them. This derivation makes them again if a migration
 * says that their format changed.
 */
export const searchTexts: EventDerivation = {
  tables: [],
  refresh: async (tx, dialect, changes) => {
    await remakeSearchTexts(
      tx,
      dialect,
      changes.filter(({ hasStaleText }) => hasStaleText).map(({ id }) => id),
    )
    return []
  },
}

async function remakeSearchTexts(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  for (let place = 0; place < ids.length; place += eventsAtOnce) {
    const some = ids.slice(place, place + eventsAtOnce)
    const { rows } = await sql<TextRow>`select id, search_text, ${sql.join(columns.map((column) => sql.ref(column)))}
      from records join events on record_id = id where ${dialect.isAmong(sql.ref('id'), some)}`.execute(tx)
    const changed = rows.flatMap(({ id, search_text, ...row }) => {
      const text = searchedText(columns.map((column) => String(row[column] ?? '')))
      return text === search_text ? [] : [sql`(cast(${id} as bigint), cast(${text} as text))`]
    })
    if (changed.length === 0) continue
    await sql`update records set search_text = given.column2 from (values ${sql.join(changed)}) as given
      where records.id = given.column1`.execute(tx)
  }
}

/**
 * The search index: the folded text of each event, by its place in the calendar, so that a window is a range of places.
 * The engine indexes the trigrams of the texts (docs/decisions/0070-search.md).
 */
export const searchIndex: EventDerivation = {
  // The first one exists on SQLite only.
  tables: ['search_trigrams', 'search_texts'],
  refresh: async (_tx, dialect, changes) => {
    const moved = changes.flatMap(({ before, after }) => {
      return before && before.place !== after?.place ? [before.place] : []
    })
    const texts = changes.flatMap(({ id, after }) => (after ? [{ id, place: after.place }] : []))
    const statements: RawBuilder<unknown>[] = []
    if (moved.length > 0) {
      statements.push(sql`delete from search_texts where ${dialect.isAmong(sql.ref('place'), moved)}`)
    }
    if (texts.length > 0) {
      // PostgreSQL would store the compressed text of the record, which takes three times as long to compare.
      statements.push(sql`insert into search_texts (place, text)
        select cast(value ->> 'place' as bigint), records.search_text || '' from ${dialect.jsonRows(texts)} given
          join records on records.id = cast(value ->> 'id' as bigint) where true
        on conflict (place) do update set text = excluded.text where search_texts.text <> excluded.text`)
    }
    return statements
  },
  complete: (tx, dialect) => dialect.mergeTrigrams(tx),
}
