import type { ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import type { ServiceEndpoint, Wait } from './service.ts'

interface Waiting {
  readonly deps: Deps
  readonly endpoint: Pick<ServiceEndpoint, 'waitFor'>
  readonly response: ServerResponse
  /** Identifies the client for limits. */
  readonly client: () => string | undefined
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
  const beganAtMs = performance.now()
  let untilMs = Number.POSITIVE_INFINITY
  let result = await inFlight.run(() => answer(undefined))
  for (let wait = waitOf(result); wait && endpoint.waitFor; wait = waitOf(result)) {
    untilMs = Math.min(untilMs, beganAtMs + wait.forMs)
    const hasHappened = await untilGone(response, stopping, (signal) =>
      endpoint.waitFor?.(deps, wait, { untilMs, signal, client: client() }),
    )
    // The result is the answer. Nothing is read again, because threads may be busy, and others need the main thread.
    if (!hasHappened) return result
    const waited = { ...wait, forMs: Math.max(0, untilMs - performance.now()) }
    result = await inFlight.run(() => answer(waited))
  }
  return result
}

/** Gives a wait the signal that ends it: the client goes, or the service stops. */
async function untilGone<T>(
  response: ServerResponse,
  stopping: AbortSignal,
  wait: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const abort = () => gone.abort()
  response.once('close', abort)
  // It may have gone while a thread looked for an answer.
  if (response.destroyed) abort()
  try {
    return await wait(AbortSignal.any([stopping, gone.signal]))
  } finally {
    response.off('close', abort)
  }
}
