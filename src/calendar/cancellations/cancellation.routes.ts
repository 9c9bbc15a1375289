import { mayPublish } from '../../access/auth/policy.ts'
import { type Addresses, routeUrl } from '../../access/http/addresses.ts'
import { type ServiceCall, type ServiceRoute, serviceEndpoint } from '../../access/http/service.ts'
import { isoUtc } from '../../base/time/wire.ts'
import {
  cancellationArguments,
  cancellationPath,
  defaultPerPage,
  mostPerPage,
  outcomeArguments,
} from './cancellation.arguments.ts'
import { cancelEvents, undoCancellation } from './cancellation.service.ts'
import { type StateChange, undoDays } from './cancellation.ts'

const tag = 'Events'
const daySeconds = 86_400

const cancelEndpoint = serviceEndpoint({
  methods: ['POST'],
  remembersAnswer: {},
  operation: 'cancelEvents',
  summary: 'events.cancel',
  about: 'events.cancel.about',
  answer: { schema: async () => (await import('./cancellation.schema.ts')).CanceledEventsSchema },
  problems: ['rest_forbidden', 'rest_missing_callback_param'],
  path: {},
  args: cancellationArguments,
  // Others may edit no event that is published.
  isOpenTo: mayPublish,
  handle: async (call) => {
    const { deps, actor, values } = call
    const {
      where: affected,
      reason: reasons = '',
      event_status: eventStatus = 'canceled',
      dry_run: isDry = false,
    } = values
    const { id, changes, unchanged, leftOut } = await cancelEvents(
      { deps, actor },
      { affected, eventStatus, reasons },
      isDry,
    )
    const undo = id && {
      id,
      url: undoUrl(call, id),
      until: isoUtc(deps.now() + undoDays * daySeconds),
    }
    const body = {
      ...{ dry_run: isDry, count: changes.length, left_out: leftOut, event_status: eventStatus, unchanged },
      ...presentPage(changes, values, call.addresses),
      undo: undo ?? null,
    }
    return { status: 200, body }
  },
})

const undoEndpoint = serviceEndpoint({
  methods: ['POST'],
  remembersAnswer: {},
  operation: 'undoCancelEvents',
  summary: 'events.cancel.undo',
  about: 'events.cancel.undo.about',
  answer: { schema: async () => (await import('./cancellation.schema.ts')).RestoredEventsSchema },
  problems: ['rest_forbidden', 'cancellation-not-found'],
  path: cancellationPath,
  args: outcomeArguments,
  isOpenTo: mayPublish,
  handle: async ({ deps, actor, addresses, values, path: { id } }) => {
    const { dry_run: isDry = false } = values
    const { changes, skipped, leftOut } = await undoCancellation({ deps, actor }, id, isDry)
    const body = {
      ...{ dry_run: isDry, count: changes.length, left_out: leftOut, skipped },
      ...presentPage(changes, values, addresses),
    }
    return { status: 200, body }
  },
})

/** Canceling many events at once, and undoing it. */
export const cancellationRoutes: readonly ServiceRoute[] = [
  { path: '/events/cancel', tag, endpoints: [cancelEndpoint] },
  { path: '/events/cancel/{id}/undo', tag, endpoints: [undoEndpoint] },
]

function undoUrl({ addresses, namespace }: Pick<ServiceCall, 'addresses' | 'namespace'>, id: number): string {
  return `${addresses.base}/${namespace}/events/cancel/${id}/undo`
}

/** Returns a page of the changed events: all of them could be two thousand. */
function presentPage(
  changes: readonly StateChange[],
  {
    page = 1,
    per_page = defaultPerPage,
  }: { readonly page?: number | undefined; readonly per_page?: number | undefined },
  addresses: Addresses,
) {
  const size = Math.min(per_page, mostPerPage)
  const events = changes.slice((page - 1) * size, page * size).map(({ event, after }) => ({
    id: event.id,
    rest_url: routeUrl(addresses, `/events/${event.id}`),
    language: event.language,
    title: event.titleHtml,
    start_date: event.start,
    timezone: event.timezone,
    event_status: after.event_status,
  }))
  return { events, next_page: changes.length > page * size ? page + 1 : null }
}
