import { mayPublish } from '../../access/auth/policy.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import type { Call } from '../../access/http/call.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { type outcomeArguments, presentEvents, presentUndo, undoEndpoint } from '../undo/undo.routes.ts'
import { cancellationArguments } from './cancellation.arguments.ts'
import { cancelEvents, undoCancellation } from './cancellation.service.ts'
import type { StateChange } from './cancellation.ts'

const tag = 'Events'

const cancelEndpoint = endpoint({
  methods: ['POST'],
  remembersAnswer: {},
  operation: 'cancelEvents',
  summary: 'events.cancel',
  about: 'events.cancel.about',
  answer: { schema: async () => (await import('./cancellation.schema.ts')).CanceledEventsSchema },
  problems: ['rest_forbidden', 'rest_missing_callback_param'],
  args: cancellationArguments,
  // Others may edit no event that is published.
  isOpenTo: mayPublish,
  handle: async (call) => {
    const {
      where: affected,
      reason: reasons = '',
      event_status: eventStatus = 'canceled',
      dry_run: isDry = false,
    } = call.values
    const order = { affected, eventStatus, reasons }
    const { id, changes, unchanged, leftOut } = await cancelEvents(call, order, isDry)
    const { count, ...page } = presentChanges(changes, call)
    const body = {
      ...{ dry_run: isDry, count, left_out: leftOut, event_status: eventStatus, unchanged, ...page },
      undo: presentUndo(call, '/events/cancel', id),
    }
    return { status: 200, body }
  },
})

const undo = undoEndpoint({
  operation: 'undoCancelEvents',
  summary: 'events.cancel.undo',
  about: 'events.cancel.undo.about',
  answer: { schema: async () => (await import('./cancellation.schema.ts')).RestoredEventsSchema },
  ...{ problem: 'cancellation-not-found', description: 'id.cancellation', isOpenTo: mayPublish },
  undo: async (call, { id, isDry }) => {
    const { changes, skipped, leftOut } = await undoCancellation(call, id, isDry)
    const { count, ...page } = presentChanges(changes, call)
    return { count, left_out: leftOut, skipped, ...page }
  },
})

/** Canceling many events at once, and undoing it. */
export const cancellationRoutes: readonly Route[] = [
  { path: '/events/cancel', tag, endpoints: [cancelEndpoint] },
  { path: '/events/cancel/{id}/undo', tag, endpoints: [undo] },
]

function presentChanges(changes: readonly StateChange[], call: Call<Arguments, typeof outcomeArguments>) {
  const events = changes.map(({ event, after }) => ({ ...event, after }))
  return presentEvents(events, call, ({ after }) => ({ event_status: after.event_status }))
}
