import Type from 'typebox'
import { count, id, oneOf, text, url, withDescription } from '../../access/http/schema.ts'
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
    undo: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      required: ['id', 'url', 'until'],
      properties: {
        id: id('id.cancellation'),
        url: url('CanceledEvents.undo.url'),
        until: Type.String({ ...withDescription('CanceledEvents.undo.until'), format: 'date-time' }),
      },
      ...withDescription('SweptRecords.undo'),
    }),
  },
  { $id: 'SweptRecords', ...withDescription('SweptRecords') },
)
