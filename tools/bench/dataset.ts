import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createUser } from '../../src/access/auth/user.service.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { fold } from '../../src/base/text/fold.ts'
import { localDateTimeFromSeconds } from '../../src/base/time/local.date.time.ts'
import { epochSecondsOf, parseZone, utcZone } from '../../src/base/time/zone.ts'
import { valueFields } from '../../src/calendar/events/model/event.fields.ts'
import { renderTexts } from '../../src/calendar/events/model/texts.ts'
import { openDeps } from '../../src/main.ts'
import { randomFrom } from './random.ts'
import { describe, wordsOf } from './texts.ts'

// A calendar of any size, the same at every run: 15 years around the current one. 98 of 100 events are shorter than a
// day, some last several days, a few hundreds of days. A tenth are translated. Venues, terms and featured events are
// distributed as in a city.

export const COUNTS = { venues: 2000, organizers: 500, categories: 60, tags: 800 } as const
/** The first and the last year of the data, independent of the current date. Date filters are chosen within them. */
export const YEARS = { first: 2019, last: 2033 } as const

const zone = parseZone('America/Toronto') ?? utcZone
const daySeconds = 86_400
const formatOfData = 4

export interface Dataset {
  readonly folder: string
  readonly size: number
}

/** Returns the data set of this size. Creates it if it does not exist. */
export async function datasetOf(size: number, root: string): Promise<Dataset> {
  const folder = join(root, `events-${size}-v${formatOfData}`)
  if (existsSync(folder)) return { folder, size }
  const making = `${folder}.making`
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { recursive: true })
  const config = readConfig({ DATA_DIR: making, SITE_TIMEZONE: zone.name, LOG_LEVEL: 'silent' })
  const first = await openDeps(config)
  await createUser(first, { name: 'bench', role: 'administrator', secret: 'benchbenchbenchbenchbench' })
  await first.storage.close()
  const startedAt = performance.now()
  fill(join(making, 'calendar.sqlite'), size)
  // Opening the database updates the event index.
  const second = await openDeps(config)
  await second.storage.close()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  process.stderr.write(`Made ${size} events in ${seconds} s.\n`)
  await rename(making, folder)
  return { folder, size }
}

function fill(file: string, size: number): void {
  const db = new Database(file)
  db.pragma('synchronous = off')
  db.pragma('foreign_keys = off')
  // In KiB. Derived tables and trigrams are written all over the file.
  db.pragma('cache_size = -2000000')
  const random = randomFrom(20_261_121)
  const below = (count: number) => Math.floor(random() * count)
  /** Some are chosen far more often than others, as in every city. */
  const popular = (count: number) => Math.floor(count * random() ** 2)
  const insertRecord = db.prepare(
    `insert into records (id, kind, status, slug, title, title_folded, title_html, content, content_html, excerpt,
       excerpt_html, author_id, language, group_id, created_at, modified_at, dated_at, is_dated, search_text)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, 1, ?)`,
  )
  const insertEvent = db.prepare(
    `insert into events (record_id, start_local, end_local, timezone, start_utc, end_utc, is_all_day, cost, show_map,
       show_map_link, is_hidden, is_sticky, is_featured, custom_fields, tickets, has_tickets)
     values (?, ?, ?, '${zone.name}', ?, ?, ?, ?, 1, 1, 0, 0, ?, '{}', '[]', 0)`,
  )
  const writeAll = db.transaction(() => {
    const insertTerm = db.prepare(
      `insert into terms (id, taxonomy, name, name_folded, slug, description, parent_id, language, group_id, event_count)
        values (?, ?, ?, ?, ?, '', ?, 'en', null, 0)`,
    )
    for (let id = 1; id <= COUNTS.categories + COUNTS.tags; id += 1) {
      const isCategory = id <= COUNTS.categories
      const name = `${isCategory ? 'Category' : 'Tag'} ${wordsOf('en', id)} ${id}`
      // A tree of three levels: twelve at the top, each with four below.
      const parent = isCategory && id > 12 ? ((id - 13) % 12) + 1 : 0
      insertTerm.run(id, isCategory ? 'category' : 'tag', name, fold(name), `term-${id}`, parent)
    }
    const insertVenue = db.prepare(
      `insert into venues values (?, ?, ?, 'Canada', 'QC', '', 'QC', ?, '', '', 1, 1, ?, ?)`,
    )
    const insertOrganizer = db.prepare(`insert into organizers values (?, '555-0100', '', ?)`)
    for (let id = 1; id <= COUNTS.venues + COUNTS.organizers; id += 1) {
      const isVenue = id <= COUNTS.venues
      const title = `${isVenue ? 'Hall' : 'Club'} ${wordsOf(id % 2 ? 'en' : 'fr-CA', id)} ${id}`
      const text = renderTexts({ title, content: '', excerpt: '' }, valueFields.blank)
      insertRecord.run(
        ...[id, isVenue ? 'venue' : 'organizer', 'publish', `place-${id}`, title, fold(title), text.titleHtml],
        ...['', '', '', '', 'en', null, 1.5e9, 1.5e9, 1.5e9, text.searchText],
      )
      const latitude = 45.3 + random() * 0.6
      if (isVenue) insertVenue.run(id, `${id} Main Street`, 'Laval', 'H7A 1A1', latitude, -74 + random())
      else insertOrganizer.run(id, `club-${id}@example.org`)
    }
    writeEvents()
    db.exec(`update terms set event_count = (
      select count(distinct coalesce(group_id, id)) from event_terms join records on id = event_id
      where term_id = terms.id)`)
  })
  const linkTerm = db.prepare(`insert into event_terms values (?, ?) on conflict do nothing`)
  const linkVenue = db.prepare(`insert into event_venues values (?, ?, 0)`)
  const linkOrganizer = db.prepare(`insert into event_organizers values (?, ?, 0)`)
  const writeEvents = () => {
    const texts = Array.from({ length: 20_000 }, (_, index) => ({
      en: renderTexts(describe('en', index), valueFields.blank),
      'fr-CA': renderTexts(describe('fr-CA', index), valueFields.blank),
    }))
    const begin = Date.UTC(YEARS.first, 0, 1) / daySeconds / 1000
    const days = Date.UTC(YEARS.last + 1, 0, 1) / daySeconds / 1000 - begin
    const offset = COUNTS.venues + COUNTS.organizers
    for (let number = 1; number <= size; number += 1) {
      const id = offset + number
      // Every tenth event translates the previous one.
      const isTranslation = number % 10 === 0
      const language = isTranslation || number % 3 === 0 ? 'fr-CA' : 'en'
      const group = isTranslation ? id - 1 : number % 10 === 9 ? id : null
      const text = texts[number % texts.length]?.[isTranslation ? 'fr-CA' : number % 10 === 9 ? 'en' : language]
      if (!text) continue
      if (!isTranslation) drawn = { day: begin + below(days), hour: 8 + below(14), length: lengthOf(random) }
      const start = (drawn.day * 24 + drawn.hour) * 3600
      const title = `${text.title} ${number}`
      const dated = start - 30 * daySeconds
      insertRecord.run(
        ...[id, 'event', 'publish', `event-${number}`, title, fold(title), `${text.titleHtml} ${number}`, text.content],
        ...[
          text.contentHtml,
          text.excerpt,
          text.excerptHtml,
          isTranslation ? 'fr-CA' : number % 10 === 9 ? 'en' : language,
        ],
        ...[group, dated, dated, dated, `${fold(title)}\n${text.searchText}`],
      )
      const [from, to] = [localDateTimeFromSeconds(start), localDateTimeFromSeconds(start + drawn.length)]
      insertEvent.run(
        ...[id, from, to, epochSecondsOf(from, zone), epochSecondsOf(to, zone)],
        ...[0, number % 4 === 0 ? '[]' : '["15"]', below(20) === 0 ? 1 : 0],
      )
      linkVenue.run(id, 1 + popular(COUNTS.venues))
      if (below(10) < 8) linkOrganizer.run(id, COUNTS.venues + 1 + popular(COUNTS.organizers))
      linkTerm.run(id, 1 + popular(COUNTS.categories))
      if (below(3) === 0) linkTerm.run(id, 1 + popular(COUNTS.categories))
      for (let tags = below(3); tags > 0; tags -= 1) linkTerm.run(id, 1 + COUNTS.categories + popular(COUNTS.tags))
    }
  }
  let drawn = { day: 0, hour: 0, length: 0 }
  withoutRecording(db, writeAll)
  db.close()
}

/** Runs `work` without audit entries, because no user writes this data. */
function withoutRecording(db: Database.Database, work: () => void): void {
  const triggers = db
    .prepare<[], { readonly name: string; readonly sql: string }>(
      `select name, sql from sqlite_schema where type = 'trigger' and sql like '%audit_pending%'`,
    )
    .all()
  for (const { name } of triggers) db.exec(`drop trigger ${name}`)
  work()
  for (const { sql } of triggers) db.exec(sql)
}

/** Returns the duration of an event in seconds. */
function lengthOf(random: () => number): number {
  const draw = random()
  if (draw < 0.98) return 3600 * (1 + Math.floor(random() * 5))
  if (draw < 0.995) return daySeconds * (1 + Math.floor(random() * 10))
  return daySeconds * (30 + Math.floor(random() * 300))
}
