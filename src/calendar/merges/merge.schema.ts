import Type from 'typebox'
import { count, id, oneOf, withDescription } from '../../access/http/schema.ts'
import { STATUSES } from '../records/record.ts'
import { changedEvent, changedEvents, undoSchema } from '../undo/undo.schema.ts'

const MovedEventSchema = Type.Object(
  { ...changedEvent, status: oneOf(STATUSES, 'status') },
  { $id: 'MovedEvent', ...withDescription('MovedEvent') },
)

const moved = {
  dry_run: Type.Boolean(withDescription('CanceledEvents.dry_run')),
  count: count('MergedRecord.count'),
  ...changedEvents(MovedEventSchema),
}

const undo = undoSchema('MergedRecord.undo', 'id.merge')

export const MergedRecordSchema = Type.Object(
  {
    ...moved,
    lost_languages: Type.Array(Type.String(), withDescription('MergedRecord.lost_languages')),
    undo,
  },
  { $id: 'MergedRecord', ...withDescription('MergedRecord') },
)

export const UnmergedRecordSchema = Type.Object(
  { ...moved, skipped: Type.Array(id('id.event'), withDescription('UnmergedRecord.skipped')) },
  { $id: 'UnmergedRecord', ...withDescription('UnmergedRecord') },
)

export const MergedTermSchema = Type.Object(
  { ...moved, children: count('MergedTerm.children'), undo },
  { $id: 'MergedTerm', ...withDescription('MergedTerm') },
)

export const TermUsageSchema = Type.Object(
  { events: count('Usage.events'), children: count('TermUsage.children') },
  { $id: 'TermUsage', ...withDescription('TermUsage') },
)
