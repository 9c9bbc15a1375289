import { parentPort, workerData } from 'node:worker_threads'
import type { Deps } from './access/deps.ts'
import type { ReadTask } from './access/readers/reader.messages.ts'
import { serveReads, tellMainThread } from './access/readers/reader.serving.ts'
import type { ReaderData } from './access/readers/readers.ts'
import { dispatch } from './access/server/dispatch.ts'
import { answerRoutedRead } from './access/server/namespace.serving.ts'
import { apiOf, serviceNamespaces } from './api.ts'
import { nativeCallsOf } from './base/concurrency/native.calls.ts'
import { cacheBudgets, readConfig } from './base/config/config.ts'
import { assertNoWait, createLimits } from './base/limits/limits.ts'
import { openMonitoring } from './base/monitoring/monitoring.ts'
import { derivationsFor } from './calendar/derivations.ts'
// A thread makes pages, so it loads what makes them before its first job.
import './publish/pages/page.answers.ts'
import type { PageFiles } from './publish/pages/frame/page.ts'
import { openSqliteReader } from './storage/database/sqlite/reader.ts'
import { createImageWorker } from './storage/pictures/image.worker.ts'
import { openPictureStore } from './storage/pictures/picture.open.ts'
import { createStreets } from './storage/tiles/streets.ts'

// A reader thread: the same routes and pages as in the main thread, with a handle of its own that only reads.

const port = parentPort
if (!port) throw new Error('This module runs in a thread of the service.')
const { settings, files, isTimed, nativeCallsMemory } = workerData as ReaderData<PageFiles>
const config = readConfig(settings)
const nativeCalls = nativeCallsOf(nativeCallsMemory)
const { onQueryEnd, report, countWrongGuess } = tellMainThread(port)
const storage = openSqliteReader(config.databaseFile, {
  ...{ derivations: derivationsFor(config), readCacheBytes: cacheBudgets(config).linked, nativeCalls },
  onQueryEnd: isTimed ? onQueryEnd : undefined,
})
const refuse = async () => {
  throw new Error('A reader thread downloads nothing.')
}
const limits = createLimits(config)
const deps: Deps = {
  ...{ config, storage, limits, now: () => 0 },
  pictures: { store: await openPictureStore(config.media), imageWorker: createImageWorker(0) },
  streets: createStreets(config),
  fetchOutbound: refuse,
  fetchDocument: refuse,
  links: { check: refuse, isKnown: () => false },
  // The main thread monitors: it gets all that this thread notes.
  monitoring: await openMonitoring({ ...config, metricsToken: undefined, metricsFrom: undefined }, { environment: {} }),
}

/** Returns the dependencies for one read: its time, and the guesses of passwords, which the main thread counts. */
function depsFor({ second, guessWaitSeconds }: ReadTask): Deps {
  const eventPasswords = {
    waitSeconds: () => guessWaitSeconds,
    assertAllowed: () => assertNoWait(guessWaitSeconds),
    countWrongGuess,
  }
  return { ...deps, now: () => second, limits: { ...limits, eventPasswords } }
}

serveReads(port, async (task) => {
  const own = depsFor(task)
  const api = apiOf(own, { files: async () => files, report })
  if (typeof task.target === 'object')
    return answerRoutedRead({ deps: own, namespaces: serviceNamespaces, report }, task.request, task.target)
  const page = task.target === 'page' ? await api.pages?.(own, task.request) : undefined
  return page ?? dispatch(own, api, task.request)
})
