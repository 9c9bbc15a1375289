import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadOrder } from '../../src/access/readers/reader.messages.ts'
import { readerThread } from './reader.thread.ts'

// A reader thread that a test can hold or end. A read whose query has `hold=NAME` waits, as a long statement would, until
// the file NAME exists in the data folder. It creates the file `NAME.held` first.

const folder = String(workerData.settings.DATA_DIR)
const never = new Int32Array(new SharedArrayBuffer(4))

function hold(name: string): void {
  writeFileSync(join(folder, `${name}.held`), '')
  while (!existsSync(join(folder, name))) Atomics.wait(never, 0, 0, 5)
}

parentPort?.on('message', (order: ThreadOrder) => {
  if (order.kind !== 'job' || order.job.kind !== 'answer') return
  const query = new URLSearchParams(order.job.task.request.query)
  if (query.has('crash')) process.exit(1)
  const name = query.get('hold')
  if (name !== null) hold(name)
})

await import(readerThread.href)
