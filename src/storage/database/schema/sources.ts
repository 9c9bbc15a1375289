import { id, instant, integer, table, text } from './table.ts'

/** Sources, and the users who first wrote them. */
export const sources = table(
  {
    name: text(),
    /** Null if the user was removed. */
    user_id: id().nullable().references('users.id', 'set null'),
    created_at: instant(),
  },
  { key: ['name'], indexes: { user: '(user_id)' } },
)

/** The import source of a record or a term. One of the two ids is set. */
export const imported_records = table(
  {
    kind: text<'event' | 'venue' | 'organizer' | 'category' | 'tag'>(),
    /** Id that is the same for every reader of the source. */
    source: text(),
    record_id: id().nullable().references('records.id', 'cascade'),
    term_id: id().nullable().references('terms.id', 'cascade'),
    /** SHA-256 of the imported data, hex. Unchanged data is skipped. */
    digest: text(),
    /** Whole days by which the import moved an event. */
    shift_days: integer(),
    imported_at: instant(),
    /** The source that has sent it over HTTP; null if the command line has imported it. */
    source_name: text().nullable().references('sources.name'),
    /** Its page at the source. */
    url: text().nullable(),
    /** JSON: a digest of each field as it was stored after the last write of the source. */
    standing: text().nullable(),
    /** When the source last sent it, even if nothing had changed. */
    seen_at: instant().nullable(),
    /** When the source removed it, or a sweep found that the source has it no longer. */
    gone_at: instant().nullable(),
  },
  {
    key: ['kind', 'source'],
    indexes: {
      record: '(record_id)',
      term: '(term_id)',
      // Partial: imports of the command line have no rows in it.
      seen: '(source_name, kind, seen_at) where source_name is not null',
      // The id that its old site gave it: the digits at the end of `host?id=12`. `findByOldId` has the same expression.
      old_id: "(replace(source, rtrim(source, '0123456789'), '')) where source_name is null",
    },
  },
)
