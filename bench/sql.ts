import Database from 'better-sqlite3'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { openDeps } from '../src/main.ts'
import { median } from './load.ts'
import { newLists } from './questions.ts'
import type { Row } from './table.ts'

/** What new lists take in the service, against their own statements run bare on the driver, in this process. */
export async function againstSql(folder: string, size: number, count = 400): Promise<readonly Row[]> {
  const asked: { readonly text: string; readonly parameters: readonly unknown[] }[] = []
  const config = readConfig({
    DATA_DIR: folder,
    SITE_TIMEZONE: 'America/Toronto',
    LOG_LEVEL: 'silent',
    CACHE_MEGABYTES: '0',
  })
  const deps = await openDeps(config, { onQuery: (text, parameters) => asked.push({ text, parameters }) })
  const server = createApp(deps)
  const bare = new Database(`${folder}/calendar.sqlite`, { readonly: true })
  bare.pragma('cache_size = -65536')
  const prepared = new Map<string, Database.Statement>()
  const statement = (text: string) => {
    const known = prepared.get(text) ?? bare.prepare(text)
    prepared.set(text, known)
    return known
  }
  const ratios: number[] = []
  try {
    const lists = newLists(4)
    for (let number = 0; number < count; number += 1) {
      asked.length = 0
      const beganAtMs = performance.now()
      await server.inject({ url: `/cal/events/v1${lists.next().value}` })
      const ours = performance.now() - beganAtMs
      const statements = asked.map(({ text, parameters }) => ({ run: statement(text), parameters }))
      const floorBeganAtMs = performance.now()
      for (const { run, parameters } of statements) run.all(...parameters)
      // The first ones compile what is run later.
      if (number >= count / 4) ratios.push(ours / (performance.now() - floorBeganAtMs))
    }
  } finally {
    bare.close()
    await server.close()
    await deps.pictures.workshop.close()
    await deps.storage.close()
  }
  const ratio = median(ratios)
  return [
    {
      section: 'new',
      what: 'new lists, against their SQL',
      events: size,
      figure: '',
      ratio: `${ratio.toFixed(2)} × bare SQL`,
      target: '≤ 3 ×',
      isMet: ratio <= 3,
    },
  ]
}
