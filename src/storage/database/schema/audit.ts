import type { Origin } from '../origin.ts'
import { id, instant, integer, numbered, table, text } from './table.ts'

/** What one write did to one item. Rows are only added, and removed once they are old enough. */
export const audit = table(
  {
    id: numbered(),
    at: instant(),
    via: text<Origin['via']>(),
    // No foreign key: the entries of a user outlive the user.
    user_id: id().nullable(),
    /** Name of the user at that time. */
    user_name: text().nullable(),
    /** Kind of the record, the taxonomy, `user`, or `audit` itself. */
    kind: text(),
    item_id: id(),
    action: text(),
    /** JSON object: field → {before, after}, and `cut` if a value is shortened. */
    changes: text(),
    address: text().nullable(),
    request_id: text().nullable(),
  },
  {
    indexes: {
      at: '(at, id)',
      item: '(kind, item_id, at, id)',
      kind: '(kind, at, id)',
      // Imports have no user and must stay cheap, so a partial index skips their entries.
      user_id: '(user_id, at, id) where user_id > 0',
      user_name: '(user_name, at, id) where user_id > 0',
    },
  },
)

/** Has one row during the removal of old entries. It says which of them may be removed. */
export const audit_pruning = table({ id: integer().key(), before_at: instant() })

/** The changes of a write to each row, before and after. The end of the write makes entries of them (`audit.ts`). */
export const audit_pending = table(
  {
    subject: text(),
    item_id: id(),
    area: text(),
    part_id: id(),
    kind: text(),
    was: text().nullable(),
    became: text().nullable(),
  },
  { key: ['subject', 'item_id', 'area', 'part_id'], isClustered: true },
)
