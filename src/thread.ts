import { workerData } from 'node:worker_threads'
import { nativeCallsOf } from './base/concurrency/native.calls.ts'

// Starts a reader thread.

// From here on, the thread can be ended while it loads the rest, which is most of a start.
const { loadDriver } = await import('./storage/database/sqlite/native.ts')
loadDriver()
nativeCallsOf(workerData.nativeCallsMemory).loaded()
// Node 24 has no Temporal, and a thread does not have that of the main thread.
if (!globalThis.Temporal) await import('temporal-polyfill/global')
await import('./reader.ts')
