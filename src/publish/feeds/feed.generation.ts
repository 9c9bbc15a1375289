import { hash } from 'node:crypto'
import type { StreamedDocument, TextDocument } from '../../access/http/route.ts'
import type { FeedLimits } from '../../base/limits/feed.limits.ts'
import type { Streams } from '../../base/limits/stream.slots.ts'
import type { EventKey } from '../../calendar/events/event.list.repository.ts'
import type { EventKeyPage } from '../../calendar/events/event.list.service.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import type { CalendarRecord } from '../../calendar/records/record.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import { partsOf, type SeriesOfFeed, type SeriesPart } from './feed.series.ts'
import {
  addPartToFeedMetadata,
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
  /** The series of the events, if the format writes the dates of each together. */
  readonly series?: SeriesOfFeed | undefined
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
  const units = unitsOf(source, bounds)
  const octets = found.items.reduce((sum, key) => sum + key.octets, 0)
  const metadata = emptyFeedMetadata()
  for (const unit of units) if ('dates' in unit) addPartToFeedMetadata(metadata, unit)
  const text = octets > bounds.whole ? { readUnits: 0 } : await generateInMemory(source, { units, metadata }, bounds)
  if (Buffer.isBuffer(text)) return { document: { type: writer.type, text }, metadata }

  streams.assertSlotAvailable(client)
  for (const unit of units.slice(text.readUnits)) {
    for (const ids of 'dates' in unit ? batchesOf(unit.dates, bounds) : [unit]) {
      addToFeedMetadata(metadata, await readForFeed(found, ids, true))
      await streams.nextTurn()
    }
  }
  const begin = writer.begin(feed, metadata)
  const pieces = streamChunks(source, { begin, units }, bounds)
  return { document: { type: writer.type, etag: validatorOf(source, begin), pieces }, metadata }
}

/** Events that are read together, by their ids, or the dates of a segment, which are written together. */
type FeedUnit = readonly number[] | SeriesPart

function unitsOf({ writer, found, series }: FeedSource, bounds: FeedLimits): readonly FeedUnit[] {
  const { items } = found
  if (!series || !writer.series) return batchesOf(items, bounds)
  const parts = partsOf(items, series, { isMasked: found.isMasked, canWrite: writer.series.canWrite })
  const units: FeedUnit[] = []
  let alone: EventKey[] = []
  for (const part of parts) {
    if ('dates' in part) {
      units.push(...batchesOf(alone, bounds), part)
      alone = []
    } else alone.push(part)
  }
  return [...units, ...batchesOf(alone, bounds)]
}

interface FeedUnits {
  readonly units: readonly FeedUnit[]
  /** Receives the metadata of all events that are read. */
  readonly metadata: FeedMetadata
}

/** Returns the whole feed. If it gets too long, returns how many units were read until then. */
async function generateInMemory(
  { writer, feed, found, streams }: FeedSource,
  { units, metadata }: FeedUnits,
  bounds: FeedLimits,
): Promise<Buffer | { readonly readUnits: number }> {
  const parts: Buffer[] = []
  let octets = 0
  for (const [number, unit] of units.entries()) {
    if (number > 0) await streams.nextTurn()
    // The dates of a segment are read twice. All events of such a feed fit in memory.
    const known = new Map<number, LinkedEvent>()
    const read = async (ids: readonly number[]) => {
      if (known.size > 0) await streams.nextTurn()
      if (ids.every((id) => known.has(id))) return ids.flatMap((id) => known.get(id) ?? [])
      const events = await readForFeed(found, ids, false)
      addToFeedMetadata(metadata, events)
      if ('dates' in unit) for (const event of events) known.set(event.id, withoutTextsOfLinks(event))
      return events
    }
    for await (const texts of textsOf({ writer, feed, read, bounds }, unit)) {
      const part = writer.toBytes(texts.join(''))
      octets += part.length
      if (octets > bounds.written) {
        if ('dates' in unit) for (const ids of batchesOf(unit.dates, bounds)) await read(ids)
        return { readUnits: number + 1 }
      }
      parts.push(part)
    }
  }
  return Buffer.concat([writer.toBytes(writer.begin(feed, metadata)), ...parts, writer.toBytes(writer.end(feed))])
}

/**
 * Yields the feed in pieces. While the client reads a piece, at most one batch of events waits in memory, with all texts
 * that were written of it.
 */
async function* streamChunks(
  { writer, feed, found, streams }: FeedSource,
  { begin, units }: { readonly begin: string; readonly units: readonly FeedUnit[] },
  bounds: FeedLimits,
): AsyncGenerator<Buffer> {
  let text = begin
  const read = (ids: readonly number[]) => streams.inTurn(() => readForFeed(found, ids, false))
  for (const unit of units) {
    for await (const texts of textsOf({ writer, feed, read, bounds }, unit)) {
      for (const added of texts) {
        text += added
        if (text.length < bounds.piece) continue
        yield writer.toBytes(text)
        text = ''
      }
    }
  }
  yield writer.toBytes(text + writer.end(feed))
}

interface Writing extends Pick<FeedSource, 'writer' | 'feed'> {
  readonly read: (ids: readonly number[]) => Promise<readonly LinkedEvent[]>
  readonly bounds: FeedLimits
}

/** Yields the texts of a unit, those of events that are read together at once. */
async function* textsOf({ writer, feed, read, bounds }: Writing, unit: FeedUnit): AsyncGenerator<readonly string[]> {
  if (!('dates' in unit)) {
    const events = await read(unit)
    yield events.map((event) => writer.event(feed, event))
    return
  }
  async function* readBatches(keys: readonly EventKey[]) {
    for (const ids of batchesOf(keys, bounds)) yield await read(ids)
  }
  if (writer.series) for await (const text of writer.series.write(feed, unit, readBatches)) yield [text]
}

/** Returns the events as the caller may see them. */
async function readForFeed(
  { read, isMasked }: EventKeyPage,
  ids: readonly number[],
  isOutline: boolean,
): Promise<readonly LinkedEvent[]> {
  const events = await read(ids, isOutline)
  return events.map((event) => (isMasked(event) ? maskEvent(event) : event))
}

/** The contents of venues and organizers are in no feed, so events that wait in memory do not have them. */
function withoutTextsOfLinks(event: LinkedEvent): LinkedEvent {
  return {
    ...event,
    venues: event.venues.map((venue) => withoutTexts(venue) as (typeof event.venues)[number]),
    organizers: event.organizers.map((organizer) => withoutTexts(organizer) as (typeof event.organizers)[number]),
  }
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
function validatorOf({ writer, found, series, state }: FeedSource, begin: string): string {
  const events = found.items.map((key) => [key.id, key.changeCount, key.octets, found.isMasked(key)])
  return `W/"${hash('sha1', JSON.stringify([writer.type, begin, state, found.total, events, series !== undefined]), 'base64url')}"`
}
