import { type Addresses, routeUrl } from '../../access/http/addresses.ts'
import {
  flagArgument,
  numberArgument,
  pageSizeArgument,
  pathArgument,
} from '../../access/http/arguments/argument.kinds.ts'
import type { Arguments, ArgumentValues } from '../../access/http/arguments/argument.ts'
import type { Call } from '../../access/http/call.ts'
import { type Endpoint, endpoint } from '../../access/http/route.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { undoableUntil } from './undo.service.ts'
import type { StatedEvent } from './undo.ts'

const maxPerPage = 100
const defaultPerPage = 50

/** Arguments of operations on many events, and of undoing them. */
export const outcomeArguments = {
  dry_run: { ...flagArgument('dry_run', 'dry_run'), default: false },
  page: { ...numberArgument('page'), default: 1 },
  per_page: { ...pageSizeArgument(maxPerPage), default: defaultPerPage },
} as const satisfies Arguments

type Outcome = ArgumentValues<typeof outcomeArguments>

/** Returns a page of the events of an operation: all of them could be thousands. */
export function presentEvents<E extends StatedEvent>(
  events: readonly E[],
  {
    values: { page = 1, per_page = defaultPerPage },
    addresses,
  }: { readonly values: Outcome; readonly addresses: Addresses },
  more: (event: E) => object,
) {
  const size = Math.min(per_page, maxPerPage)
  const shown = events.slice((page - 1) * size, page * size).map((event) => ({
    ...{ id: event.id, rest_url: routeUrl(addresses, `/events/${event.id}`), language: event.language },
    ...{ title: event.titleHtml, start_date: event.start, timezone: event.timezone },
    ...more(event),
  }))
  return { count: events.length, events: shown, next_page: events.length > page * size ? page + 1 : null }
}

/**
 * Returns how to undo an operation; null if nothing was done.
 *
 * @param path Path of the operation, before its id.
 */
export function presentUndo(
  { deps, addresses, namespace }: Pick<Call, 'deps' | 'addresses' | 'namespace'>,
  path: string,
  id: number | undefined,
) {
  if (id === undefined) return null
  const url = `${addresses.base}/${namespace}${path}/${id}/undo`
  return { id, url, until: isoUtc(undoableUntil(deps.now())) }
}

const undoPath = (problem: 'cancellation-not-found' | 'merge-not-found', description: 'id.cancellation' | 'id.merge') =>
  ({ id: pathArgument(problem, description) }) as const satisfies Arguments

/** The endpoint that undoes an operation. Its arguments are the same for all. */
export function undoEndpoint({
  problem,
  description,
  undo,
  ...definition
}: Pick<Endpoint, 'operation' | 'summary' | 'about' | 'answer' | 'isOpenTo'> & {
  readonly problem: 'cancellation-not-found' | 'merge-not-found'
  readonly description: 'id.cancellation' | 'id.merge'
  /** @returns the answer, except for `dry_run`. */
  readonly undo: (
    call: Call<ReturnType<typeof undoPath>, typeof outcomeArguments>,
    asked: { readonly id: number; readonly isDry: boolean },
  ) => Promise<object>
}) {
  return endpoint({
    ...definition,
    ...{ methods: ['POST'], remembersAnswer: {}, problems: ['rest_forbidden', problem] },
    path: undoPath(problem, description),
    args: outcomeArguments,
    handle: async (call) => {
      const isDry = call.values.dry_run ?? false
      return { status: 200, body: { dry_run: isDry, ...(await undo(call, { id: call.path.id ?? 0, isDry })) } }
    },
  })
}
