import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../../base/problems.ts'
import type { CalendarAnswer, CalendarTask } from './calendar.reading.ts'

// The thread in which a calendar of others is read.

// Node 24 has no Temporal, and a thread does not have that of the main thread.
if (!globalThis.Temporal) await import('temporal-polyfill/global')
const { parseCalendar } = await import('./ics.events.ts')
const { parsePages } = await import('./jsonld.ts')

const { content, reading } = workerData as CalendarTask
const read = async () =>
  content instanceof Uint8Array ? parseCalendar(content, reading) : parsePages(content, reading)
parentPort?.postMessage(
  await read().then(
    (calendar): CalendarAnswer => ({ calendar }),
    (error: unknown): CalendarAnswer => {
      if (error instanceof Problem) return { problem: [error.code, error.text] }
      throw error
    },
  ),
)
