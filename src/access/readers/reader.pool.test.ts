import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ReadAnswer, ReadTask } from './reader.messages.ts'
import { createReaderPool } from './reader.pool.ts'

/**
 * A thread that answers each job with its own number. It holds a job for the path `/hold` until it is told to continue, and
 * works on one for the path `/work` for ever.
 */
const code = `const { parentPort, workerData, threadId } = require('node:worker_threads')
  const flags = new Int32Array(workerData.memory)
  Atomics.store(flags, 0, 0)
  Atomics.notify(flags, 0)
  const held = []
  const done = (id) => {
    const result = { response: { status: threadId }, bytes: new Uint8Array(), stream: undefined, notes: {} }
    parentPort.postMessage({ kind: 'done', id, result })
  }
  parentPort.on('message', ({ kind, id, job }) => {
    if (kind === 'continue') held.splice(0).forEach(done)
    else if (job.task.request.path === '/hold') held.push(id)
    else if (job.task.request.path === '/work') for (;;);
    else done(id)
  })
  parentPort.postMessage({ kind: 'ready' })`

interface GivenPool {
  /** The answers of `startWorker`, in order; the last one for ever. */
  readonly starts?: readonly (Error | 'start')[]
  readonly idleMs?: number
  readonly timeoutMs?: number
}

function givenPool(t: TestContext, { starts = ['start'], idleMs = 120_000, timeoutMs = 60_000 }: GivenPool = {}) {
  const workers: Worker[] = []
  const reports: unknown[] = []
  let count = 0
  const pool = createReaderPool({
    ...{ size: 2, timeoutMs, restartMs: 1, idleMs },
    startWorker: async (memory) => {
      const next = starts[Math.min(count, starts.length - 1)]
      count += 1
      if (next instanceof Error) throw next
      const worker = new Worker(code, { eval: true, workerData: { memory } })
      workers.push(worker)
      return worker
    },
    onWrongGuess: () => {},
    report: (error) => reports.push(error),
  })
  t.after(() => pool.close())
  /** Asks for a path, and returns the number of the thread that answers. */
  const ask = async (path: string, client?: string): Promise<number | undefined> => {
    const task = { request: { path } } as ReadTask
    const done = await pool.run({ client, bytes: 1, begin: () => ({ kind: 'answer', task }) })
    return done && (done.result as ReadAnswer).response.status
  }
  return { pool, workers, reports, ask, starts: () => count }
}

const failure = new Error('No file handle is left.')

test('jobs that wait for a thread that cannot be started are told at once, and so are later ones', async (t) => {
  const { ask, reports } = givenPool(t, { starts: [failure] })

  assert.deepEqual(await Promise.all([ask('/'), ask('/'), ask('/', 'a'), ask('/', 'a')]), Array(4).fill(undefined))
  assert.equal(await ask('/'), undefined)
  assert.ok(reports.length > 0)
  assert.ok(reports.every((error) => (error as Error).cause === failure))
})

test('threads do jobs again as soon as one can be started', async (t) => {
  const { ask } = givenPool(t, { starts: [failure, failure, 'start'] })

  let thread = await ask('/')
  assert.equal(thread, undefined)
  while (thread === undefined) {
    await turn()
    thread = await ask('/')
  }
  assert.equal(await ask('/'), thread)
})

test('a second thread that cannot be started keeps no job from the first', async (t) => {
  const { ask, workers, starts } = givenPool(t, { starts: ['start', failure] })
  const first = await ask('/')

  const held = ask('/hold', 'a')
  const waiting = ask('/', 'b')
  while (starts() < 3) await turn()
  workers[0]?.postMessage({ kind: 'continue' })

  assert.deepEqual(await Promise.all([held, waiting]), [first, first])
})

test('a second thread ends when it has no work, and the first one stays', async (t) => {
  const { ask, workers, starts } = givenPool(t, { idleMs: 1 })
  const held = [ask('/hold', 'a'), ask('/hold', 'b')]
  while (workers.length < 2) await turn()
  const ended = Promise.race(workers.map((worker) => once(worker, 'exit')))
  const release = setInterval(() => {
    for (const worker of workers) worker.postMessage({ kind: 'continue' })
  }, 1)
  t.after(() => clearInterval(release))

  await Promise.all(held)
  await ended

  assert.equal(typeof (await ask('/')), 'number')
  assert.equal(starts(), 2)
})

test('a job has had its time when the process has had as much processor time', async (t) => {
  const { ask } = givenPool(t, { timeoutMs: 100 })
  await ask('/')
  const [beganAt, before] = [performance.now(), process.cpuUsage()]

  await assert.rejects(ask('/work'), { code: 'query-too-dear' })

  const { user, system } = process.cpuUsage(before)
  const tookMs = performance.now() - beganAt
  assert.ok(tookMs >= 99 && (user + system >= 74_000 || tookMs >= 399), `${tookMs} ms`)
  // It has not had much more either.
  assert.ok(user + system < 300_000, `${user + system} µs`)
})

test('a job that gets no processor time has four times its time', async (t) => {
  const { ask } = givenPool(t, { timeoutMs: 200 })
  await ask('/')
  const beganAt = performance.now()

  await assert.rejects(ask('/hold'), { code: 'query-too-dear' })

  const tookMs = performance.now() - beganAt
  assert.ok(tookMs >= 798, `${tookMs} ms`)
})
