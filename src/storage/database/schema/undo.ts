import { id, instant, numbered, table, text } from './table.ts'

/** Operations on many records that can be undone for some time. No foreign keys: they may outlive what they name. */
export const undos = table(
  {
    id: numbered(),
    operation: text(),
    at: instant(),
    /** Null: the command line or the service itself. */
    user_id: id().nullable(),
    /** The record or term that it took away. Null: none. */
    subject_id: id().nullable(),
    /** JSON of what its undo needs to know besides the records. */
    details: text(),
    /** When it was last undone. Null: never. */
    undone_at: instant().nullable().audited('undone_at'),
  },
  { indexes: { at: '(at, id)' } },
)

/** What such an operation did to one record. */
export const undo_items = table(
  {
    undo_id: id().references('undos.id', 'cascade'),
    record_id: id().references('records.id', 'cascade'),
    /** JSON of what it changed, before and after it. */
    before: text(),
    after: text(),
    undone_at: instant().nullable(),
  },
  { key: ['undo_id', 'record_id'], isClustered: true, indexes: { record: '(record_id)' } },
)
