import Type from 'typebox'
import { count, id, oneOf, text, withDescription } from '../../access/http/schema.ts'
import { undoSchema } from '../../calendar/undo/undo.schema.ts'
import { SWEEP_ACTIONS } from './sweep.service.ts'

export const SweptRecordsSchema = Type.Object(
  {
    dry_run: Type.Boolean(withDescription('SweptRecords.dry_run')),
    action: oneOf(SWEEP_ACTIONS, 'sweep.action'),
    kind: oneOf(['event', 'venue', 'organizer'], 'sweep.kind'),
    count: count('SweptRecords.count'),
    left_out: count('SweptRecords.left_out'),
    has_more: Type.Boolean(withDescription('SweptRecords.has_more')),
    records: Type.Array(
      Type.Object({ id: id('SweptRecords.id'), external_id: text('external_id'), title: text('Record.title') }),
      withDescription('SweptRecords.records'),
    ),
    undo: undoSchema('SweptRecords.undo'),
  },
  { $id: 'SweptRecords', ...withDescription('SweptRecords') },
)
