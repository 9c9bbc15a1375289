import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { inTurns, percentile } from './load.ts'
import { memoryOf, secret, serve } from './server.ts'
import type { Row } from './table.ts'
import { describe } from './texts.ts'

const program = fileURLToPath(new URL('../../bin/cal-events.mjs', import.meta.url))
const writers = fileURLToPath(new URL('writers.ts', import.meta.url))
const run = promisify(execFile)
const writesPerTurn = 3000
const clients = 64
/** The pause of a reader between its requests. Without one, it would take a good part of the process. */
const readerPauseMs = 20

/**
 * Measures the creation of events by many clients, each answered when its event is durable, against bare inserts, one
 * per commit.
 */
export async function createdEvents(folder: string): Promise<readonly Row[]> {
  const served = await serve(folder, { ADMIN_USER: 'bench', ADMIN_PASSWORD: secret })
  const { bare, insert } = openBare(join(folder, 'bare.sqlite'))
  let written = 0
  /** Returns the seconds to create this many events, from a separate process. */
  const create = async (count: number) => {
    const { stdout } = await run(process.execPath, [writers, served.api, `${written}`, `${count}`, `${clients}`])
    written += count
    return Number(stdout)
  }
  const readerWaits: number[] = []
  try {
    await create(200)
    const { ratio, ours } = await inTurns(
      async () => {
        let isOver = false
        const reading = (async () => {
          while (!isOver) {
            const askedAtMs = performance.now()
            await (await fetch(`${served.api}/venues?per_page=1&unused=${askedAtMs}`)).arrayBuffer()
            readerWaits.push(performance.now() - askedAtMs)
            await wait(readerPauseMs)
          }
        })()
        const seconds = await create(writesPerTurn)
        isOver = true
        await reading
        return writesPerTurn / seconds
      },
      async () => {
        const beganAtMs = performance.now()
        const { content } = describe('en', 1)
        for (let count = 0; count < writesPerTurn; count += 1) insert.run(`Event ${count}`, content)
        return writesPerTurn / ((performance.now() - beganAtMs) / 1000)
      },
    )
    const p99 = percentile(readerWaits, 0.99)
    return [
      {
        section: 'writes',
        what: `events created, ${clients} clients`,
        events: 0,
        figure: `${Math.round(ours)} /s`,
        ratio: `${ratio.toFixed(2)} × bare inserts`,
        target: '≥ 1.0 ×',
        isMet: ratio >= 1,
      },
      {
        section: 'writes',
        what: 'a reader meanwhile, p99',
        events: 0,
        figure: `${p99.toFixed(1)} ms`,
        target: '≤ 20 ms',
        isMet: p99 <= 20,
      },
    ]
  } finally {
    bare.close()
    await served.stop()
  }
}

const pageSize = 50

/** Measures the import of a recorded calendar of this size. */
export async function importedEvents(folder: string, size: number): Promise<readonly Row[]> {
  // A calendar is recorded page by page.
  const files: string[] = []
  for (let first = 1; first <= size; first += pageSize) {
    const file = join(folder, `page-${files.length + 1}.json`)
    await writeFile(file, JSON.stringify({ events: recordedEvents(first, Math.min(size, first + pageSize - 1)) }))
    files.push(file)
  }
  const environment = { PATH: process.env.PATH, DATA_DIR: join(folder, 'imported'), LOG_LEVEL: 'error' }
  await run(process.execPath, [program, 'migrate'], { env: environment })
  await run(process.execPath, [program, 'user', 'add', 'bench', '--role', 'administrator'], {
    env: environment,
  })
  const beganAtMs = performance.now()
  const child = spawn(process.execPath, [program, 'import', 'tec', ...files, '--author', 'bench', '--quiet'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  let most = 0
  const watch = setInterval(async () => {
    most = Math.max(most, (await memoryOf(child.pid ?? 0).catch(() => ({ most: 0 }))).most)
  }, 250)
  const [code] = await ended
  clearInterval(watch)
  if (code !== 0) throw new Error(`The import ended with ${code}.`)
  const seconds = (performance.now() - beganAtMs) / 1000
  const floor = bareInserts(join(folder, 'bare.sqlite'), size)
  return [
    {
      section: 'import',
      what: 'import',
      events: size,
      figure: `${seconds.toFixed(1)} s`,
      ratio: `${(seconds / floor).toFixed(0)} × bare inserts, a hundred to the commit`,
      target: '≤ 40 s per 100,000',
      isMet: seconds <= (40 * size) / 100_000,
    },
    {
      section: 'import',
      what: 'import, memory',
      events: size,
      figure: `${Math.round(most)} MB`,
      target: '< 500 MB',
      isMet: most < 500,
    },
  ]
}

/** Returns the seconds to insert one row for each event, in as many commits as an import makes. */
function bareInserts(file: string, size: number): number {
  const { bare, insert } = openBare(file)
  const { content } = describe('en', 1)
  const beganAtMs = performance.now()
  for (let count = 0; count < size; count += 100) {
    bare.transaction(() => {
      for (let number = 0; number < 100; number += 1) insert.run(`Event ${count + number}`, content)
    })()
  }
  bare.close()
  return (performance.now() - beganAtMs) / 1000
}

function openBare(file: string) {
  const bare = new Database(file)
  bare.pragma('journal_mode = wal')
  bare.pragma('synchronous = full')
  bare.exec('create table if not exists inserted (id integer primary key, title text, content text)')
  return { bare, insert: bare.prepare('insert into inserted (title, content) values (?, ?)') }
}

/** Returns events as the original interface sends them, with the properties that an import reads. */
function recordedEvents(first: number, last: number): readonly object[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index
    const { title, content, excerpt } = describe('en', number % 5000)
    const day = `20${String(19 + (number % 14)).padStart(2, '0')}-${String(1 + (number % 12)).padStart(2, '0')}-${String(1 + (number % 28)).padStart(2, '0')}`
    const venue = 1_000_000 + (number % 2000)
    return {
      id: number,
      global_id: `source.example?id=${number}`,
      status: 'publish',
      title: `${title} ${number}`,
      description: content,
      excerpt,
      slug: `event-${number}`,
      date_utc: '2019-01-01 00:00:00',
      modified_utc: '2019-01-01 00:00:00',
      start_date: `${day} 19:00:00`,
      end_date: `${day} 21:00:00`,
      timezone: 'America/Toronto',
      all_day: false,
      cost: '15',
      website: '',
      venue: {
        id: venue,
        global_id: `source.example?id=${venue}`,
        venue: `Hall ${venue}`,
        slug: `hall-${venue}`,
        status: 'publish',
      },
      organizer: [],
      categories: [
        {
          id: 1 + (number % 60),
          name: `Category ${number % 60}`,
          slug: `category-${number % 60}`,
          taxonomy: 'cal_events_cat',
        },
      ],
      tags: [],
    }
  })
}
