import { createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listUsers } from '../access/auth/user.repository.ts'
import type { Config } from '../base/config/config.ts'
import { TEXT_LANGUAGE_PATHS, textLanguageOf } from '../base/languages/language.ts'
import { wxrOf } from '../exchange/export/wxr.ts'
import { always } from '../exchange/pull/pull.lists.ts'
import { systemErrorReason } from '../operate/backup/backup.system.errors.ts'
import { calendarIdentity } from '../publish/feeds/feed.identity.repository.ts'
import { withDatabase } from './database.ts'
import { languageFor } from './import.ts'
import { CommandError, EXIT, type OutputOptions, printError, printResult } from './output.ts'
import { type OwnCalendar, ownCalendar } from './own.calendar.ts'
import { progressBar } from './progress.ts'
import { pullFrom, pullInto } from './pull.ts'

export interface ExportFlags extends OutputOptions {
  readonly language?: string
  readonly status?: string
  readonly quiet?: boolean
}

/** Calls `work` with the calendar as an administrator sees it. */
function withCalendar<T>(config: Config, work: (own: OwnCalendar) => Promise<T>): Promise<T> {
  return withDatabase(config, async (deps) => {
    const administrator = (await listUsers(deps.storage.db)).find(({ role }) => role === 'administrator')
    if (!administrator) throw new CommandError(EXIT.failed, 'There is no administrator yet, and nothing to export.')
    // Feeds need it, and a calendar that was never served has none.
    await calendarIdentity(deps.storage)
    return work(ownCalendar(deps, administrator.id))
  })
}

/** What is read of the calendar itself. What has changed since an earlier run is read again. */
const ownFlags = { pause: '0', sinceLast: true } as const

/** Exports the whole calendar into a folder, as “pull tec” does. */
export function exportFolder(config: Config, folder: string, flags: ExportFlags): Promise<number> {
  return withCalendar(config, (own) => pullFrom(own.site.href, { ...flags, ...ownFlags, folder }, own))
}

/** Exports events as one of the feeds of their list. */
export async function exportFeed(
  config: Config,
  { format, file, flags }: { readonly format: 'csv' | 'ics'; readonly file: string; readonly flags: ExportFlags },
): Promise<number> {
  const language = languageFor(config, flags)
  const bar = flags.quiet ? undefined : await progressBar('Exporting events')
  let events = 0
  const onRead = (done: number, total: number) => {
    events = done
    bar?.show(done, total)
  }
  const octets = await withCalendar(config, async ({ site, answer }) => {
    const shown = language ? TEXT_LANGUAGE_PATHS[textLanguageOf(language)] : ''
    const url = new URL(`${config.restPrefix}${shown}/${config.vendorWord}/events/v1/events.${format}`, site)
    const query = { ...always, per_page: '1000000', status: flags.status ?? 'publish' }
    url.search = String(
      new URLSearchParams({
        ...query,
        ...(language ? { [config.languageParameter]: language } : {}),
        ...(format === 'csv' ? { profile: 'tec' } : {}),
      }),
    )
    const { status, body, pieces } = await answer(url, onRead)
    if (status !== 200) throw new CommandError(EXIT.usage, JSON.parse(String(body)).message)
    return writeWhole(file, pieces ?? [body])
  }).finally(() => bar?.stop())
  return told(flags, { file, events, octets })
}

/** Exports the whole calendar as WordPress imports it. */
export async function exportWxr(config: Config, file: string, flags: ExportFlags): Promise<number> {
  const temporary = await mkdtemp(join(tmpdir(), 'cal-events-export-'))
  try {
    return await withCalendar(config, async (own) => {
      const { folder, failures, manifest } = await pullInto(temporary, own.site.href, { ...flags, ...ownFlags, own })
      for (const failure of failures) printError(failure)
      const bar = flags.quiet ? undefined : await progressBar('Writing events')
      const parts = wxrOf(folder, { site: own.site.origin, onProgress: bar?.show })
      const octets = await writeWhole(file, parts).finally(() => bar?.stop())
      const code = told(flags, { file, events: manifest.counts.events ?? 0, octets })
      return failures.length > 0 ? EXIT.failed : code
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Writes a file, which has its name only once it is whole, and returns its size. */
async function writeWhole(
  file: string,
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<number> {
  const part = `${file}.part`
  try {
    await pipeline(Readable.from(parts), createWriteStream(part, { mode: 0o600 }))
    await rename(part, file)
    return (await stat(file)).size
  } catch (error) {
    await rm(part, { force: true })
    const reason = error instanceof Error && 'syscall' in error ? systemErrorReason(error) : undefined
    if (reason === undefined) throw error
    throw new CommandError(EXIT.failed, `${file} cannot be written: ${reason}.`, { cause: error })
  }
}

function told(
  flags: ExportFlags,
  { file, events, octets }: { readonly file: string; readonly events: number; readonly octets: number },
) {
  printResult(flags, { file, events, octets }, `${events} ${events === 1 ? 'event' : 'events'} exported to ${file}.`)
  return EXIT.ok
}
