import Type from 'typebox'
import { count, dateTime, id, oneOf, ref, text, url, withDescription } from '../../access/http/schema.ts'
import { EVENT_STATUSES } from '../events/event.state.ts'
import { CANCELLATION_STATUSES } from './cancellation.ts'

/** An event that a request changes. */
export const ChangedEventSchema = Type.Object(
  {
    id: id('id.event'),
    rest_url: url('Event.rest_url'),
    language: text('ChangedEvent.language'),
    title: text('Record.title'),
    start_date: dateTime('start_date.event'),
    timezone: text('timezone'),
    event_status: oneOf(EVENT_STATUSES, 'ChangedEvent.event_status'),
  },
  { $id: 'ChangedEvent', ...withDescription('ChangedEvent') },
)

/** How to undo a cancellation, or null. */
export const undoSchema = (description: Parameters<typeof withDescription>[0]) =>
  Type.Unsafe<object | null>({
    type: ['object', 'null'],
    required: ['id', 'url', 'until'],
    properties: {
      id: id('id.cancellation'),
      url: url('CanceledEvents.undo.url'),
      until: Type.String({ ...withDescription('CanceledEvents.undo.until'), format: 'date-time' }),
    },
    ...withDescription(description),
  })

const page = {
  events: Type.Array(ref(ChangedEventSchema), withDescription('CanceledEvents.events')),
  next_page: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 2,
    ...withDescription('CanceledEvents.next_page'),
  }),
}

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
    ...page,
    undo: undoSchema('CanceledEvents.undo'),
  },
  { $id: 'CanceledEvents', ...withDescription('CanceledEvents') },
)

export const RestoredEventsSchema = Type.Object(
  {
    ...common,
    skipped: Type.Array(id('id.event'), withDescription('RestoredEvents.skipped')),
    ...page,
  },
  { $id: 'RestoredEvents', ...withDescription('RestoredEvents') },
)
