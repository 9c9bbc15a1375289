import Database from 'better-sqlite3'
import pg from 'pg'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { openDeps } from '../../src/main.ts'
import { median } from './load.ts'
import { newLists } from './queries.ts'
import type { Row } from './table.ts'

type Statement = { readonly text: string; readonly parameters: readonly unknown[] }

/** A database driver without any layer around it. */
interface BareDatabase {
  run(statement: Statement): Promise<unknown>
  close(): Promise<void>
}

function bareSqlite(folder: string): BareDatabase {
  const bare = new Database(`${folder}/calendar.sqlite`, { readonly: true })
  bare.pragma('cache_size = -65536')
  const prepared = new Map<string, Database.Statement>()
  return {
    run: async ({ text, parameters }) => {
      const known = prepared.get(text) ?? bare.prepare(text)
      prepared.set(text, known)
      return known.all(...parameters)
    },
    close: async () => void bare.close(),
  }
}

async function barePostgres(url: string): Promise<BareDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    run: ({ text, parameters }) => client.query(text, [...parameters]),
    close: () => client.end(),
  }
}

/** Measures new lists in the service, against the same statements run directly on the driver, in this process. */
export async function againstSql(
  folder: string,
  size: number,
  { postgres, target = 3, count = 400 }: { postgres?: string; target?: number; count?: number } = {},
): Promise<readonly Row[]> {
  const asked: Statement[] = []
  const config = readConfig({
    DATA_DIR: folder,
    SITE_TIMEZONE: 'America/Toronto',
    LOG_LEVEL: 'silent',
    CACHE_MEGABYTES: '0',
    // Statements of reader threads would not be seen.
    READERS: '0',
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres }),
  })
  const deps = await openDeps(config, { onQuery: (text, parameters) => asked.push({ text, parameters }) })
  const server = createApp(deps)
  const bare = postgres === undefined ? bareSqlite(folder) : await barePostgres(postgres)
  const ratios: number[] = []
  try {
    const lists = newLists(4)
    for (let number = 0; number < count; number += 1) {
      asked.length = 0
      const beganAtMs = performance.now()
      await server.inject({ url: `/cal/events/v1${lists.next().value}` })
      const ours = performance.now() - beganAtMs
      const statements = asked.slice()
      const floorBeganAtMs = performance.now()
      for (const statement of statements) await bare.run(statement)
      // The first quarter is a warm-up, in which the code is compiled.
      if (number >= count / 4) ratios.push(ours / (performance.now() - floorBeganAtMs))
    }
  } finally {
    await bare.close()
    await server.close()
    await deps.pictures.imageWorker.close()
    await deps.storage.close()
  }
  const ratio = median(ratios)
  return [
    {
      section: 'new',
      what: `new lists, against their SQL${postgres === undefined ? '' : ', PostgreSQL'}`,
      events: size,
      figure: '',
      ratio: `${ratio.toFixed(2)} × bare SQL`,
      target: `≤ ${target} ×`,
      isMet: ratio <= target,
    },
  ]
}
