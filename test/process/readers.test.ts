import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { isOnPostgres } from '../support/database.ts'
import { adminPassword } from '../support/service.process.ts'
import { startShell } from '../support/shell.ts'

// A process with reader threads ends like one without. A thread that is ended inside the database
// may abort the process.

const environment = { DATABASE_URL: '', ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'error', READERS: '2' }
const options = { timeout: 120_000, skip: isOnPostgres() && 'There are no reader threads on PostgreSQL.' }

test('a signal while reader threads start, or work, ends the process as usual', options, async (t) => {
  const shell = await startShell(t)
  for (const searches of [0, 1, 8, 32]) {
    const { child, api, errors } = await shell.serve([], { ...environment, SHUTDOWN_TIMEOUT: '30' })
    const ended = once(child, 'close')
    const asked = Array.from({ length: searches }, (_, number) =>
      fetch(`${api}/events?search=word${number}&per_page=60`, { headers: { connection: 'close' } }).then(
        ({ status }) => status,
        () => undefined,
      ),
    )
    if (searches > 8) await asked[0]
    child.kill('SIGTERM')

    assert.deepEqual([await ended, errors()], [[0, null], ''])
    for (const status of await Promise.all(asked)) assert.ok([200, 503, undefined].includes(status), String(status))
  }
})

const source = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href)
const thread = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Database = require('better-sqlite3')
  import(workerData.module).then(({ nativeCallsOf }) => {
    const calls = nativeCallsOf(workerData.memory)
    const statement = new Database(':memory:').prepare(workerData.text)
    calls.loaded()
    parentPort.postMessage({ kind: 'ready' })
    for (;;) {
      calls.run(() => {
        Atomics.store(workerData.place, 0, 1)
        statement.all()
        Atomics.store(workerData.place, 0, 0)
      })
    }
  })`
const text = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) select i, hex(i) from n'

/** Ends the process while a thread is in the database all the time, and prints whether it still was at the very end. */
const program = `
  const { Worker } = await import('node:worker_threads')
  const { watchNativeCalls } = await import(${source('base/concurrency/native.calls.ts')})
  const { readerThread } = await import(${source('access/readers/reader.thread.ts')})
  const nativeCalls = watchNativeCalls()
  const { memory } = nativeCalls
  const place = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { memory, place, module: ${source('base/concurrency/native.calls.ts')}, text: ${JSON.stringify(text)} }
  const worker = new Worker(${JSON.stringify(thread)}, { eval: true, execArgv: [], workerData })
  const end = () => setTimeout(() => process.exit(7), 20)
  readerThread({ worker, nativeCalls }, { onReady: end, onExit: () => process.exit(1), onWrongGuess: end })
  process.on('exit', () => console.log(Atomics.load(place, 0) === 1 ? 'in a call' : 'between calls'))`

test('a process that exits by itself waits until no thread is in the database', options, async () => {
  const child = execFile(process.execPath, ['--input-type=module', '--eval', program])
  let out = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })

  assert.deepEqual(await once(child, 'close'), [7, null])
  assert.equal(out, 'between calls\n')
})
