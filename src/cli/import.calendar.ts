import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Actor } from '../access/auth/actor.ts'
import { findUserByLogin, hasAnyUser, listUsers } from '../access/auth/user.repository.ts'
import type { Deps } from '../access/deps.ts'
import type { Config } from '../base/config/config.ts'
import { unreadableReason } from '../base/config/file.faults.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../base/languages/language.ts'
import { deskText, message } from '../base/languages/texts.ts'
import { type FetchedDocument, fetchDocument, OutboundError, type OutboundOptions } from '../base/outbound/outbound.ts'
import { Problem } from '../base/problems.ts'
import { slugFrom } from '../base/text/slug.ts'
import { isSourceName } from '../calendar/sources/source.ts'
import { readTableOfSource } from '../desk/rows/row.source.ts'
import { dayOrders } from '../desk/rows/row.times.ts'
import type { WordedCall } from '../desk/shell/desk.call.ts'
import { readAddress, withinSite } from '../exchange/calendars/calendar.address.ts'
import { importCalendar, presentReport } from '../exchange/calendars/calendar.import.ts'
import { readCalendar } from '../exchange/calendars/calendar.reading.ts'
import type { ForeignCalendar } from '../exchange/calendars/foreign.records.ts'
import type { CalendarReading } from '../exchange/calendars/ics.events.ts'
import { maxCalendarBytes } from '../exchange/calendars/ics.parts.ts'
import type { LineImport } from '../exchange/upsert/line.batch.ts'
import { withDatabase } from './database.ts'
import { type ImportFlags, languageFor, owner } from './import.ts'
import { CommandError, EXIT, printError, printResult } from './output.ts'
import { progressBar } from './progress.ts'

export interface CalendarFlags extends Pick<ImportFlags, 'author' | 'dryRun' | 'quiet' | 'language' | 'json'> {
  readonly source?: string
  readonly status?: string
  readonly category?: string
  readonly force?: boolean
}

const isAddress = (file: string) => /^(?:https?|webcals?):\/\//i.test(file)

/** Imports an iCalendar file, and prints the results. */
export async function importIcs(config: Config, file: string, flags: CalendarFlags): Promise<number> {
  const bytes = isAddress(file) ? await fetched(file, 'text/calendar') : await contentOf(file)
  return importForeign(config, { file, flags }, (reading) => readCalendar(bytes, reading))
}

/** Imports a spreadsheet, and prints the results. */
export async function importCsv(
  config: Config,
  file: string,
  flags: CalendarFlags & { readonly dates?: string },
): Promise<number> {
  const order = dayOrders.find((one) => one === flags.dates)
  if (flags.dates !== undefined && !order) throw new CommandError(EXIT.usage, '--dates must be day or month.')
  const bytes = isAddress(file) ? await fetched(file, 'text/csv') : await contentOf(file)
  const language = languageFor(config, flags) ?? config.defaultLanguage
  const say: WordedCall['say'] = (key, values) => deskText(DEFAULT_TEXT_LANGUAGE, key, values)
  return importForeign(config, { file, flags }, async ({ now, status = 'publish', category }) =>
    readTableOfSource({ config, textLanguage: DEFAULT_TEXT_LANGUAGE, now, say }, bytes, {
      ...{ language, status, category, order },
    }),
  )
}

/** Imports the events that the pages of a site show to search engines, and prints the results. */
export async function importJsonLd(
  config: Config,
  url: string,
  flags: CalendarFlags & { readonly match?: string; readonly pause?: string },
): Promise<number> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new CommandError(EXIT.usage, 'The address of a site begins with https://.')
  }
  const pauseMs = Number(/^\d{1,5}$/.exec(flags.pause ?? '500')?.[0] ?? Number.NaN)
  if (Number.isNaN(pauseMs)) throw new CommandError(EXIT.usage, '--pause must be a number of milliseconds: --pause 500')
  const progress = flags.quiet ? undefined : await progressBar('Reading pages')
  const ask = operatorFetch('text/html, application/xml')
  const fetchPage = async (page: string) => {
    const answer = await ask(page, withinSite(page))
    // A page that is gone hides no others. Sites have only one of several sitemaps.
    if (answer.status !== 200 && !/sitemap/i.test(page)) printError(faultOf(page, answer.status))
    return answer
  }
  const fetch = (page: string) =>
    fetchPage(page).catch((error: unknown) => {
      printError(faultOf(page, error))
      throw error
    })
  const address = { url, fetch, match: flags.match, maxPages: 5000, timeoutMs: Number.POSITIVE_INFINITY, pauseMs }
  const read = async (reading: CalendarReading) => {
    const { status, body: first } = await ask(url).catch((error: unknown) => failFetch(url, error))
    // A home page that hides itself may still have sitemaps.
    if (status !== 200 && new URL(url).pathname !== '/') return failFetch(url, status)
    return readAddress({ ...address, first, onPage: progress?.show }, reading)
  }
  return importForeign(config, { file: url, flags }, (reading) => read(reading).finally(() => progress?.stop()))
}

/** Imports a calendar of others that `read` reads, and prints the results. */
export async function importForeign(
  config: Config,
  { file, flags }: { readonly file: string; readonly flags: CalendarFlags },
  read: (reading: CalendarReading) => Promise<ForeignCalendar>,
): Promise<number> {
  const { dryRun: isDry = false, force: isForced = false, quiet = false, status = 'publish', category } = flags
  const source = flags.source ?? sourceOf(file)
  if (!isSourceName(source))
    throw new CommandError(EXIT.usage, '--source must have lowercase letters, digits and hyphens.')
  if (!['publish', 'pending', 'draft'].includes(status)) {
    throw new CommandError(EXIT.usage, '--status must be publish, pending or draft.')
  }
  const language = languageFor(config, flags) ?? config.defaultLanguage
  const progress = quiet ? undefined : await progressBar('Importing')
  const undo: NonNullable<LineImport['undo']> = { id: undefined, made: new Set() }
  const report = await withDatabase(config, async (deps) => {
    const calendar = await readOrFail(file, () =>
      read({ siteZone: config.siteZone, now: deps.now(), status, category }),
    )
    const actor = await actorFor(deps, flags)
    const work = {
      deps,
      actor,
      source,
      language,
      isDry,
      isForced,
      undo,
      ...(progress && { onProgress: progress.show }),
    }
    return importCalendar(work, calendar)
  }).finally(() => progress?.stop())
  const told = presentReport(report, DEFAULT_TEXT_LANGUAGE, isDry)
  for (const { place, title, text } of told.problems) printError(`${file}: ${place} (${title}): ${text}`)
  if (!quiet) for (const note of told.notes) printError(`${file}: ${note}`)
  const { found, created, changed, unchanged, failed } = told
  printResult(
    flags,
    { source, ...told, undo_id: undo.id ?? null },
    [
      `${found} ${found === 1 ? 'event' : 'events'} found in ${file}.`,
      ...(isDry ? ['This was a dry run: nothing was changed.'] : []),
      `${created} created, ${changed} changed, ${unchanged} unchanged, ${failed} failed. The source is ${source}.`,
      ...(undo.id === undefined ? [] : [`To undo it, use “Import” at the desk, or POST imports/${undo.id}/undo.`]),
    ].join('\n'),
  )
  return told.problems.length > 0 ? EXIT.failed : EXIT.ok
}

function sourceOf(file: string): string {
  const name = isAddress(file) ? new URL(file).hostname : basename(file).replace(/\.\w+$/, '')
  return (
    slugFrom(name.replaceAll('.', '-'))
      .replace(/[^a-z0-9-]+/g, '-')
      .slice(0, 64) || 'calendar'
  )
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new CommandError(EXIT.failed, `${file} cannot be read: ${unreadableReason(error)}.`, { cause: error })
  }
}

const reasons = {
  address: 'it is no web address without a password',
  redirects: 'it leads to another address, too often or in a private network',
  'too-large': 'it is too large',
  'too-slow': 'the site is too slow',
  answer: 'the answer cannot be read',
  unreachable: 'the site cannot be reached',
} as const satisfies Record<OutboundError['reason'], string>

const faultOf = (url: string, fault: unknown) =>
  `${url} cannot be fetched: ${fault instanceof OutboundError ? reasons[fault.reason] : `it answers with the status ${fault}`}.`

function failFetch(url: string, fault: unknown): never {
  if (fault instanceof Error && !(fault instanceof OutboundError)) throw fault
  throw new CommandError(EXIT.failed, faultOf(url, fault), { cause: fault })
}

/**
 * Fetches documents of a site for the operator, who may name any address. Only a site that was named in a private network
 * is asked there: no page or name of another site leads there.
 */
function operatorFetch(
  accept: string,
): (url: string, more?: Pick<OutboundOptions, 'mayLeadTo'>) => Promise<FetchedDocument> {
  const limits = { maxBytes: maxCalendarBytes, timeoutMs: 60_000, isAllowedPort: () => true, headers: { accept } }
  const outside = { ...limits, maxRedirects: 5 }
  const inside = { ...limits, maxRedirects: 0, isAllowedAddress: () => true }
  let chosen: typeof outside | undefined
  return async (url, more) => {
    const ask = async (there: typeof outside) => {
      const answer = await fetchDocument(url, { ...there, ...more })
      chosen = there
      return answer
    }
    if (chosen) return ask(chosen)
    return ask(outside).catch((error: unknown) => {
      if (!(error instanceof OutboundError && /^(?:address|unreachable)$/.test(error.reason))) throw error
      return ask(inside)
    })
  }
}

async function fetched(url: string, accept: string): Promise<Buffer> {
  const { status, body } = await operatorFetch(accept)(url).catch((error: unknown) => failFetch(url, error))
  return status === 200 ? body : failFetch(url, status)
}

async function readOrFail<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const text = message(DEFAULT_TEXT_LANGUAGE, error.text ?? error.code)
    throw new CommandError(EXIT.failed, `${file}: ${text}`, { cause: error })
  }
}

/** Returns who imports: the user of the option, or else the first administrator, who is created if there is no user. */
async function actorFor(deps: Deps, { author, dryRun }: CalendarFlags): Promise<Actor> {
  const { db } = deps.storage
  if (author !== undefined) {
    const user = await findUserByLogin(db, author)
    if (!user) throw new CommandError(EXIT.failed, `User ${author} not found.`)
    return { kind: 'user', id: user.id, role: user.role }
  }
  if (dryRun && !(await hasAnyUser(db))) {
    throw new CommandError(
      EXIT.failed,
      'There is no user yet. Create one: cal-events user add admin --role administrator',
    )
  }
  const id = await owner(deps)
  const user = (await listUsers(db)).find((one) => one.id === id)
  return { kind: 'user', id, role: user?.role ?? 'administrator' }
}
