import { findUserByLogin, listUsers } from '../access/auth/user.repository.ts'
import type { Deps } from '../access/deps.ts'
import type { Config } from '../base/config/config.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../base/languages/language.ts'
import { message } from '../base/languages/texts.ts'
import { Problem } from '../base/problems.ts'
import { isSourceName } from '../calendar/sources/source.ts'
import { presentReport } from '../exchange/calendars/calendar.import.ts'
import { changeSubscription, endSubscription, putSubscription } from '../exchange/calendars/subscription.change.ts'
import { listSubscriptions } from '../exchange/calendars/subscription.repository.ts'
import { fetchSubscription } from '../exchange/calendars/subscription.service.ts'
import {
  failureText,
  isCalendarUrl,
  leastMinutes,
  longestMinutes,
  MISSING_ACTIONS,
  SUBSCRIPTION_AUTHORITIES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionFailure,
} from '../exchange/calendars/subscription.ts'
import { isUnavailable } from '../storage/database/unavailable.ts'
import { withDatabase } from './database.ts'
import { languageFor } from './import.ts'
import { CommandError, EXIT, type OutputOptions, printError, printResult, table } from './output.ts'

export interface SubscriptionFlags extends OutputOptions {
  readonly every?: string
  readonly language?: string
  readonly category?: string
  readonly status?: string
  readonly authority?: string
  readonly missing?: string
  readonly author?: string
  readonly accept?: boolean
}

const minutesOf: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 }

/** Subscribes to a calendar, or changes the subscription of this name. */
export async function addSubscription(
  config: Config,
  [source, url]: readonly [string, string],
  flags: SubscriptionFlags,
): Promise<number> {
  if (!isSourceName(source)) usage('The name must have lowercase letters, digits and hyphens.')
  if (!isCalendarUrl(url)) usage('The address must begin with https:// or webcal://, without a user name.')
  const every = minutesFrom(flags.every ?? '6h')
  const language = languageFor(config, flags) ?? config.defaultLanguage
  const own = {
    ...{ url, every, language, category: flags.category, isPaused: false },
    status: wordOf('status', SUBSCRIPTION_STATUSES, flags.status),
    authority: wordOf('authority', SUBSCRIPTION_AUTHORITIES, flags.authority),
    missing: wordOf('missing', MISSING_ACTIONS, flags.missing),
  }
  await withDatabase(config, async (deps) => {
    const userId = await userFor(deps, flags)
    await orReason(source, putSubscription(deps.storage, source, { ...own, userId }))
  })
  printResult(
    flags,
    { source, url, every_minutes: every },
    `${source} is fetched every ${every} minutes, first within a minute.`,
  )
  return EXIT.ok
}

function usage(text: string): never {
  throw new CommandError(EXIT.usage, text)
}

function minutesFrom(text: string): number {
  const [, number, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const minutes = Number(number) * (minutesOf[unit] ?? 0)
  if (minutes >= leastMinutes && minutes <= longestMinutes) return minutes
  return usage('--every must be from 15m to 7d: --every 6h')
}

/** Returns the word of an option, by default the first. */
function wordOf<W extends string>(name: string, words: readonly [W, ...W[]], sent: string | undefined): W {
  if (sent === undefined) return words[0]
  return words.find((one) => one === sent) ?? usage(`--${name} must be one of ${words.join(', ')}.`)
}

async function userFor({ storage }: Deps, { author }: SubscriptionFlags): Promise<Subscription['userId']> {
  const user =
    author === undefined
      ? (await listUsers(storage.db)).find(({ role }) => role === 'administrator')
      : await findUserByLogin(storage.db, author)
  if (user) return user.id
  throw new CommandError(
    EXIT.failed,
    author === undefined ? 'There is no administrator. Choose a user with --author.' : `User ${author} not found.`,
  )
}

const reasonOf = (source: string, failure: SubscriptionFailure) =>
  failureText(DEFAULT_TEXT_LANGUAGE, { source, failure })

/** Lists the calendars with the result of their last fetch. Fails if one fails. */
export async function showSubscriptions(config: Config, flags: OutputOptions): Promise<number> {
  const all = await withDatabase(config, ({ storage }) => listSubscriptions(storage.db))
  const rows = all.map(({ source, url, every, isPaused, state }) => {
    const { fetchedAt, failure, failingSince } = state
    const told = failure === undefined ? 'ok' : `failing since ${timeText(failingSince)}: ${reasonOf(source, failure)}`
    return [
      source,
      url,
      String(every),
      timeText(fetchedAt),
      isPaused ? 'paused' : fetchedAt || failure ? told : 'waiting',
    ]
  })
  const json = all.map(({ source, url, every, isPaused, state, ...rest }) => ({
    ...{ source, url, every_minutes: every, paused: isPaused, status: rest.status, authority: rest.authority },
    ...{ missing: rest.missing, category: rest.category ?? null, found: state.found, fetched: isoOf(state.fetchedAt) },
    ...{ failing_since: isoOf(state.failingSince), failure: state.failure ?? null },
  }))
  printResult(flags, json, table(['NAME', 'ADDRESS', 'MINUTES', 'FETCHED', 'STATE'], rows))
  return all.some(({ isPaused, state }) => !isPaused && state.failure !== undefined) ? EXIT.failed : EXIT.ok
}

const isoOf = (at: number | undefined) => (at === undefined ? null : new Date(at * 1000).toISOString())
const timeText = (at: number | undefined) => isoOf(at)?.slice(0, 16).replace('T', ' ') ?? 'never'

/** Pauses a calendar, or continues it. */
export async function pauseSubscription(config: Config, source: string, isPaused: boolean): Promise<number> {
  await withDatabase(config, ({ storage }) => orReason(source, changeSubscription(storage, source, { isPaused })))
  return EXIT.ok
}

/** Ends a subscription. Its events stay. */
export async function removeSubscription(config: Config, source: string): Promise<number> {
  await withDatabase(config, ({ storage }) => orReason(source, endSubscription(storage, source)))
  return EXIT.ok
}

/** Waits for a change, and tells why it is refused. */
async function orReason<T>(source: string, change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    if (!(error instanceof Problem) || isUnavailable(error)) throw error
    if (error.code === 'record-not-found') return unknown(source)
    const [[name, fault] = []] = Object.entries(error.faults)
    const text = message(DEFAULT_TEXT_LANGUAGE, fault?.text ?? error.text, { name: name ?? '', ...fault?.values })
    throw new CommandError(EXIT.failed, text, { cause: error })
  })
}

function unknown(source: string): never {
  throw new CommandError(EXIT.failed, `There is no subscription named ${source}.`)
}

/** Fetches a calendar now. */
export async function fetchNow(config: Config, source: string, flags: SubscriptionFlags): Promise<number> {
  const outcome = await withDatabase(config, (deps) => fetchSubscription(deps, source, flags.accept ?? false))
  if (!outcome) return unknown(source)
  if ('failure' in outcome) throw new CommandError(EXIT.failed, `${source}: ${reasonOf(source, outcome.failure)}.`)
  if ('isSame' in outcome) {
    printResult(flags, { source, same: true }, `${source} has not changed.`)
    return EXIT.ok
  }
  const told = presentReport(outcome.report, DEFAULT_TEXT_LANGUAGE, false)
  for (const { place, title, text } of told.problems) printError(`${source}: ${place} (${title}): ${text}`)
  const { created, changed, unchanged, failed } = told
  const text = `${created} created, ${changed} changed, ${unchanged} unchanged, ${failed} failed, ${outcome.removed} removed.`
  printResult(flags, { source, ...told, removed: outcome.removed }, text)
  return told.problems.length > 0 ? EXIT.failed : EXIT.ok
}
