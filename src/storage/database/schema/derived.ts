import { flag, id, instant, integer, table, text } from './table.ts'

// What storage derives from other tables before each commit (`derivation.ts`). Triggers note what changed (`notes.ts`).

/** Events whose rows in the event index and in the search index wait to be derived again. */
export const stale_events = table({ event_id: id().key(), has_stale_text: flag().default(0) })

/** The event index: one row for each event, in the order of lists. */
export const listed_events = table(
  {
    place: id().key(),
    event_id: id(),
    start_local: text(),
    dated_at: instant(),
    end_local: text(),
    start_utc: instant(),
    end_utc: instant(),
    is_long: flag(),
    status: text(),
    language: text(),
    author_id: id(),
    group_id: id().nullable(),
    is_hidden: flag(),
    is_protected: flag(),
    has_venue: flag(),
    shown_alone: integer(),
    shown_among_all: integer(),
    series_id: id().nullable(),
    facets: text(),
  },
  {
    indexes: {
      // It answers whole lists without filters, and their totals.
      start: `(start_local, dated_at, event_id, status, shown_alone, shown_among_all, is_protected, end_local, start_utc,
        end_utc)`,
      long: '(end_local, start_local) where is_long = 1',
      event: '(event_id)',
      group: '(group_id) where group_id is not null',
      series: '(series_id, start_local) where series_id is not null',
    },
    indexesOn: {
      // SQLite finds long events by their ends, and sorts them. A server would read all events in order.
      postgres: { long_start: '(start_local, dated_at, event_id, end_local) where is_long = 1' },
    },
  },
)

/** One row for each value of an event that lists filter by. */
export const event_facets = table({ facet: id(), place: id() }, { key: ['facet', 'place'], isClustered: true })

/** The places of a day. Ids of records are below this number, and days below 2 ** 22: a place is a safe integer. */
export const placesOfDay = 2 ** 31
/** Days from 0001-01-01, the first day that can be written, to 1970. */
export const daysBefore1970 = 719_162

const placeOfYear = (year: number) => (Date.UTC(year, 0, 1) / 86_400_000 + daysBefore1970) * placesOfDay
const years = Array.from({ length: 30 }, (_, place) => 2010 + place)

/**
 * The texts of events that searches compare. The engine indexes their trigrams (`Dialect.indexTrigrams`). On PostgreSQL a
 * search of some years reads the index and the texts of these years only.
 */
export const search_texts = table(
  { place: id().key(), text: text() },
  {
    parts: [
      ['earlier', 0],
      ...years.map((year) => [`${year}`, placeOfYear(year)] as const),
      ['later', placeOfYear(2040)],
    ],
  },
)

/** The log of public changes: each item at its last change. */
export const changes = table(
  {
    number: id().key(),
    kind: text(),
    item_id: id(),
    is_deleted: flag(),
    at: instant(),
    language: text(),
    version: text(),
  },
  {
    indexes: { kind: '(kind, number)', deleted: '(at, number) where is_deleted = 1' },
    uniqueIndexes: { item: '(item_id, kind)' },
  },
)

/** One row. A database that is restored or copied has another epoch, because its tables are created again. */
export const change_log = table({ id: integer().key(), epoch: text(), last: id(), floor: id() })

/** Items whose rows in the log of changes wait to be derived again. */
export const stale_items = table({ kind: text(), item_id: id() }, { key: ['kind', 'item_id'], isClustered: true })
