import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { settingTextsOf } from '../../base/config/setting.ts'
import { listTarget } from '../../base/limits/limits.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import type { Deps } from '../deps.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'
import type { ReadAnswer, ReadNotes, ReadTask, ThreadJob, ThreadResult } from './reader.messages.ts'
import { createReaderPool, type PooledThread } from './reader.pool.ts'
import { ThreadEnded } from './reader.thread.ts'

/** Answers reads in threads, so that the main thread is free for other requests. */
export interface Readers {
  /**
   * Answers a read that may take long. Its response is the same as in the main thread.
   *
   * @returns Undefined if no thread can be started, so that the main thread must answer.
   * @throws service_unavailable, query-too-dear
   */
  answer(request: WireRequest, target: ReadTask['target']): Promise<WireResponse | undefined>
  /** Starts the first thread, so that the first read does not wait for it. */
  start(): void
  close(): Promise<void>
}

/** What a thread gets when it starts. */
export interface ReaderData<F = unknown> {
  readonly settings: Readonly<Record<string, string | undefined>>
  readonly files: F
  /** Whether statements are recorded. */
  readonly isTimed: boolean
  /** Tells the main thread when it may end this one. */
  readonly nativeCallsMemory: SharedArrayBuffer
}

export interface ReadersOptions {
  /** The module that a thread runs. */
  readonly module: URL
  /** Prepares what threads only read, and returns the files of pages. */
  readonly prepare: () => Promise<unknown>
  readonly report: (error: unknown) => void
}

/**
 * Memory of a thread, in megabytes. Running out of it ends the thread, so there is room for the largest response several
 * times over: a page of 100 events with all texts at their maximum length.
 */
const resourceLimits = { maxOldGenerationSizeMb: 192 }
/**
 * A small young generation keeps the memory of a process with several threads low. An even smaller one would move what a
 * feed needs for a moment into the old generation, which costs processor time and more memory. A limit of the thread would have no
 * effect if Node is started with this option, which applies to all heaps that are created later.
 */
const youngGeneration = '--max-semi-space-size=8'

/**
 * Returns the reader threads of this process, or undefined if there are none. On PostgreSQL there are none, because its
 * server runs the statements.
 */
export function createReaders(deps: Deps, { module, prepare, report }: ReadersOptions): Readers | undefined {
  const { config, limits, monitoring } = deps
  if (config.readers === 0 || config.database.engine !== 'sqlite') return undefined
  const startWorker = async (nativeCallsMemory: SharedArrayBuffer) => {
    const workerData: ReaderData = {
      settings: settingTextsOf(config),
      files: await prepare(),
      isTimed: monitoring.recordQuery !== undefined,
      nativeCallsMemory,
    }
    setFlagsFromString(youngGeneration)
    return new Worker(module, { workerData, resourceLimits, env: threadEnvironment(), name: 'reader' })
  }
  const pool = createReaderPool({
    ...{ size: config.readers, timeoutMs: config.queryTimeoutMs, startWorker, report },
    onWrongGuess: limits.eventPasswords.countWrongGuess,
  })
  monitoring.measure({ readsWaiting: pool.waiting, readersBusy: pool.busy })

  const record = ({ problem, queries, errors }: ReadNotes) => {
    if (problem) updateRequestTrace({ problem })
    for (const timing of queries) monitoring.recordQuery?.(timing)
    for (const error of errors) report(error)
  }
  const resultOf = ({ notes, ...result }: ThreadResult) => {
    record(notes)
    if ('failure' in result) throw result.failure
    return result
  }
  const ask = async (request: WireRequest, target: ReadTask['target']) => {
    const done = await pool.run({
      client: clientOf(request),
      bytes: sizeOf(request),
      begin: () => (request.isGone?.() ? undefined : jobFor(deps, request, target)),
    })
    return done && { answer: resultOf(done.result) as ReadAnswer, thread: done.thread }
  }
  /** Returns the next piece of a response; undefined after the last one. */
  const nextPiece = async (thread: PooledThread, stream: number) => {
    const result = resultOf(await thread.next({ kind: 'next', stream }))
    return 'piece' in result ? result.piece : undefined
  }
  /**
   * Returns the pieces of a response. If the thread is ended because of another request, another thread begins the same
   * response again, up to the same place.
   */
  async function* piecesOf(begun: BegunResponse, again: () => Promise<BegunResponse>): AsyncGenerator<Uint8Array> {
    let { thread, stream } = begun
    let sent = 0
    let known = 0
    try {
      for (;;) {
        const piece = await nextPiece(thread, stream).catch(async (error) => {
          if (!(error instanceof ThreadEnded)) throw error
          const other = await again()
          thread = other.thread
          stream = other.stream
          // It is weak, but changes with all that the text depends on.
          if (other.etag !== begun.etag) throw error
          known = sent
          return new Uint8Array()
        })
        if (!piece) return
        const fresh = piece.subarray(Math.min(known, piece.length))
        known -= piece.length - fresh.length
        sent += fresh.length
        if (fresh.length > 0) yield fresh
      }
    } finally {
      thread.release(stream)
    }
  }
  const begunOf = (asked: Awaited<ReturnType<typeof ask>>): BegunResponse | undefined => {
    if (asked?.answer.stream === undefined) return undefined
    const { answer, thread } = asked
    return { thread, stream: asked.answer.stream, etag: answer.response.etag }
  }
  return {
    answer: async (request, target) => {
      const asked = await ask(request, target)
      if (!asked) return undefined
      const { response, bytes } = asked.answer
      const begun = begunOf(asked)
      const again = async () => begunOf(await ask(request, target)) ?? Promise.reject(new ThreadEnded())
      return {
        ...response,
        body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        ...(begun ? { pieces: releasable(piecesOf(begun, again), begun) } : {}),
      }
    },
    start: pool.start,
    close: pool.close,
  }
}

/** A thread uses the compile cache of this process, if it has one. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) }
}

/** A response whose pieces a thread makes. */
interface BegunResponse {
  readonly thread: PooledThread
  readonly stream: number
  readonly etag: string | undefined
}

/** A generator that has not begun does not run its `finally`, but its response is held by the thread. */
function releasable(pieces: AsyncGenerator<Uint8Array>, { thread, stream }: BegunResponse): AsyncGenerator<Uint8Array> {
  const finish = pieces.return.bind(pieces)
  pieces.return = (value) => {
    thread.release(stream)
    return finish(value)
  }
  return pieces
}

/** The key by which the work of a client is counted. Behind an address that many share, users are still known. */
function clientOf({ client, caller }: WireRequest): string | undefined {
  if (client !== undefined) return client
  return caller?.actor.kind === 'user' ? `user ${caller.actor.id}` : undefined
}

function sizeOf({ path, query, headers, body }: WireRequest): number {
  const texts = Object.values(headers).reduce((sum, value) => sum + (value?.length ?? 0), path.length + query.length)
  return texts + (body?.length ?? 0)
}

function jobFor({ limits, now }: Deps, { isGone: _, ...request }: WireRequest, target: ReadTask['target']): ThreadJob {
  const guessWaitSeconds = limits.eventPasswords.waitSeconds(request.client, listTarget)
  return { kind: 'answer', task: { request, target, second: now(), guessWaitSeconds } }
}
