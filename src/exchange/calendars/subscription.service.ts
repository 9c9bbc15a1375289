import type { Actor } from '../../access/auth/actor.ts'
import { mayCreate } from '../../access/auth/policy.ts'
import { findUser } from '../../access/auth/user.repository.ts'
import type { Deps } from '../../access/deps.ts'
import { OutboundError } from '../../base/outbound/outbound.ts'
import { Problem } from '../../base/problems.ts'
import { listKeys, listUnseen, markSeen } from '../../calendar/sources/source.repository.ts'
import { externalIdOf, sourceKey } from '../../calendar/sources/source.ts'
import { sentKinds } from '../upsert/source.kinds.ts'
import { sweepSource } from '../upsert/sweep.service.ts'
import { fetchFirst, fetchPages, readAddress } from './calendar.address.ts'
import { type CalendarReport, importCalendar } from './calendar.import.ts'
import type { ForeignCalendar } from './foreign.records.ts'
import { maxComponents } from './ics.parts.ts'
import { findSubscription, listSubscriptions, saveSubscription } from './subscription.repository.ts'
import type { FailingSubscription, Subscription, SubscriptionFailure, SubscriptionState } from './subscription.ts'

const isDueAt = (now: number) => (one: Subscription) => !one.isPaused && one.state.nextAt <= now

/** Whether a calendar must be fetched again. */
export async function hasDueSubscriptions({ storage, now }: Deps): Promise<boolean> {
  return (await listSubscriptions(storage.db)).some(isDueAt(now()))
}

/** Returns the calendars whose last fetch has failed. */
export async function listFailingSubscriptions({ storage }: Deps): Promise<readonly FailingSubscription[]> {
  return (await listSubscriptions(storage.db)).flatMap(
    ({ source, isPaused, state: { failure, failingSince: since } }) =>
      isPaused || failure === undefined || since === undefined ? [] : [{ source, failure, since }],
  )
}

/**
 * Fetches the calendar that waits for the longest time, those that fail after all others: a site that is slow to fail
 * keeps nobody waiting twice.
 *
 * @returns whether another one waits.
 */
export async function fetchDueSubscription(deps: Deps): Promise<boolean> {
  const isFailing = ({ state }: Subscription) => Number(state.failure !== undefined)
  const due = (await listSubscriptions(deps.storage.db))
    .filter(isDueAt(deps.now()))
    .toSorted((one, other) => isFailing(one) - isFailing(other) || one.state.nextAt - other.state.nextAt)
  const [first, ...others] = due
  if (first) await fetchSubscription(deps, first.source)
  return others.length > 0
}

/** What a fetch did: an import, nothing because the calendar is the same, or nothing because it failed. */
export type FetchOutcome =
  | { readonly report: CalendarReport; readonly removed: number }
  | { readonly isSame: true }
  | { readonly failure: SubscriptionFailure }

class Failed extends Error {
  readonly failure: SubscriptionFailure

  constructor(failure: SubscriptionFailure) {
    super(failure)
    this.failure = failure
  }
}

/**
 * Fetches a calendar now and imports it, if it has changed.
 *
 * @param isAccepted Whether a person has seen that it has much fewer events.
 * @returns undefined if there is no such subscription, or another process fetches it.
 */
export async function fetchSubscription(
  deps: Deps,
  source: string,
  isAccepted = false,
): Promise<FetchOutcome | undefined> {
  const { storage, now } = deps
  const found = await findSubscription(storage.db, source)
  const claimed = found && (await claim(deps, found))
  if (!claimed) return undefined
  const at = now()
  try {
    const { outcome, state } = await fetchAndImport(deps, claimed, { isAccepted, isDry: false })
    await note(deps, claimed, { ...state, fetchedAt: at, failingSince: undefined, failure: undefined })
    return outcome
  } catch (error) {
    const failure = failureOf(error)
    const { failingSince = at, failure: previous } = claimed.state
    await note(deps, claimed, { ...claimed.state, failingSince, failure: failure ?? 'fault' })
    if (failure === undefined) throw error
    // A site that is gone for months is logged once.
    if (failure !== previous) deps.monitoring.log.warn({ source, failure }, 'A calendar could not be fetched.')
    return { failure }
  }
}

/**
 * Fetches a calendar, and tells what an import would do. Nothing changes.
 *
 * @returns undefined if there is no such subscription.
 */
export async function trySubscription(
  deps: Deps,
  source: string,
  isAccepted: boolean,
): Promise<FetchOutcome | undefined> {
  const found = await findSubscription(deps.storage.db, source)
  if (!found) return undefined
  try {
    return (await fetchAndImport(deps, found, { isAccepted, isDry: true })).outcome
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    return { failure }
  }
}

/** Sets the time of the next fetch before this one, so that no other process does it too. */
async function claim({ storage, now }: Deps, { source, state: { nextAt } }: Subscription) {
  return storage.writeWithoutRevision(async (tx) => {
    const current = await findSubscription(tx, source)
    if (!current || current.state.nextAt !== nextAt) return undefined
    const claimed = { ...current, state: { ...current.state, nextAt: now() + current.every * 60 } }
    await saveSubscription(tx, claimed)
    return claimed
  })
}

/** Stores the result of a fetch, unless the subscription was removed, changed or fetched again meanwhile. */
async function note({ storage }: Deps, { source, state: { nextAt } }: Subscription, state: SubscriptionState) {
  await storage.writeWithoutRevision(async (tx) => {
    const current = await findSubscription(tx, source)
    if (current?.state.nextAt === nextAt) await saveSubscription(tx, { ...current, state })
  })
}

function failureOf(error: unknown): SubscriptionFailure | undefined {
  if (error instanceof Failed) return error.failure
  if (error instanceof OutboundError) return error.reason
  if (!(error instanceof Problem)) return undefined
  if (error.code === 'not-a-calendar' || error.code === 'rest_request_too_large') return 'no-calendar'
  return error.code === 'source-of-another-user' || error.code === 'rest_forbidden' ? 'user' : undefined
}

async function fetchAndImport(
  deps: Deps,
  subscription: Subscription,
  { isAccepted, isDry }: { readonly isAccepted: boolean; readonly isDry: boolean },
): Promise<{ readonly outcome: FetchOutcome; readonly state: SubscriptionState }> {
  const { source, url, language, status, category, authority, state } = subscription
  const actor = await actorOf(deps, subscription)
  const { etag, lastModified } = isDry ? {} : state
  const headers = {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(etag === undefined && lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
  const answer = await fetchFirst(deps.fetchDocument, url, headers)
  if (answer.status === 304) return { outcome: { isSame: true }, state }
  if (answer.status !== 200) throw new Failed(`status ${answer.status}`)
  const at = deps.now()
  const fetch = fetchPages(deps.fetchDocument)
  const reading = { siteZone: deps.config.siteZone, now: at, status, category }
  const calendar = await readAddress({ url, first: answer.body, fetch }, reading)
  const isPart = calendar.pages === 'some'
  if (!isAccepted && !isPart && (await hasLostItsEvents(deps, subscription, calendar))) throw new Failed('fewer')
  const isForced = authority === 'source'
  const isWaitingFirst = isForced && status !== 'publish'
  const known = isWaitingFirst ? await listKeys(deps.storage.db, { kind: 'event', name: source }) : []
  const decided = new Set(known.map(externalIdOf))
  const report = await importCalendar({ deps, actor, source, language, isForced, isDry, decided }, calendar)
  if (isDry) return { outcome: { report, removed: 0 }, state }
  // What is there and cannot be imported is not missing.
  const broken = report.rows.filter(({ kind, outcome }) => kind === 'event' && outcome === 'failed')
  const keys = broken.map(({ externalId }) => sourceKey({ name: source, externalId }))
  await deps.storage.writeWithoutRevision((tx) => markSeen(tx, { kind: 'event', at }, keys))
  if (isPart) return { outcome: { report, removed: 0 }, state: { ...state, found: calendar.found } }
  const { removed, isWaiting } = await sweep({ deps, actor }, subscription, at)
  // A page may change while its sitemap stays the same.
  const isAsked = isWaiting || calendar.pages !== undefined
  return {
    outcome: { report, removed },
    state: {
      ...{ nextAt: state.nextAt, importedAt: at, found: calendar.found },
      // What is missing for the first time is looked for again, in the whole calendar.
      etag: isAsked ? undefined : headerOf(answer.headers.etag),
      lastModified: isAsked ? undefined : headerOf(answer.headers['last-modified']),
    },
  }
}

/**
 * Whether a calendar has lost more than half of the coming events of last time. A site that has lost its events, or shows
 * those of one week, must not empty this one. With others in their place, it has given new ids to the same events, which
 * would be there twice.
 */
async function hasLostItsEvents(
  { storage: { db }, now }: Deps,
  { source: name, missing, state: { importedAt } }: Subscription,
  { found, events, dates, series }: ForeignCalendar,
): Promise<boolean> {
  if (importedAt === undefined) return false
  const of = { kind: 'event', name } as const
  const coming = async (before: number) =>
    (await listUnseen(db, of, { before, now: now(), isCanceling: false, limit: maxComponents })).map(({ key }) => key)
  const earlier = new Set(await coming(importedAt))
  const known = (await coming(now() + 1)).filter((key) => !earlier.has(key)).map(externalIdOf)
  const sent = new Set([...events, ...dates].map(({ externalId }) => externalId))
  const ofSeries = new Set(series.map(({ externalId }) => externalId))
  const lost = known.filter((id) => !sent.has(id) && !ofSeries.has(id.slice(0, id.lastIndexOf('#'))))
  if (2 * lost.length <= known.length || (lost.length === 1 && found > 0)) return false
  if (missing !== 'keep') return true
  const keys = new Set((await listKeys(db, of)).map(externalIdOf))
  return [...sent].filter((id) => !keys.has(id)).length >= lost.length
}

const headerOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

async function actorOf({ storage }: Deps, { userId }: Subscription): Promise<Actor> {
  const user = await findUser(storage.db, userId)
  const actor: Actor = user ? { kind: 'user', id: user.id, role: user.role } : { kind: 'visitor' }
  if (!mayCreate(actor)) throw new Failed('user')
  return actor
}

/** Removes the coming events that the calendar did not have in this import and the previous one. */
async function sweep(
  by: { readonly deps: Deps; readonly actor: Actor },
  { source, missing, state: { importedAt: before } }: Subscription,
  at: number,
): Promise<{ readonly removed: number; readonly isWaiting: boolean }> {
  if (missing === 'keep') return { removed: 0, isWaiting: false }
  const order = { name: source, kind: sentKinds.event, action: missing }
  let removed = 0
  for (let hasMore = before !== undefined; hasMore; ) {
    const done = await sweepSource(by, { ...order, before: before ?? 0 }, false)
    removed += done.records.length
    hasMore = done.hasMore
  }
  const { records } = await sweepSource(by, { ...order, before: at }, true)
  return { removed, isWaiting: records.length > 0 }
}
