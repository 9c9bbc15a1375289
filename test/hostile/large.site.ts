import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { openDeps } from '../../src/main.ts'
import { COUNTS, datasetOf } from '../../tools/bench/dataset.ts'
import { dearValues } from '../../tools/bench/dear.values.ts'
import type { LargeSite } from './target.ts'

export interface LargeSiteOptions {
  /** Where the benchmarks keep their calendars. */
  readonly data: string
  readonly size: number
  readonly settings: Readonly<Record<string, string>>
}

/** Starts a site on a copy of a calendar of the benchmarks, on SQLite. */
export async function startLargeSite(
  t: { after(end: () => unknown): void },
  { data, size, settings }: LargeSiteOptions,
): Promise<LargeSite> {
  const { folder } = await datasetOf(size, resolve(data))
  const copy = await mkdtemp(join(tmpdir(), 'cal-events-fuzz-'))
  await cp(folder, copy, { recursive: true })
  const config = readConfig({
    DATA_DIR: copy,
    SITE_TIMEZONE: 'America/Toronto',
    PUBLIC_URL: 'https://calendar.example.org',
    ...settings,
  })
  const deps = await openDeps(config)
  const server = createApp(deps)
  t.after(async () => {
    await server.close()
    await deps.pictures.imageWorker.close()
    await deps.streets.close()
    await deps.storage.close()
    await rm(copy, { recursive: true })
  })
  const firstEvent = COUNTS.venues + COUNTS.organizers + 1
  return {
    ...{ deps, server, isLarge: true },
    known: { ...dearValues({ size, firstEvent }), id: [1, 61, firstEvent - 1, firstEvent, firstEvent + 8] },
  }
}
