import { AsyncLocalStorage } from 'node:async_hooks'
import type { MessagePort } from 'node:worker_threads'
import type { QueryTiming } from '../../base/monitoring/query.ts'
import { queryTiming } from '../../base/monitoring/query.ts'
import { type RequestTrace, withRequestTrace } from '../../base/monitoring/request.trace.ts'
import type { Pieces } from '../http/route.ts'
import type { WireResponse } from '../http/wire.ts'
import type {
  ReadAnswer,
  ReadFailure,
  ReadPiece,
  ReadTask,
  ThreadJob,
  ThreadOrder,
  ThreadReport,
  ThreadResult,
} from './reader.messages.ts'

/** What is noted while a job is done. */
interface OpenNotes {
  readonly queries: QueryTiming[]
  readonly errors: unknown[]
}

/** What the code of a reader thread tells the main thread. */
export interface ReaderTelling {
  readonly onQueryEnd: (text: string, ms: number) => void
  readonly report: (error: unknown) => void
  readonly countWrongGuess: (client: string | undefined, target: string | undefined) => void
}

const notes = new AsyncLocalStorage<OpenNotes>()

/** Returns the functions that tell the main thread about the current job. */
export function tellMainThread(port: MessagePort): ReaderTelling {
  return {
    onQueryEnd: (text, ms) => void notes.getStore()?.queries.push({ ...queryTiming(text, ms), endedAt: Date.now() }),
    report: (error) => void notes.getStore()?.errors.push(cloneable(error)),
    countWrongGuess: (client, target) =>
      port.postMessage({ kind: 'wrong-guess', client, target } satisfies ThreadReport),
  }
}

/** Does the jobs of the main thread, in this thread. */
export function serveReads(port: MessagePort, answer: (task: ReadTask) => Promise<WireResponse>): void {
  const streams = new Map<number, AsyncIterator<string | Uint8Array>>()
  let lastStream = 0
  const hold = (pieces: Pieces): number => {
    lastStream += 1
    streams.set(lastStream, pieces[Symbol.asyncIterator]())
    return lastStream
  }
  const release = (stream: number) => {
    void streams.get(stream)?.return?.()
    streams.delete(stream)
  }
  const resultOf = async (job: ThreadJob): Promise<ReadAnswer | ReadPiece | ReadFailure> => {
    try {
      if (job.kind === 'next') {
        const { done, value } = (await streams.get(job.stream)?.next()) ?? { done: true, value: undefined }
        if (done) streams.delete(job.stream)
        return { piece: done ? undefined : bytesOf(value) }
      }
      const { body, pieces, ...response } = await answer(job.task)
      return { response, bytes: bytesOf(body), stream: pieces && hold(pieces) }
    } catch (error) {
      return { failure: cloneable(error) }
    }
  }
  const work = async (id: number, job: ThreadJob) => {
    const open: OpenNotes = { queries: [], errors: [] }
    const trace = emptyTrace()
    const made = await notes.run(open, () => withRequestTrace(trace, () => resultOf(job)))
    const result: ThreadResult = { ...made, notes: { problem: trace.problem, ...open } }
    const bytes = 'bytes' in made ? made.bytes : 'piece' in made ? made.piece : undefined
    port.postMessage({ kind: 'done', id, result } satisfies ThreadReport, bytes ? [bytes.buffer] : [])
  }
  port.on('message', (order: ThreadOrder) => {
    if (order.kind === 'release') release(order.stream)
    else void work(order.id, order.job)
  })
  port.postMessage({ kind: 'ready' } satisfies ThreadReport)
}

/** The main thread has the trace of the request. This one receives the problem. */
function emptyTrace(): RequestTrace {
  return {
    ...{ id: '', method: 'GET', beganAtMs: performance.now(), route: '', userId: undefined, problem: undefined },
    ...{ memory: undefined, queries: 0, queryMs: 0, span: undefined },
  }
}

/** Returns bytes with a buffer of their own, which can be moved to another thread. */
function bytesOf(text: string | Uint8Array): Uint8Array<ArrayBuffer> {
  // Short buffers share memory with others.
  if (typeof text !== 'string' && isWholeBuffer(text)) return text
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  if (typeof text === 'string') bytes.write(text)
  else bytes.set(text)
  return bytes
}

function isWholeBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
}

/** Returns an error in a form that can be sent to another thread. */
function cloneable(error: unknown): unknown {
  try {
    return structuredClone(error)
  } catch {
    return new Error(String(error))
  }
}
