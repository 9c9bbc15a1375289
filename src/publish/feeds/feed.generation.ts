import { hash } from 'node:crypto'
import type { StreamedDocument, TextDocument } from '../../access/http/route.ts'
import type { FeedLimits } from '../../base/limits/feed.limits.ts'
import type { Streams } from '../../base/limits/stream.slots.ts'
import type { EventKey } from '../../calendar/events/event.list.repository.ts'
import type { EventKeyPage } from '../../calendar/events/event.list.service.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import type { CalendarRecord } from '../../calendar/records/record.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import {
  addToFeedMetadata,
  emptyFeedMetadata,
  type Feed,
  type FeedMetadata,
  type FeedWriter,
  maskEvent,
} from './feed.ts'

/** The input of a feed. */
export interface FeedSource {
  readonly writer: FeedWriter
  readonly feed: Feed
  readonly found: EventKeyPage
  /** The values that distinguish two feeds of the same events: the revision of the content, and the caller. */
  readonly state: readonly unknown[]
  readonly streams: Streams
  /** The client that reads it, like the result of `clientNetworkOf`. */
  readonly client: string
}

/** A feed, with the metadata of all its events. */
export interface GeneratedFeed {
  readonly document: TextDocument | StreamedDocument
  readonly metadata: FeedMetadata
}

/**
 * Generates a feed of ordinary size completely. Of a longer feed it generates only the beginning: events are read and
 * written while the client takes them.
 *
 * @throws service_unavailable, if the feed is long and too many long feeds are already being read
 */
export async function generateFeed(source: FeedSource, bounds: FeedLimits): Promise<GeneratedFeed> {
  const { writer, feed, found, streams, client } = source
  const batches = batchesOf(found.items, bounds)
  const octets = found.items.reduce((sum, key) => sum + key.octets, 0)
  const metadata = emptyFeedMetadata()
  const text =
    octets > bounds.whole ? { readBatches: 0 } : await generateInMemory(source, { batches, metadata }, bounds)
  if (typeof text === 'string') return { document: { type: writer.type, text }, metadata }

  streams.assertSlotAvailable(client)
  for (const ids of batches.slice(text.readBatches)) {
    addToFeedMetadata(metadata, await readForFeed(found, ids, true))
    await streams.nextTurn()
  }
  const begin = writer.begin(feed, metadata)
  const pieces = streamChunks(source, { begin, batches }, bounds)
  return { document: { type: writer.type, etag: validatorOf(source, begin), pieces }, metadata }
}

interface FeedBatches {
  readonly batches: readonly (readonly number[])[]
  /** Receives the metadata of all events that are read. */
  readonly metadata: FeedMetadata
}

/** Returns the feed in one text. If it gets too long, returns how many batches were read until then. */
async function generateInMemory(
  { writer, feed, found, streams }: FeedSource,
  { batches, metadata }: FeedBatches,
  { whole }: FeedLimits,
): Promise<string | { readonly readBatches: number }> {
  const texts: string[] = []
  let octets = 0
  for (const [number, ids] of batches.entries()) {
    if (number > 0) await streams.nextTurn()
    const events = await readForFeed(found, ids, false)
    addToFeedMetadata(metadata, events)
    for (const event of events) {
      const text = writer.event(feed, event)
      octets += Buffer.byteLength(text)
      if (octets > whole) return { readBatches: number + 1 }
      texts.push(text)
    }
  }
  return [writer.begin(feed, metadata), ...texts, writer.end(feed)].join('')
}

/** Yields the feed in pieces. While the client reads a piece, at most one batch of events waits in memory. */
async function* streamChunks(
  { writer, feed, found, streams }: FeedSource,
  { begin, batches }: { readonly begin: string; readonly batches: readonly (readonly number[])[] },
  { piece }: FeedLimits,
): AsyncGenerator<string> {
  let text = begin
  for (const ids of batches) {
    for (const event of await streams.inTurn(() => readForFeed(found, ids, false))) {
      text += writer.event(feed, event)
      if (text.length < piece) continue
      yield text
      text = ''
    }
  }
  yield text + writer.end(feed)
}

/**
 * Returns the events as the caller may see them. The contents of venues and organizers are in no feed and are not kept
 * in memory.
 */
async function readForFeed(
  { read, isMasked }: EventKeyPage,
  ids: readonly number[],
  isOutline: boolean,
): Promise<readonly LinkedEvent[]> {
  const events = await read(ids, isOutline)
  return events.map((event) =>
    isMasked(event)
      ? maskEvent(event)
      : {
          ...event,
          venues: event.venues.map((venue) => withoutTexts(venue) as (typeof event.venues)[number]),
          organizers: event.organizers.map((organizer) => withoutTexts(organizer) as (typeof event.organizers)[number]),
        },
  )
}

const withoutTexts = memoizePerObject((entry: CalendarRecord) => ({
  ...entry,
  ...{ content: '', contentHtml: '', excerpt: '', excerptHtml: '' },
}))

/** Returns the ids of events in batches that are read together. */
function batchesOf(
  keys: readonly EventKey[],
  { batchEvents, batchOctets }: FeedLimits,
): readonly (readonly number[])[] {
  const batches: number[][] = []
  let octets = 0
  for (const key of keys) {
    const batch = batches.at(-1)
    octets += key.octets
    if (batch && batch.length < batchEvents && octets <= batchOctets) batch.push(key.id)
    else {
      batches.push([key.id])
      octets = key.octets
    }
  }
  return batches
}

/**
 * Returns a weak validator (RFC 9110, 8.8.1) of a text that does not exist yet. It differs after every write, because a
 * change made while a client reads may or may not be in the response.
 */
function validatorOf({ writer, found, state }: FeedSource, begin: string): string {
  const events = found.items.map((key) => [key.id, key.changeCount, key.octets, found.isMasked(key)])
  return `W/"${hash('sha1', JSON.stringify([writer.type, begin, state, found.total, events]), 'base64url')}"`
}
