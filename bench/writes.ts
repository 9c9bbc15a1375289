import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { inTurns, percentile } from './load.ts'
import { authorization, memoryOf, secret, serve } from './server.ts'
import type { Row } from './table.ts'
import { describe } from './texts.ts'

const program = fileURLToPath(new URL('../bin/cal-events.mjs', import.meta.url))
const writesPerTurn = 1500
const clients = 64

/** Creating events with many clients, each answered when its event is durable, against bare inserts, one per commit. */
export async function createdEvents(folder: string): Promise<readonly Row[]> {
  const served = await serve(folder, { ADMIN_USER: 'bench', ADMIN_PASSWORD: secret })
  const bare = new Database(join(folder, 'bare.sqlite'))
  bare.pragma('journal_mode = wal')
  bare.pragma('synchronous = full')
  bare.exec('create table if not exists inserted (id integer primary key, title text, content text)')
  const insert = bare.prepare('insert into inserted (title, content) values (?, ?)')
  let number = 0
  const create = async () => {
    number += 1
    const { title, content } = describe('en', number % 1000)
    const body = {
      title: `${title} ${number}`,
      description: content,
      start_date: '2027-05-06 19:00',
      end_date: '2027-05-06 21:00',
    }
    const answer = await fetch(`${served.api}/events`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(`An event is answered with ${answer.status}.`)
  }
  const readerWaits: number[] = []
  try {
    await together(200, create)
    const { ratio, ours } = await inTurns(
      async () => {
        const beganAtMs = performance.now()
        let isOver = false
        const reading = (async () => {
          while (!isOver) {
            const askedAtMs = performance.now()
            await (await fetch(`${served.api}/venues?per_page=1&unused=${askedAtMs}`)).arrayBuffer()
            readerWaits.push(performance.now() - askedAtMs)
          }
        })()
        await together(writesPerTurn, create)
        isOver = true
        await reading
        return writesPerTurn / ((performance.now() - beganAtMs) / 1000)
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

async function together(count: number, work: () => Promise<void>): Promise<void> {
  let left = count
  const one = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: clients }, one))
}

/** The import of a recorded calendar of this size. */
export async function importedEvents(folder: string, size: number): Promise<readonly Row[]> {
  const file = join(folder, 'recorded.json')
  await writeFile(file, JSON.stringify({ events: recordedEvents(size), total: size, total_pages: 1 }))
  const environment = { PATH: process.env.PATH, DATA_DIR: join(folder, 'imported'), LOG_LEVEL: 'error' }
  await promisify(execFile)(process.execPath, [program, 'migrate'], { env: environment })
  await promisify(execFile)(process.execPath, [program, 'user', 'add', 'bench', '--role', 'administrator'], {
    env: environment,
  })
  const beganAtMs = performance.now()
  const child = spawn(process.execPath, [program, 'import', 'tec', file, '--author', 'bench', '--quiet'], {
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
  return [
    {
      section: 'import',
      what: 'import',
      events: size,
      figure: `${seconds.toFixed(1)} s`,
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

/** Events as a calendar of the original interface answers them, as far as an import reads them. */
function recordedEvents(size: number): readonly object[] {
  return Array.from({ length: size }, (_, index) => {
    const number = index + 1
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
