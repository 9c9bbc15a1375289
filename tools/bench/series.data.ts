import { existsSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { readConfig } from '../../src/base/config/config.ts'
import { openDeps } from '../../src/main.ts'
import type { Dataset } from './dataset.ts'

/** The share of the events that are dates of series, and the number of series that take place in the same weeks. */
const [share, atOnce] = [0.3, 40]
/** The dates of a series. */
const maxDates = 109

/** Returns a copy of a calendar in which events are dates of series. Nothing else differs. Creates it if missing. */
export async function withSeries({ folder, size }: Dataset): Promise<string> {
  const copy = `${folder}-series`
  if (existsSync(copy)) return copy
  const making = `${copy}.making`
  await rm(making, { recursive: true, force: true })
  await cp(folder, making, { recursive: true })
  await opened(making)
  makeSeries(join(making, 'calendar.sqlite'), size)
  await opened(making)
  await rename(making, copy)
  return copy
}

/** Opens a calendar and closes it: that migrates it, and updates what is derived. */
export async function opened(folder: string): Promise<void> {
  const deps = await openDeps(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }))
  await deps.storage.close()
}

function makeSeries(file: string, size: number): void {
  const db = new Database(file)
  db.pragma('synchronous = off')
  db.pragma('foreign_keys = off')
  const events = db
    .prepare<[number], { readonly id: number; readonly start: string; readonly language: string }>(
      `select id, start_local as start, language from records join events on record_id = id
        where group_id is null and id * 7919 % 1000 < ? order by start_local, id`,
    )
    // A fifth of the events are in groups of translations.
    .all(Math.round((share / 0.8) * 1000))
  const insertSeries =
    db.prepare(`insert into records (id, kind, status, slug, title, title_folded, title_html, content,
      content_html, excerpt, excerpt_html, author_id, language, created_at, modified_at, dated_at, is_dated, search_text)
    values (?, 'series', 'publish', ?, 'x', 'x', 'x', '', '', '', '', 1, 'en', 0, 0, 0, 1, '')`)
  const insertState = db.prepare(`insert into series_state values (?, '2040-01-01 00:00:00', 0, 0)`)
  const insertDate = db.prepare(`insert into occurrences (event_id, series_id, recurrence_id, path, language)
    values (?, ?, ?, ?, ?)`)
  const known = new Set<number>()
  db.transaction(() => {
    events.forEach(({ id, start, language }, place) => {
      const round = Math.floor(place / (atOnce * maxDates))
      const series = 10_000_000 + size + round * atOnce + (place % atOnce)
      if (!known.has(series)) {
        known.add(series)
        insertSeries.run(series, `series-${series}`)
        insertState.run(series)
      }
      insertDate.run(id, series, `${start} ${id}`, `series-${series}/${id}`, language)
    })
  })()
  db.close()
}
