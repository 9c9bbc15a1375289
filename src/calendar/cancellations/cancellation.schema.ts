import Type from 'typebox'
import { count, id, oneOf, withDescription } from '../../access/http/schema.ts'
import { EVENT_STATUSES } from '../events/model/state.ts'
import { changedEvent, changedEvents, undoSchema } from '../undo/undo.schema.ts'
import { CANCELLATION_STATUSES } from './cancellation.ts'

const ChangedEventSchema = Type.Object(
  {
    ...changedEvent,
    event_status: oneOf(EVENT_STATUSES, 'ChangedEvent.event_status'),
  },
  { $id: 'ChangedEvent', ...withDescription('ChangedEvent') },
)

const common = {
  dry_run: Type.Boolean(withDescription('CanceledEvents.dry_run')),
  count: count('CanceledEvents.count'),
  left_out: count('CanceledEvents.left_out'),
}

export const CanceledEventsSchema = Type.Object(
  {
    ...common,
    event_status: oneOf(CANCELLATION_STATUSES, 'cancellation.event_status'),
    unchanged: count('CanceledEvents.unchanged'),
    ...changedEvents(ChangedEventSchema),
    undo: undoSchema('CanceledEvents.undo'),
  },
  { $id: 'CanceledEvents', ...withDescription('CanceledEvents') },
)

export const RestoredEventsSchema = Type.Object(
  {
    ...common,
    skipped: Type.Array(id('id.event'), withDescription('RestoredEvents.skipped')),
    ...changedEvents(ChangedEventSchema),
  },
  { $id: 'RestoredEvents', ...withDescription('RestoredEvents') },
)
