import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fail, type Problem } from '../../base/problems.ts'
import type { ForeignCalendar } from './foreign.records.ts'
import type { CalendarReading } from './ics.events.ts'
import type { SitePage } from './jsonld.ts'

/** A calendar (RFC 5545), or pages that tell search engines about their events. */
export type CalendarContent = Uint8Array | readonly SitePage[]

/** What the thread reads. */
export interface CalendarTask {
  readonly content: CalendarContent
  readonly reading: CalendarReading
}

/** What the thread found, or why it refuses the file. */
export type CalendarAnswer =
  | { readonly calendar: ForeignCalendar }
  | { readonly problem: readonly [code: Problem['code'], text: Problem['text']] }

const thread = new URL(`calendar.thread${extname(import.meta.filename)}`, import.meta.url)
const resourceLimits = { maxOldGenerationSizeMb: 512 }
const maxReadingMs = 30_000

/**
 * Reads a calendar of others in a thread of its own: a few lines can hold a rule that is followed forever.
 *
 * @throws not-a-calendar, rest_request_too_large, also if it takes too much time or memory
 */
export async function readCalendar(
  content: CalendarContent,
  reading: CalendarReading,
  timeoutMs = maxReadingMs,
): Promise<ForeignCalendar> {
  const workerData: CalendarTask = { content, reading }
  const worker = new Worker(thread, { workerData, resourceLimits, name: 'calendar' })
  // Also after the time is over, when nothing waits for it: an error that nothing hears would end the process.
  worker.on('error', () => {})
  try {
    const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [CalendarAnswer]
    if ('calendar' in answer) return answer.calendar
    const [code, text] = answer.problem
    return fail(code, { text })
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException
    if (name !== 'AbortError' && code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    return fail('rest_request_too_large', { text: 'rest_request_too_large.calendar.slow', cause: error })
  } finally {
    await worker.terminate()
  }
}
