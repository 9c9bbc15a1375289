import type { Config } from '../config/config.ts'
import type { LinkedEvent } from '../events/event.ts'
import type { Addresses } from '../http/addresses.ts'
import type { Document } from '../http/route.ts'
import type { Language } from '../languages/language.ts'

/** The forms in which a list of events can be subscribed to or taken along. */
export const FEED_FORMATS = ['ics', 'rss', 'atom', 'csv'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

/** Events to be written in one of these forms. */
export interface Feed {
  readonly config: Config
  readonly addresses: Addresses
  /** That of the texts around the events. */
  readonly language: Language
  /** Address that gives this feed again; undefined where it may not be told, because it names a password. */
  readonly self: string | undefined
  /** What the ids of events are made unique by, in all the world and for ever. */
  readonly identity: string
  /** As the reader is shown them. */
  readonly events: readonly LinkedEvent[]
}

/** Writes a feed. The same feed is the same text, whenever it is written. */
export type WriteFeed = (feed: Feed) => Document

/**
 * Whole seconds since 1970 at which what is shown of an event was changed last: itself, or where and by whom it is.
 */
export function changedAt({ modifiedAt, venues, organizers }: LinkedEvent): number {
  return Math.max(modifiedAt, ...[...venues, ...organizers].map((entry) => entry.modifiedAt))
}

/** When anything in the feed was changed last; 1970 where it is empty. */
export function lastChange({ events }: Feed): number {
  return events.reduce((last, event) => Math.max(last, changedAt(event)), 0)
}

/** What somebody is shown who has not said the password of an event: what it is called, and when it is (events.md §6). */
export function withoutSecrets(event: LinkedEvent): LinkedEvent {
  return {
    ...event,
    ...{ contentHtml: '', excerptHtml: '', image: undefined, isAllDay: false, cost: [] },
    ...{ website: '', venues: [], organizers: [], categories: [], tags: [] },
  }
}
