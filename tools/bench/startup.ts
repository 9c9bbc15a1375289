import { COUNTS } from './dataset.ts'
import { inTurns, load } from './load.ts'
import { newLists } from './queries.ts'
import { memoryOf, type Served, serve, serveBare } from './server.ts'
import type { Row } from './table.ts'

const list = '/cal/events/v1/events?per_page=50'

/** Measures how soon the service answers after its start, and its memory after ten thousand mixed requests. */
export async function startAndMemory(folder: string, size: number): Promise<readonly Row[]> {
  return [
    await startOfService(folder, size),
    await memory(folder, size, { what: 'memory after 10,000 requests', maxMegabytes: 350 }),
    await memory(folder, size, {
      what: 'memory after 10,000 requests, without reader threads',
      maxMegabytes: 250,
      environment: { READERS: '0' },
    }),
  ]
}

async function startOfService(folder: string, size: number): Promise<Row> {
  const served = await serve(folder)
  const startOf = async (start: () => Promise<Served>) => {
    const started = await start()
    await started.stop()
    return started.firstAnswerMs
  }
  const start = await inTurns(
    () => startOf(() => serve(folder)),
    () => startOf(() => serveBare(served.origin, [list])),
    5,
  )
  await served.stop()
  return {
    section: 'life',
    what: 'first answer after the start',
    events: size,
    figure: `${Math.round(start.ours)} ms`,
    ratio: `${start.ratio.toFixed(1)} × bare`,
    target: '≤ 500 ms',
    isMet: start.ours <= 500,
  }
}

interface MemoryGoal {
  readonly what: string
  readonly maxMegabytes: number
  readonly environment?: Readonly<Record<string, string>>
}

async function memory(folder: string, size: number, { what, maxMegabytes, environment }: MemoryGoal): Promise<Row> {
  const served = await serve(folder, environment)
  const bare = await serveBare(served.origin, [list])
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
  await load(served.origin, [list], { seconds: 2 })
  await load(bare.origin, [list], { seconds: 2 })
  const { now } = await memoryOf(served.pid)
  const { now: floor } = await memoryOf(bare.pid)
  await served.stop()
  await bare.stop()
  return {
    section: 'life',
    what,
    events: size,
    figure: `${Math.round(now)} MB`,
    ratio: `${(now / floor).toFixed(1)} × bare`,
    target: `≤ ${maxMegabytes} MB`,
    isMet: now <= maxMegabytes,
  }
}
