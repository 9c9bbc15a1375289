import Type from 'typebox'
import { id, oneOf, orNull, ref, text, withDescription } from '../../access/http/schema.ts'
import { ACTIONS } from '../../storage/database/audit/audit.ts'
import type { Origin } from '../../storage/database/origin.ts'
import { AUDITED_KINDS } from './audit.ts'

/** What one write did to one item, by whom, and from where. */
export const AuditEntrySchema = Type.Object(
  {
    id: id('AuditEntry.id'),
    at: Type.String({ ...withDescription('AuditEntry.at'), format: 'date-time' }),
    actor: Type.Object(
      {
        via: oneOf(['http', 'cli', 'import', 'service'] satisfies Origin['via'][], 'AuditEntry.via'),
        id: orNull(id('AuditEntry.actor.id')),
        name: orNull(text('AuditEntry.actor.name')),
      },
      withDescription('AuditEntry.actor'),
    ),
    kind: oneOf(AUDITED_KINDS, 'AuditEntry.kind'),
    item_id: Type.Integer(withDescription('AuditEntry.item_id')),
    action: oneOf(ACTIONS, 'AuditEntry.action'),
    changes: Type.Unsafe<object>({ type: 'object', ...withDescription('AuditEntry.changes') }),
    from: Type.Object(
      {
        address: orNull(text('AuditEntry.from.address')),
        request_id: orNull(text('AuditEntry.from.request_id')),
      },
      withDescription('AuditEntry.from'),
    ),
  },
  { $id: 'AuditEntry', ...withDescription('AuditEntry') },
)

export const AuditPageSchema = Type.Object(
  { entries: Type.Array(ref(AuditEntrySchema)), next_cursor: orNull(text('AuditPage.next_cursor')) },
  { $id: 'AuditPage', ...withDescription('AuditPage') },
)

export const EventHistorySchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object({
        id: id('AuditEntry.id'),
        at: Type.String({ ...withDescription('AuditEntry.at'), format: 'date-time' }),
        by: orNull(text('AuditEntry.actor.name')),
        action: oneOf(ACTIONS, 'AuditEntry.action'),
        changes: Type.Unsafe<object>({ type: 'object', ...withDescription('AuditEntry.changes') }),
      }),
    ),
    next_cursor: orNull(text('AuditPage.next_cursor')),
  },
  { $id: 'EventHistory', ...withDescription('EventHistory') },
)
