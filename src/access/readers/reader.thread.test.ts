import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { readerThread } from './reader.thread.ts'

test('a thread that is ended while it starts has started before it ends', async () => {
  const code = `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', () => parentPort.postMessage({ kind: 'ready' }))`
  const worker = new Worker(code, { eval: true })
  const seen: string[] = []
  const thread = readerThread(worker, {
    onReady: () => seen.push('started'),
    onWrongGuess: () => {},
    onExit: () => seen.push('ended'),
  })

  const ending = thread.end()
  worker.postMessage('start')
  await ending

  assert.deepEqual(seen, ['started', 'ended'])
})

test('a thread that fails to start has ended', async () => {
  const worker = new Worker('throw new Error("No file handle is left.")', { eval: true })
  const causes: unknown[] = []
  const thread = readerThread(worker, {
    onReady: () => {},
    onWrongGuess: () => {},
    onExit: (cause) => causes.push(cause),
  })

  await thread.end()

  assert.match(String(causes), /^Error: No file handle is left\.$/)
})
