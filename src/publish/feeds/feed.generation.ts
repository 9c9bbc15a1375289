import { hash } from 'node:crypto'
import type { StreamedDocument, TextDocument } from '../../access/http/route.ts'
import type { FeedLimits } from '../../base/limits/feed.limits.ts'
import type { Streams } from '../../base/limits/stream.slots.ts'
import type { EventKey } from '../../calendar/events/event.keys.repository.ts'
import type { LinksOfEvents } from '../../calendar/events/event.linked.repository.ts'
import type { EventKeyPage } from '../../calendar/events/event.list.service.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import type { CalendarRecord } from '../../calendar/records/record.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import { bytesOfEach } from './feed.bytes.ts'
import type { KnownEntries, WrittenBatch, WrittenEntry } from './feed.entries.ts'
import type { SeriesOfFeed, SeriesPart } from './feed.series.ts'
import {
  addPartToFeedMetadata,
  addToFeedMetadata,
  type EntryMetadata,
  emptyFeedMetadata,
  entryMetadataOf,
  type Feed,
  type FeedMetadata,
  type FeedWriter,
} from './feed.ts'
import { batchesOf, type EventBatch, type FeedUnit, readForFeed, unitsOf, unknownKeys } from './feed.units.ts'

/** The input of a feed. */
export interface FeedSource {
  readonly writer: FeedWriter
  readonly feed: Feed
  readonly found: EventKeyPage
  /** The series of the events, if the format writes the dates of each together. */
  readonly series?: SeriesOfFeed | undefined
  /** The values that distinguish two feeds of the same events: the revision of the content, and the caller. */
  readonly state: readonly unknown[]
  /** The entries that need not be written again. Undefined: none are cached. */
  readonly entries?: KnownEntries | undefined
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
  const octets = found.items.reduce((sum, key) => sum + key.octets, 0)
  const isLong = octets > bounds.whole
  const units = unitsOf(source, bounds, isLong ? undefined : source.entries)
  const metadata = emptyFeedMetadata()
  for (const unit of units) if ('dates' in unit) addPartToFeedMetadata(metadata, unit)
  const text = isLong ? { readUnits: 0 } : await generateInMemory(source, { units, metadata }, bounds)
  if (Buffer.isBuffer(text)) return { document: { type: writer.type, text }, metadata }

  streams.assertSlotAvailable(client)
  await addOutlines(source, { units: units.slice(text.readUnits), metadata }, bounds)
  const begin = writer.begin(feed, metadata)
  const pieces = streamChunks(source, { begin, units }, bounds)
  return { document: { type: writer.type, etag: validatorOf(source, begin), pieces }, metadata }
}

interface FeedUnits {
  readonly units: readonly FeedUnit[]
  /** Receives the metadata of all events that are read. */
  readonly metadata: FeedMetadata
}

/** Returns the whole feed. If it gets too long, returns how many units were read until then. */
async function generateInMemory(
  source: FeedSource,
  { units, metadata }: FeedUnits,
  bounds: FeedLimits,
): Promise<Buffer | { readonly readUnits: number }> {
  const { writer, feed, found, streams } = source
  const parts: Buffer[] = []
  const written: WrittenBatch[] = []
  let octets = 0
  const unknown = units.flatMap((unit) => ('dates' in unit ? [] : unknownKeys(unit)))
  const links = await found.readLinks(unknown.map(({ id }) => id))
  for (const [number, unit] of units.entries()) {
    if (number > 0) await streams.nextTurn()
    const added =
      'dates' in unit
        ? await writeSeries(source, { unit, metadata, mostOctets: bounds.written - octets }, bounds)
        : await writeBatch(source, unit, { metadata, written, links })
    for (const part of added) octets += part.length
    if (octets > bounds.written) return { readUnits: number + 1 }
    parts.push(...added)
  }
  // A feed that got too long reads its events again, and would only take the room of others.
  for (const batch of written) if (batch.events.length > 0) source.entries?.keep(batch)
  const begin = bytesOf(writer, [writer.begin(feed, metadata)])
  return Buffer.concat([begin, ...parts, bytesOf(writer, [writer.end(feed)])])
}

/** The entries of a feed, as far as they are written. */
interface WrittenUnits {
  readonly metadata: FeedMetadata
  /** Receives the entries that were not known. */
  readonly written: WrittenBatch[]
  /** The links of these events. */
  readonly links: LinksOfEvents
}

/** Returns the entries of a batch, and adds their metadata. Reads and writes only those that are not known. */
async function writeBatch(
  { writer, feed, found }: FeedSource,
  batch: EventBatch,
  { metadata, written: all, links }: WrittenUnits,
): Promise<readonly Buffer[]> {
  const keys = unknownKeys(batch)
  const events = await readForFeed(found, keys, { links })
  const written = {
    ...{ keys, events, metadata: events.map(entryMetadataOf) },
    texts: writer.toBytes(events.map((event) => writer.event(feed, event))),
  }
  all.push(written)
  if (batch.known.size === 0) {
    addToFeedMetadata(metadata, written.metadata)
    return [written.texts.bytes]
  }
  const bytes = bytesOfEach(written.texts)
  const added = new Map<number, WrittenEntry>()
  for (const [place, event] of events.entries()) {
    added.set(event.id, { bytes: bytes[place] as Buffer, metadata: written.metadata[place] as EntryMetadata })
  }
  const inOrder = batch.keys.flatMap(({ id }) => batch.known.get(id) ?? added.get(id) ?? [])
  addToFeedMetadata(
    metadata,
    inOrder.map((entry) => entry.metadata),
  )
  return inOrder.map((entry) => entry.bytes)
}

interface SeriesWriting {
  readonly unit: SeriesPart
  readonly metadata: FeedMetadata
  /** Writing ends if the entries exceed this size in bytes. The metadata of all dates are added all the same. */
  readonly mostOctets: number
}

/** Returns the dates of a segment. They are read twice, so they stay in memory: all events of such a feed fit. */
async function writeSeries(
  { writer, feed, found, streams }: FeedSource,
  { unit, metadata, mostOctets }: SeriesWriting,
  bounds: FeedLimits,
): Promise<readonly Buffer[]> {
  const known = new Map<number, LinkedEvent>()
  const read = async (keys: readonly EventKey[]) => {
    if (known.size > 0) await streams.nextTurn()
    if (keys.every(({ id }) => known.has(id))) return keys.flatMap(({ id }) => known.get(id) ?? [])
    const events = await readForFeed(found, keys)
    addToFeedMetadata(metadata, events.map(entryMetadataOf))
    for (const event of events) known.set(event.id, withoutTextsOfLinks(event))
    return events
  }
  const parts: Buffer[] = []
  let octets = 0
  for await (const texts of textsOf({ writer, feed, read, bounds }, unit)) {
    const part = bytesOf(writer, texts)
    octets += part.length
    parts.push(part)
    if (octets <= mostOctets) continue
    for (const { keys } of batchesOf(unit.dates, bounds)) await read(keys)
    break
  }
  return parts
}

/** Adds the metadata of events that were not written. */
async function addOutlines(
  { found, streams }: FeedSource,
  { units, metadata }: FeedUnits,
  bounds: FeedLimits,
): Promise<void> {
  for (const batch of units.flatMap((unit) => ('dates' in unit ? batchesOf(unit.dates, bounds) : unit))) {
    const outlines = await readForFeed(found, unknownKeys(batch), { isOutline: true })
    const read = new Map(outlines.map((event) => [event.id as number, entryMetadataOf(event)]))
    addToFeedMetadata(
      metadata,
      batch.keys.flatMap(({ id }) => batch.known.get(id)?.metadata ?? read.get(id) ?? []),
    )
    await streams.nextTurn()
  }
}

/**
 * Yields the feed in pieces. While the client reads a piece, at most one batch of events waits in memory, with all texts
 * that were written of it. Each event is read again: the client may take long, and events may be hidden in the meantime.
 */
async function* streamChunks(
  { writer, feed, found, streams }: FeedSource,
  { begin, units }: { readonly begin: string; readonly units: readonly FeedUnit[] },
  bounds: FeedLimits,
): AsyncGenerator<Buffer> {
  let text = begin
  const read = (keys: readonly EventKey[]) => streams.inTurn(() => readForFeed(found, keys))
  for (const unit of units.flatMap((one): readonly FeedUnit[] =>
    'dates' in one ? [one] : batchesOf(one.keys, bounds),
  )) {
    for await (const texts of textsOf({ writer, feed, read, bounds }, unit)) {
      for (const added of texts) {
        text += added
        if (text.length < bounds.piece) continue
        yield bytesOf(writer, [text])
        text = ''
      }
    }
  }
  yield bytesOf(writer, [text + writer.end(feed)])
}

interface Writing extends Pick<FeedSource, 'writer' | 'feed'> {
  readonly read: (keys: readonly EventKey[]) => Promise<readonly LinkedEvent[]>
  readonly bounds: FeedLimits
}

/** Yields the texts of a unit, those of events that are read together at once. */
async function* textsOf({ writer, feed, read, bounds }: Writing, unit: FeedUnit): AsyncGenerator<readonly string[]> {
  if (!('dates' in unit)) {
    const events = await read(unit.keys)
    yield events.map((event) => writer.event(feed, event))
    return
  }
  async function* readBatches(dates: readonly EventKey[]) {
    for (const { keys } of batchesOf(dates, bounds)) yield await read(keys)
  }
  if (writer.series) for await (const text of writer.series.write(feed, unit, readBatches)) yield [text]
}

function bytesOf(writer: FeedWriter, texts: readonly string[]): Buffer {
  return writer.toBytes(texts).bytes
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

/**
 * Returns a weak validator (RFC 9110, 8.8.1) of a text that does not exist yet. It differs after every write, because a
 * change made while a client reads may or may not be in the response.
 */
function validatorOf({ writer, found, series, state }: FeedSource, begin: string): string {
  const events = found.items.map((key) => [key.id, key.changeCount, key.octets, found.isMasked(key)])
  return `W/"${hash('sha1', JSON.stringify([writer.type, begin, state, found.total, events, series !== undefined]), 'base64url')}"`
}
