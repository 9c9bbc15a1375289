import type { ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import type { Wait } from '../http/call.ts'
import type { Endpoint } from '../http/route.ts'

interface Waiting {
  readonly deps: Deps
  readonly endpoint: Pick<Endpoint, 'waitFor'>
  readonly response: ServerResponse
  /** Identifies the client for limits. */
  readonly client: string | undefined
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal
}

/**
 * Answers a request, and again each time what it waits for has happened. While it waits, it does not count as in progress. All waits
 * end when the first one would, however long the answers between them take.
 *
 * @param answer Its argument is what has happened, with the time that is left.
 * @param waitOf Returns what a result waits for, if anything.
 */
export async function answerAfterWaits<R>(
  { deps, endpoint, response, client, stopping }: Waiting,
  answer: (waited: Wait | undefined) => Promise<R>,
  waitOf: (result: R) => Wait | undefined,
): Promise<R> {
  const { inFlight } = deps.limits
  const { waitFor } = endpoint
  const beganAtMs = performance.now()
  let untilMs = Number.POSITIVE_INFINITY
  let result = await inFlight.run(() => answer(undefined))
  if (!waitFor) return result
  const gone = new AbortController()
  const abort = () => gone.abort()
  response.once('close', abort)
  try {
    for (let wait = waitOf(result); wait; wait = waitOf(result)) {
      untilMs = Math.min(untilMs, beganAtMs + wait.forMs)
      // It may have gone while a thread looked for an answer.
      if (response.destroyed) abort()
      const signal = AbortSignal.any([stopping, gone.signal])
      // Otherwise the result is the answer. Nothing is read again, because threads may be busy, and others need the main thread.
      if (!(await waitFor(deps, wait, { untilMs, signal, client }))) return result
      const waited = { ...wait, forMs: Math.max(0, untilMs - performance.now()) }
      result = await inFlight.run(() => answer(waited))
    }
    return result
  } finally {
    response.off('close', abort)
  }
}
