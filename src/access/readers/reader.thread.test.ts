import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { watchNativeCalls } from '../../base/concurrency/native.calls.ts'
import { readerThread } from './reader.thread.ts'

test('a thread that is ended while it starts has loaded its modules before it ends', async () => {
  const nativeCalls = watchNativeCalls()
  const code = `const { parentPort, workerData } = require('node:worker_threads')
    parentPort.on('message', () => {
      parentPort.postMessage({ kind: 'ready' })
      const flags = new Int32Array(workerData)
      Atomics.store(flags, 0, 0)
      Atomics.notify(flags, 0)
    })`
  const worker = new Worker(code, { eval: true, workerData: nativeCalls.memory })
  const seen: string[] = []
  const thread = readerThread(
    { worker, nativeCalls },
    { onReady: () => seen.push('started'), onWrongGuess: () => {}, onExit: () => seen.push('ended') },
  )

  const ending = thread.end()
  worker.postMessage('start')
  await ending

  assert.deepEqual(seen, ['started', 'ended'])
})

test('a thread that fails to start has ended', async () => {
  const worker = new Worker('throw new Error("No file handle is left.")', { eval: true })
  const causes: unknown[] = []
  const thread = readerThread(
    { worker, nativeCalls: watchNativeCalls() },
    { onReady: () => {}, onWrongGuess: () => {}, onExit: (cause) => causes.push(cause) },
  )

  await thread.end()

  assert.match(String(causes), /^Error: No file handle is left\.$/)
})
