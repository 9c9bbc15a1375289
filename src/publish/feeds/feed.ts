import type { Addresses } from '../../access/http/addresses.ts'
import type { Document } from '../../access/http/route.ts'
import type { Config } from '../../base/config/config.ts'
import type { Language } from '../../base/languages/language.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import { noteZone, type ZonesInUse } from './feed.zones.ts'

/** The forms in which a list of events can be subscribed to or taken along. */
export const FEED_FORMATS = ['ics', 'rss', 'atom', 'csv'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

/** What events are written for. */
export interface Feed {
  readonly config: Config
  readonly addresses: Addresses
  /** That of the texts around the events. */
  readonly language: Language
  /** Address that gives this feed again; undefined where it may not be told, because it names a password. */
  readonly self: string | undefined
  /** What the ids of events are made unique by, in all the world and for ever. */
  readonly identity: string
}

/** A feed with all its events, as the reader is shown them. */
export interface WholeFeed extends Feed {
  readonly events: readonly LinkedEvent[]
}

/** What a feed says of all its events before the first of them. */
export interface FeedMetadata {
  /** Whole seconds since 1970 at which anything in the feed was changed last; 1970 where it is empty. */
  lastChange: number
  /** On whose clocks they are. */
  readonly clocks: ZonesInUse
  /** The languages of what is shown, in order of first appearance. */
  readonly languages: Set<Language>
}

/** How events are written in one form. The same events are the same text, whenever and however they are put together. */
export interface FeedWriter {
  readonly type: string
  /** What precedes the events. */
  begin(feed: Feed, metadata: FeedMetadata): string
  event(feed: Feed, event: LinkedEvent): string
  /** What stands after them. */
  end(feed: Feed): string
}

export type WriteFeed = (feed: WholeFeed) => Document

/** Writes a feed in one piece. */
export function wholeFeedWriter(writer: FeedWriter): WriteFeed {
  return (feed) => {
    const metadata = emptyFeedMetadata()
    addToFeedMetadata(metadata, feed.events)
    const events = feed.events.map((event) => writer.event(feed, event))
    return { type: writer.type, text: [writer.begin(feed, metadata), ...events, writer.end(feed)].join('') }
  }
}

export function emptyFeedMetadata(): FeedMetadata {
  return { lastChange: 0, clocks: new Map(), languages: new Set() }
}

/** Adds events to what a feed says of all, in their order. */
export function addToFeedMetadata(metadata: FeedMetadata, events: readonly LinkedEvent[]): void {
  for (const event of events) {
    metadata.lastChange = Math.max(metadata.lastChange, changedAt(event))
    metadata.languages.add(event.language)
    noteZone(metadata.clocks, event)
  }
}

/**
 * Whole seconds since 1970 at which what is shown of an event was changed last: itself, or where and by whom it is.
 */
export function changedAt({ modifiedAt, venues, organizers }: LinkedEvent): number {
  return Math.max(modifiedAt, ...[...venues, ...organizers].map((entry) => entry.modifiedAt))
}

/** What somebody is shown who has not said the password of an event: what it is called, and when it is (events.md §6). */
export function maskEvent(event: LinkedEvent): LinkedEvent {
  return {
    ...event,
    ...{ contentHtml: '', excerptHtml: '', image: undefined, isAllDay: false, cost: [] },
    ...{ website: '', venues: [], organizers: [], categories: [], tags: [] },
  }
}
