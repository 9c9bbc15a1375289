import Type from 'typebox'
import { id, orNull, ref, said, text, word } from '../../access/http/schema.ts'
import { ACTIONS } from '../../storage/database/audit.ts'
import type { Origin } from '../../storage/database/origin.ts'
import { AUDITED_KINDS } from './audit.ts'

/** What one write did to one item, by whom, and from where. */
export const AuditEntrySchema = Type.Object(
  {
    id: id('AuditEntry.id'),
    at: Type.String({ ...said('AuditEntry.at'), format: 'date-time' }),
    actor: Type.Object(
      {
        via: word(['http', 'cli', 'import', 'service'] satisfies Origin['via'][], 'AuditEntry.via'),
        id: orNull(id('AuditEntry.actor.id')),
        name: orNull(text('AuditEntry.actor.name')),
      },
      said('AuditEntry.actor'),
    ),
    kind: word(AUDITED_KINDS, 'AuditEntry.kind'),
    item_id: Type.Integer(said('AuditEntry.item_id')),
    action: word(ACTIONS, 'AuditEntry.action'),
    changes: Type.Unsafe<object>({ type: 'object', ...said('AuditEntry.changes') }),
    from: Type.Object(
      {
        address: orNull(text('AuditEntry.from.address')),
        request_id: orNull(text('AuditEntry.from.request_id')),
      },
      said('AuditEntry.from'),
    ),
  },
  { $id: 'AuditEntry', ...said('AuditEntry') },
)

export const AuditPageSchema = Type.Object(
  { entries: Type.Array(ref(AuditEntrySchema)), next_cursor: orNull(text('AuditPage.next_cursor')) },
  { $id: 'AuditPage', ...said('AuditPage') },
)
