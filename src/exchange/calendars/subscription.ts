import type { UserId } from '../../access/auth/actor.ts'
import type { Language, TextLanguage } from '../../base/languages/language.ts'
import { message } from '../../base/languages/texts.ts'
import type { OutboundReason } from '../../base/outbound/outbound.ts'

// Calendars of others that are fetched again and again. Each is a source of this name.

export const SUBSCRIPTION_AUTHORITIES = ['keep', 'source'] as const
export const SUBSCRIPTION_STATUSES = ['publish', 'pending', 'draft'] as const
export const MISSING_ACTIONS = ['keep', 'cancel', 'trash'] as const

/** Why the last fetch has failed. */
export type SubscriptionFailure =
  | OutboundReason
  | `status ${number}`
  /** The answer is not a calendar, or is too large. */
  | 'no-calendar'
  /** It has less than half of the components of last time. A person has to look. */
  | 'fewer'
  /** The user who added it may no longer write. */
  | 'user'
  /** A defect of this service. Its log has the error. */
  | 'fault'

export interface Subscription {
  /** The name of the source. */
  readonly source: string
  readonly url: string
  /** Minutes between two fetches. */
  readonly every: number
  readonly language: Language
  readonly status: (typeof SUBSCRIPTION_STATUSES)[number]
  readonly category?: string | undefined
  /** `keep`: what was edited here stays. `source`: it is overwritten. */
  readonly authority: (typeof SUBSCRIPTION_AUTHORITIES)[number]
  /** What happens to coming events that it has no longer, two times in a row. */
  readonly missing: (typeof MISSING_ACTIONS)[number]
  /** The user who writes. */
  readonly userId: UserId
  readonly isPaused: boolean
  readonly state: SubscriptionState
}

/** The results of the fetches so far. All times are whole seconds since 1970, UTC. */
export interface SubscriptionState {
  readonly nextAt: number
  /** The last fetch that did not fail. */
  readonly fetchedAt?: number | undefined
  /** The start of the last import of the whole calendar. */
  readonly importedAt?: number | undefined
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** The components that it had then. */
  readonly found: number
  readonly failingSince?: number | undefined
  readonly failure?: SubscriptionFailure | undefined
}

/** A calendar that cannot be fetched. */
export interface FailingSubscription {
  readonly source: string
  readonly failure: SubscriptionFailure
  /** Whole seconds since 1970, UTC. */
  readonly since: number
}

/** Returns why a calendar could not be fetched, as the end of a sentence. */
export function failureText(
  language: TextLanguage,
  { source, failure }: { readonly source: string; readonly failure: SubscriptionFailure },
): string {
  const [, status] = /^status (\d+)$/.exec(failure) ?? []
  if (status !== undefined) return message(language, 'subscription.status', { status })
  return message(language, `subscription.${failure as Exclude<SubscriptionFailure, `status ${number}`>}`, { source })
}

export const leastMinutes = 15
export const longestMinutes = 7 * 24 * 60
export const maxSubscriptions = 500

const longestUrl = 2048

/** Whether a calendar may have this address. Where it leads is checked by each fetch. */
export function isCalendarUrl(text: string): boolean {
  return text.length <= longestUrl && /^(?:https|webcals?):\/\/[^\s@…]+$/i.test(text) && URL.canParse(text)
}

/** The longest part of a path that is shown. Private addresses have longer ones, which are secret. */
const longestShownPart = 16

/** Returns an address without what may be secret. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url)
  const parts = pathname.split('/').map((part) => (part.length > longestShownPart ? '…' : part))
  return `${protocol}//${host}${parts.join('/')}${search === '' ? '' : '?…'}`
}
