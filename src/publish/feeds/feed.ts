import type { Addresses } from '../../access/http/addresses.ts'
import type { TextDocument } from '../../access/http/route.ts'
import type { Config } from '../../base/config/config.ts'
import type { Language } from '../../base/languages/language.ts'
import { valueFields } from '../../calendar/events/model/event.fields.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import type { SeriesSegment } from '../../calendar/occurrences/occurrence.ts'
import type { ReadEvents, SeriesOfFeed, SeriesPart } from './feed.series.ts'
import { noteZone, noteZoneYears, yearOf, type ZonesInUse, type ZoneYears, zoneYearsOf } from './feed.zones.ts'

/** The formats in which clients can subscribe to a list of events or download it. */
export const FEED_FORMATS = ['ics', 'rss', 'atom', 'csv'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

export const feedSettings = [
  ...(['siteName', 'siteZone', 'statusInTitles'] as const),
  ...(['currencyCode', 'currencySymbol', 'currencyPosition'] as const),
] satisfies readonly (keyof Config)[]

/** The context in which events are written. */
export interface Feed {
  readonly config: Pick<Config, (typeof feedSettings)[number]>
  readonly addresses: Addresses
  /** The language of the texts around the events. */
  readonly language: Language
  /** The address of this feed; undefined if the feed must not contain it, because it includes a password. */
  readonly self: string | undefined
  /** Makes the ids of events unique in the world, for ever. */
  readonly identity: string
  /** Whether the reader has signed in, so that addresses for registered people are shown. */
  readonly isSignedIn: boolean
  /** The series of its events, by the ids of the events. Undefined if there are none. */
  readonly memberships?: SeriesOfFeed['memberships'] | undefined
}

/** A feed with all its events, as the reader may see them. */
export interface WholeFeed extends Feed {
  readonly events: readonly LinkedEvent[]
}

/** The metadata of all events, which precede the first event. */
export interface FeedMetadata {
  /** The time of the last change in the feed, in whole seconds since 1970; 0 if the feed is empty. */
  lastChange: number
  /** The time zones of the events. */
  readonly clocks: ZonesInUse
  /** The languages of the contents, in order of first appearance. */
  readonly languages: Set<Language>
}

interface EntryMetadata extends ZoneYears {
  /** The time of its last change, in whole seconds since 1970. */
  readonly changedAt: number
  readonly language: Language
}

/** Writes events in one format. The same events always give the same text. */
export interface FeedWriter {
  readonly type: string
  /** Returns the text before the events. */
  begin(feed: Feed, metadata: FeedMetadata): string
  event(feed: Feed, event: LinkedEvent): string
  /** Writes the dates of series together, if the format knows rules. */
  readonly series?: {
    canWrite(segment: SeriesSegment): boolean
    write(feed: Feed, part: SeriesPart, read: ReadEvents): AsyncIterable<string>
  }
  /** Returns the text after the events. */
  end(feed: Feed): string
  toBytes(texts: readonly string[]): Buffer
}

/** Returns a function that writes a whole feed as one document. */
export function wholeFeedWriter(writer: FeedWriter): (feed: WholeFeed) => TextDocument {
  return (feed) => {
    const metadata = emptyFeedMetadata()
    addToFeedMetadata(metadata, feed.events.map(entryMetadataOf))
    const events = feed.events.map((event) => writer.event(feed, event))
    return { type: writer.type, text: writer.toBytes([writer.begin(feed, metadata), ...events, writer.end(feed)]) }
  }
}

/** Returns texts in UTF-8, as the formats without lines of limited length need them. */
export function utf8Bytes(texts: readonly string[]): Buffer {
  return Buffer.from(texts.join(''))
}

export function emptyFeedMetadata(): FeedMetadata {
  return { lastChange: 0, clocks: new Map(), languages: new Set() }
}

export function entryMetadataOf(event: LinkedEvent): EntryMetadata {
  return { changedAt: changedAt(event), language: event.language, ...zoneYearsOf(event) }
}

/** Adds entries to the metadata of a feed, in their order. */
export function addToFeedMetadata(metadata: FeedMetadata, entries: readonly EntryMetadata[]): void {
  for (const entry of entries) {
    metadata.lastChange = Math.max(metadata.lastChange, entry.changedAt)
    metadata.languages.add(entry.language)
    noteZone(metadata.clocks, entry)
  }
}

/** Adds what a part of a series tells beyond its events. Its exceptions may be in years that have no events. */
export function addPartToFeedMetadata(metadata: FeedMetadata, { segment, dates, state }: SeriesPart): void {
  metadata.lastChange = Math.max(metadata.lastChange, state.modifiedAt)
  const [first, last] = [dates[0]?.recurrenceId, dates.at(-1)?.recurrenceId]
  if (first === undefined || last === undefined) return
  noteZoneYears(metadata.clocks, segment, { from: yearOf(first), to: yearOf(last) })
}

/**
 * Returns the time of the last visible change of an event, its venues or its organizers, in whole seconds since 1970.
 */
export function changedAt({ modifiedAt, venues, organizers }: LinkedEvent): number {
  let latest = modifiedAt
  for (const entry of venues) latest = Math.max(latest, entry.modifiedAt)
  for (const entry of organizers) latest = Math.max(latest, entry.modifiedAt)
  return latest
}

/**
 * Returns an event as shown to a reader who has not given its password: only its title, its time and its status
 * (events.md §6).
 */
export function maskEvent(event: LinkedEvent): LinkedEvent {
  return {
    ...event,
    ...{ contentHtml: '', excerptHtml: '', image: undefined, isAllDay: false, cost: [] },
    ...{ website: '', venues: [], organizers: [], categories: [], tags: [] },
    ...valueFields.hidden,
  }
}
