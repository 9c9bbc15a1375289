import { NetworkError, TimeoutError } from './errors.ts'

/** The longest delay of a timer. There is no timeout beyond it. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Calls `work` with a signal that is aborted with the first of `signals`, or when the time is up.
 *
 * `AbortSignal.any` is not used: for a signal that lasts as long as the client, some runtimes keep every signal that
 * was ever derived from it.
 *
 * @throws TimeoutError; the reason of an aborted signal; NetworkError, if `work` fails otherwise
 */
export async function within<T>(
  timeoutMs: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const end = watch(signals, (reason) => own.abort(reason))
  const timer =
    timeoutMs > longestTimerMs ? undefined : setTimeout(() => own.abort(new TimeoutError(timeoutMs)), timeoutMs)
  try {
    return await work(own.signal)
  } catch (cause) {
    throw own.signal.aborted ? own.signal.reason : new NetworkError(cause)
  } finally {
    clearTimeout(timer)
    end()
  }
}

/** Waits, unless one of the signals is aborted: then throws its reason. */
export function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      clearTimeout(timer)
      end()
      settle()
    }
    const timer = setTimeout(() => done(resolve), ms)
    const end = watch(signals, (reason) => done(() => reject(reason)))
  })
}

/** Calls `onAbort` with the reason of the first signal that is aborted. Returns a function that ends the watch. */
function watch(signals: readonly AbortSignal[], onAbort: (reason: unknown) => void): () => void {
  for (const signal of signals) signal.throwIfAborted()
  const listeners = signals.map((signal) => {
    const listener = () => onAbort(signal.reason)
    signal.addEventListener('abort', listener, { once: true })
    return () => signal.removeEventListener('abort', listener)
  })
  return () => {
    for (const remove of listeners) remove()
  }
}
