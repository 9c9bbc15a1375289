import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { openDeps } from '../../src/main.ts'
import type { Dataset } from './dataset.ts'
import { median } from './load.ts'
import { newLists } from './queries.ts'
import { opened, withSeries } from './series.data.ts'
import type { Row } from './table.ts'

/** A calendar that answers in this process. */
interface Answering {
  /** Returns the processor time of an answer in milliseconds, which other programs hardly change. */
  time(path: string): Promise<number>
  close(): Promise<void>
}

async function answering(folder: string): Promise<Answering> {
  const config = readConfig({
    ...{ DATA_DIR: folder, SITE_TIMEZONE: 'America/Toronto', LOG_LEVEL: 'silent', CACHE_MEGABYTES: '0' },
  })
  const deps = await openDeps(config)
  const server = createApp(deps)
  return {
    time: async (path) => {
      const before = process.cpuUsage()
      const { statusCode, body } = await server.inject({ url: `/cal/events/v1${path}` })
      if (![200, 404].includes(statusCode)) throw new Error(body)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    },
    close: async () => {
      await server.close()
      await deps.pictures.imageWorker.close()
      await deps.storage.close()
    },
  }
}

/** Lists of each form. */
const count = 300
/** How the same list is asked for, of which calendar. */
const KINDS = ['without series', 'each', 'next'] as const

/**
 * Measures lists of a calendar in which 30 % of the events are dates of series, against the same calendar without
 * series, and lists of next dates against lists of each date.
 */
export async function listsWithSeries(place: Dataset): Promise<readonly Row[]> {
  const folder = await withSeries(place)
  await opened(place.folder)
  const plain = await answering(place.folder)
  const series = await answering(folder)
  const times: Record<string, Record<(typeof KINDS)[number], number[]>> = {}
  try {
    const lists = newLists(7)
    for (let number = 0; number < count; number += 1) {
      const path = String(lists.next().value)
      const form = /[?&](?:categories|tags|venue|organizer|featured)=/.test(path) ? 'with filters' : 'without filters'
      times[form] ??= { 'without series': [], each: [], next: [] }
      const asked: Readonly<Record<(typeof KINDS)[number], () => Promise<number>>> = {
        'without series': () => plain.time(path),
        each: () => series.time(path),
        next: () => series.time(`${path}&occurrences=next`),
      }
      const took = { 'without series': 0, each: 0, next: 0 }
      // Each has the caches of the processor after each other one.
      for (const kind of number % 2 === 0 ? KINDS : KINDS.toReversed()) took[kind] = await asked[kind]()
      // The first quarter is a warm-up, in which the code is compiled.
      if (number >= count / 4) for (const kind of KINDS) times[form][kind].push(took[kind])
    }
  } finally {
    await plain.close()
    await series.close()
  }
  return Object.entries(times).flatMap(([form, of]) => rowsOf(form, place.size, of))
}

function rowsOf(form: string, events: number, of: Readonly<Record<(typeof KINDS)[number], number[]>>): readonly Row[] {
  const compared = (kind: (typeof KINDS)[number], floor: (typeof KINDS)[number], most: number): Row => {
    const [time, floorTime] = [median(of[kind]), median(of[floor])]
    const ratio = time / floorTime
    return {
      ...{ section: 'series', what: `lists ${form}, ${kind}, against ${floor}`, events, milliseconds: time },
      ...{ figure: `${time.toFixed(2)} ms`, ratio: `${ratio.toFixed(2)} × ${floorTime.toFixed(2)} ms` },
      ...{ target: `≤ ${most} ×`, isMet: ratio <= most },
    }
  }
  return [compared('each', 'without series', 1.05), compared('next', 'each', 2)]
}
