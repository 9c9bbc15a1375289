import { type Actor, sharerOf, type UserId } from '../../access/auth/actor.ts'
import { maySubscribe } from '../../access/auth/policy.ts'
import { flagArgument } from '../../access/http/arguments/argument.kinds.ts'
import { accepted, line, oneOf, refused, user, wholeNumberOf } from '../../access/http/arguments/argument.rules.ts'
import { integerSchema, wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Arguments, ArgumentValues } from '../../access/http/arguments/argument.ts'
import { alwaysShort } from '../../access/http/read.cost.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import type { Language, TextLanguage } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { sourceArgument } from '../../calendar/sources/source.arguments.ts'
import { countLines } from '../upsert/line.import.ts'
import { dryRunArgument, sourcePath } from '../upsert/source.path.ts'
import { presentReport } from './calendar.import.ts'
import { urlArgument } from './calendar.routes.ts'
import {
  changeSubscription,
  endSubscription,
  putSubscription,
  type SubscriptionSettings,
} from './subscription.change.ts'
import { findSubscription, listSubscriptions } from './subscription.repository.ts'
import { type FetchOutcome, fetchSubscription, trySubscription } from './subscription.service.ts'
import {
  leastMinutes,
  longestMinutes,
  MISSING_ACTIONS,
  SUBSCRIPTION_AUTHORITIES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  shownUrl,
} from './subscription.ts'

const tag = 'Subscriptions'

const words = <W extends string>(allowed: readonly W[]) => ({ read: oneOf(allowed), schema: wordSchema(allowed) })

/** What may be set; all of it is optional. */
const settingArguments = {
  every_minutes: {
    read: (raw) => {
      const minutes = wholeNumberOf(raw) ?? 0
      return minutes >= leastMinutes && minutes <= longestMinutes
        ? accepted(minutes)
        : refused('fault.between', { least: String(leastMinutes), most: String(longestMinutes) })
    },
    schema: { type: 'integer', minimum: leastMinutes, maximum: longestMinutes },
    ...{ type: 'integer', description: 'subscription.every_minutes' },
  },
  status: { ...words(SUBSCRIPTION_STATUSES), type: 'string', description: 'subscription.status' },
  category: {
    read: (raw, reading) => (raw === '' ? accepted('') : line('category')(raw, reading)),
    ...{ schema: { type: 'string' }, type: 'string', description: 'subscription.category' },
  },
  authority: { ...words(SUBSCRIPTION_AUTHORITIES), type: 'string', description: 'subscription.authority' },
  missing: { ...words(MISSING_ACTIONS), type: 'string', description: 'subscription.missing' },
  author: { read: user, schema: integerSchema, type: 'integer', description: 'subscription.author' },
  paused: flagArgument('paused', 'subscription.paused'),
} as const satisfies Arguments

const newArguments = {
  source: { ...sourceArgument, schema: sourcePath.schema, isRequired: true, description: 'subscription.source' },
  url: { ...urlArgument, isRequired: true },
  ...settingArguments,
} as const satisfies Arguments

const changeArguments = { url: urlArgument, ...settingArguments } as const satisfies Arguments

const byDefault = {
  ...{ every: 360, status: 'publish', authority: 'keep', missing: 'keep', isPaused: false },
} as const satisfies Partial<SubscriptionSettings>

/** Returns what was sent. */
function settingsOf(values: ArgumentValues<typeof changeArguments>, language: Language | undefined) {
  const { every_minutes: every, author, paused: isPaused, category, ...others } = values
  const { url, status, authority, missing } = others
  const sent = { url, every, status, authority, missing, isPaused, language, userId: author as UserId | undefined }
  const settings = Object.entries(sent).filter(([, value]) => value !== undefined)
  return {
    ...(Object.fromEntries(settings) as Partial<SubscriptionSettings>),
    ...(category !== undefined && { category: category === '' ? undefined : category }),
  }
}

function present({ source, url, every, isPaused, userId, category, state, ...settings }: Subscription) {
  const { status, authority, missing, language } = settings
  return {
    ...{ source, url: shownUrl(url), every_minutes: every, language, status, category: category ?? null },
    ...{ authority, missing, author: userId, paused: isPaused, found: state.found },
    ...{ fetched_at: timeOf(state.fetchedAt), failing_since: timeOf(state.failingSince) },
    next_at: isPaused ? null : isoUtc(state.nextAt),
    failure: state.failure ?? null,
  }
}

const timeOf = (at: number | undefined) => (at === undefined ? null : isoUtc(at))

const one = async () => (await import('./subscription.schema.ts')).SubscriptionSchema

const listEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'listSubscriptions',
  summary: 'subscriptions.list',
  about: 'subscriptions.list.about',
  answer: { schema: async () => (await import('./subscription.schema.ts')).SubscriptionListSchema },
  problems: ['rest_forbidden'],
  path: {},
  args: {},
  isOpenTo: maySubscribe,
  handle: async ({ deps }) => ({ status: 200, body: (await listSubscriptions(deps.storage.db)).map(present) }),
})

const addEndpoint = endpoint({
  methods: ['POST'],
  remembersAnswer: {},
  operation: 'addSubscription',
  summary: 'subscriptions.add',
  about: 'subscriptions.add.about',
  answer: { schema: one, others: [201] },
  problems: ['rest_forbidden', 'source-of-another-user', 'too-many-subscriptions'],
  path: {},
  args: newArguments,
  hasLanguage: true,
  isOpenTo: maySubscribe,
  handle: async ({ deps, actor, values, language }) => {
    const { source, url, ...settings } = values
    const own = { ...byDefault, language: deps.config.defaultLanguage, userId: idOf(actor), url }
    const sent = settingsOf({ ...settings, url }, language)
    const { subscription, isNew } = await putSubscription(deps.storage, source, { ...own, ...sent })
    return { status: isNew ? 201 : 200, body: present(subscription) }
  },
})

const changeEndpoint = endpoint({
  methods: ['PATCH'],
  remembersAnswer: {},
  operation: 'changeSubscription',
  summary: 'subscriptions.change',
  about: 'subscriptions.change.about',
  answer: { schema: one },
  problems: ['rest_forbidden', 'source-of-another-user', 'record-not-found'],
  path: { source: sourcePath },
  args: changeArguments,
  hasLanguage: true,
  isOpenTo: maySubscribe,
  handle: async ({ deps, path, values, language }) => ({
    status: 200,
    body: present(await changeSubscription(deps.storage, path.source, settingsOf(values, language))),
  }),
})

const endEndpoint = endpoint({
  methods: ['DELETE'],
  remembersAnswer: {},
  operation: 'endSubscription',
  summary: 'subscriptions.end',
  answer: { schema: async () => (await import('./subscription.schema.ts')).EndedSubscriptionSchema },
  problems: ['rest_forbidden', 'record-not-found'],
  path: { source: sourcePath },
  args: {},
  isOpenTo: maySubscribe,
  handle: async ({ deps, path }) => ({
    status: 200,
    body: { deleted: true, previous: present(await endSubscription(deps.storage, path.source)) },
  }),
})

const fetchEndpoint = endpoint({
  methods: ['POST'],
  triesItself: true,
  operation: 'fetchSubscription',
  summary: 'subscriptions.fetch',
  about: 'subscriptions.fetch.about',
  answer: { schema: async () => (await import('./subscription.schema.ts')).FetchedSubscriptionSchema },
  problems: ['rest_forbidden', 'record-not-found'],
  path: { source: sourcePath },
  args: {
    accept: flagArgument('accept', 'subscription.accept'),
    dry_run: dryRunArgument,
  },
  isOpenTo: maySubscribe,
  target: async ({ deps, path }) => (await findSubscription(deps.storage.db, path.source)) ?? fail('record-not-found'),
  handle: async ({ deps, actor, client, target, values, textLanguage }) => {
    const { accept: isAccepted = false, dry_run: isDry = false } = values
    const release = deps.limits.imports.tryAcquire(sharerOf(actor)) ?? busy()
    try {
      countLines({ deps, actor, client }, target.state.found)
      const outcome = await (isDry ? trySubscription : fetchSubscription)(deps, target.source, isAccepted)
      return { status: 200, body: presentOutcome(outcome ?? busy(), textLanguage, isDry) }
    } finally {
      release()
    }
  },
})

/** Another request or the service itself fetches it. */
const busy = () => fail('service_unavailable', { headers: { 'Retry-After': '10' } })

function presentOutcome(outcome: FetchOutcome, language: TextLanguage, isDry: boolean) {
  const nothing = { dry_run: isDry, failure: null, removed: 0 }
  if ('failure' in outcome) return { ...nothing, result: 'failed', failure: outcome.failure }
  if ('isSame' in outcome) return { ...nothing, result: 'unchanged' }
  const { report, removed } = outcome
  return { ...nothing, result: 'imported', removed, report: presentReport(report, language, isDry) }
}

const idOf = (actor: Actor): UserId => (actor.kind === 'user' ? actor.id : fail('rest_forbidden', { status: 401 }))

/** Calendars of others that are fetched again and again. */
export const subscriptionRoutes: readonly Route[] = [
  { path: '/subscriptions', tag, endpoints: [listEndpoint, addEndpoint] },
  { path: '/subscriptions/{source}', tag, endpoints: [changeEndpoint, endEndpoint] },
  { path: '/subscriptions/{source}/fetch', tag, endpoints: [fetchEndpoint] },
]
