import { COUNTS } from './dataset.ts'
import { load, median } from './load.ts'
import { newLists } from './questions.ts'
import { memoryOf, serve } from './server.ts'
import type { Row } from './table.ts'

/** How soon the service answers after it was started, and what memory it takes after ten thousand mixed requests. */
export async function startAndMemory(folder: string, size: number): Promise<readonly Row[]> {
  const starts: number[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const started = await serve(folder)
    starts.push(started.firstAnswerMs)
    await started.stop()
  }
  const served = await serve(folder)
  const lists = newLists(9)
  for (let number = 0; number < 10_000; number += 1) {
    const kinds = [
      () => lists.next().value as string,
      () => `/events/${COUNTS.venues + COUNTS.organizers + 1 + ((number * 7919) % size)}`,
      () => '/events?per_page=50',
      () => `/venues/${1 + (number % COUNTS.venues)}`,
    ]
    await (await fetch(`${served.api}${kinds[number % kinds.length]?.()}`)).arrayBuffer()
  }
  await load(`${served.api}/events?per_page=50`, { seconds: 2 })
  const { now } = await memoryOf(served.pid)
  await served.stop()
  const start = median(starts)
  return [
    {
      section: 'life',
      what: 'first answer after the start',
      events: size,
      figure: `${Math.round(start)} ms`,
      target: '≤ 500 ms',
      isMet: start <= 500,
    },
    {
      section: 'life',
      what: 'memory after 10,000 requests',
      events: size,
      figure: `${Math.round(now)} MB`,
      target: '≤ 250 MB',
      isMet: now <= 250,
    },
  ]
}
