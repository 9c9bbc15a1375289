import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createConcurrencyLimit } from '../../base/concurrency/concurrency.limit.ts'
import { Problem } from '../../base/problems.ts'
import { startChild } from './picture.command.ts'
import type { PictureOutcome, PictureTask, Said } from './picture.formats.ts'

/** Makes pictures outside of the process that answers requests. */
export interface Workshop {
  /** @throws Problem service_unavailable, where too many wait, none can be made, or the service ends. */
  make(task: PictureTask): Promise<PictureOutcome>
  /** How many wait to be made, or are being made. */
  waiting(): number
  /** Ends at once what is being made; what waits is not made any more. */
  close(): Promise<void>
}

/** The picture that is being made. */
interface Order {
  readonly resolve: (outcome: PictureOutcome) => void
  readonly reject: (error: unknown) => void
}

interface Child {
  readonly process: ChildProcess
  isReady: boolean
  /** Killed, since the picture that it has takes too long. */
  isLate: boolean
}

const mostWaiting = 64
const retryAfterSeconds = 10
/** While it waits for the next picture it keeps memory. */
const mostIdleMs = 30_000

/**
 * A workshop with one child process, which is there only while pictures come, and again after it broke down. What passes
 * the deadline is ended by ending the child, whatever its decoder is doing.
 *
 * @param timeoutMs How long one picture may take.
 * @param start Starts the process that makes pictures.
 */
export function createWorkshop(timeoutMs: number, start: () => ChildProcess = startChild): Workshop {
  const closing = new AbortController()
  const inTurn = createConcurrencyLimit({ maxConcurrent: 1, maxWaiting: mostWaiting, onFull: unavailable })
  let child: Child | undefined
  let current: Order | undefined
  let timer: NodeJS.Timeout | undefined

  const makeNow = (task: PictureTask) =>
    new Promise<PictureOutcome>((resolve, reject) => {
      clearTimeout(timer)
      const order = { resolve, reject }
      current = order
      try {
        give(task)
      } catch (cause) {
        // Not at once: all that wait may fare alike, and others have their turn in between.
        setImmediate(() => {
          if (current === order) settle({ error: unavailable(cause) })
        })
      }
    })
  /** @throws where no process can be started */
  const give = (task: PictureTask) => {
    if (!child?.process.connected) child = hire()
    const hired = child
    const { process } = hired
    process.ref()
    process.channel?.ref()
    timer = setTimeout(() => {
      hired.isLate = true
      process.kill('SIGKILL')
    }, timeoutMs)
    // One that could not be started, for want of a file descriptor say, has no channel, and tells so by its error; one that
    // has just died tells so by its exit.
    if (process.connected) process.send(task, () => {})
  }
  /** Until the next picture, which may be there already. */
  const rest = () => {
    clearTimeout(timer)
    child?.process.unref()
    child?.process.channel?.unref()
    timer = setTimeout(() => {
      child?.process.kill('SIGKILL')
      child = undefined
    }, mostIdleMs).unref()
  }
  const settle = (said: { readonly outcome: PictureOutcome } | { readonly error: unknown }) => {
    const order = current
    current = undefined
    if ('outcome' in said) order?.resolve(said.outcome)
    else order?.reject(said.error)
    rest()
  }
  const hire = () => {
    const hired: Child = { process: start(), isReady: false, isLate: false }
    hired.process.on('message', (said: Said) => {
      if (child !== hired) return
      if (said === 'ready') hired.isReady = true
      else if (!hired.isLate) settle('error' in said ? { error: errorOf(said.error) } : said)
    })
    const gone = (cause?: unknown) => {
      if (child !== hired) return
      child = undefined
      clearTimeout(timer)
      if (!current) return
      // Whatever ended it, even memory that it may not have: the picture it had is at fault, and no other one.
      if (hired.isReady) settle({ outcome: { fault: hired.isLate ? 'too-slow' : 'too-demanding' } })
      else settle({ error: unavailable(cause ?? new Error('The process that resizes pictures does not start.')) })
    }
    hired.process.once('exit', () => gone())
    // There may be more than one: without anybody who listens the second would end the service.
    hired.process.on('error', gone)
    return hired
  }

  return {
    make: (task) => inTurn.run(() => makeNow(task), { signal: closing.signal }),
    waiting: () => inTurn.waiting() + inTurn.running(),
    close: async () => {
      closing.abort(unavailable())
      clearTimeout(timer)
      current?.reject(unavailable())
      current = undefined
      const last = child?.process
      child = undefined
      if (!last || last.pid === undefined || last.exitCode !== null || last.signalCode !== null) return
      const exit = once(last, 'exit')
      last.ref()
      last.kill('SIGKILL')
      await exit
    },
  }
}

function unavailable(cause?: unknown): Problem {
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  return new Problem('service_unavailable', cause === undefined ? { headers } : { headers, cause })
}

function errorOf({ message, code }: { readonly message: string; readonly code: string | undefined }): Error {
  return Object.assign(new Error(message), { code })
}
