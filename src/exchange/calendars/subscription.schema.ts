import Type from 'typebox'
import { count, id, oneOf, orNull, ref, text, withDescription } from '../../access/http/schema.ts'
import { ImportedCalendarSchema } from './calendar.schema.ts'
import { MISSING_ACTIONS, SUBSCRIPTION_AUTHORITIES, SUBSCRIPTION_STATUSES } from './subscription.ts'

const timeOrNull = (key: 'fetched_at' | 'next_at' | 'failing_since') =>
  orNull(Type.String({ format: 'date-time', ...withDescription(`Subscription.${key}`) }))

export const SubscriptionSchema = Type.Object(
  {
    source: text('subscription.source'),
    url: text('Subscription.url'),
    every_minutes: count('subscription.every_minutes'),
    language: text('Subscription.language'),
    status: oneOf(SUBSCRIPTION_STATUSES, 'subscription.status'),
    category: orNull(text('subscription.category')),
    authority: oneOf(SUBSCRIPTION_AUTHORITIES, 'subscription.authority'),
    missing: oneOf(MISSING_ACTIONS, 'subscription.missing'),
    author: id('subscription.author'),
    paused: Type.Boolean(withDescription('subscription.paused')),
    found: count('Subscription.found'),
    fetched_at: timeOrNull('fetched_at'),
    next_at: timeOrNull('next_at'),
    failing_since: timeOrNull('failing_since'),
    failure: orNull(text('Subscription.failure')),
  },
  { $id: 'Subscription', ...withDescription('Subscription') },
)

export const SubscriptionListSchema = Type.Array(ref(SubscriptionSchema), {
  $id: 'SubscriptionList',
  ...withDescription('SubscriptionList'),
})

export const EndedSubscriptionSchema = Type.Object(
  { deleted: Type.Literal(true), previous: ref(SubscriptionSchema, 'Removed.previous') },
  { $id: 'EndedSubscription', ...withDescription('Removed') },
)

export const FetchedSubscriptionSchema = Type.Object(
  {
    dry_run: Type.Boolean(withDescription('Import.dry_run')),
    result: oneOf(['imported', 'unchanged', 'failed'], 'FetchedSubscription.result'),
    failure: orNull(text('Subscription.failure')),
    removed: count('FetchedSubscription.removed'),
    report: Type.Optional(ref(ImportedCalendarSchema, 'FetchedSubscription.report')),
  },
  { $id: 'FetchedSubscription', ...withDescription('FetchedSubscription') },
)
