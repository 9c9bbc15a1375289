import { type RawBuilder, sql } from 'kysely'
import type { EventDerivation } from '../index/stale.events.repository.ts'

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
