import type { StreamedDocument, TextDocument } from '../../access/http/route.ts'
import type { FeedLimits } from '../../base/limits/feed.limits.ts'
import type { Streams } from '../../base/limits/stream.slots.ts'
import type { EventKey } from '../../calendar/events/list/keys.repository.ts'
import type { EventKeyPage } from '../../calendar/events/list/list.service.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import type { SeriesOfFeed } from './feed.series.ts'
import {
  addPartToFeedMetadata,
  addToFeedMetadata,
  emptyFeedMetadata,
  entryMetadataOf,
  type Feed,
  type FeedMetadata,
  type FeedWriter,
} from './feed.ts'
import { batchesOf, type FeedUnit, readForFeed, unitsOf } from './feed.units.ts'

export interface FeedSource {
  readonly writer: FeedWriter
  readonly feed: Feed
  readonly found: EventKeyPage
  /** The series of the events, if the format writes the dates of each together. */
  readonly series?: SeriesOfFeed | undefined
  /** See `feedState`. */
  readonly state: string
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
 * written while the client takes them. Its validator is the state that it was begun with, which is weak (RFC 9110,
 * 8.8.1), because events may change until they are read.
 *
 * @throws service_unavailable, if the feed is long and too many long feeds are already being read
 */
export async function generateFeed(source: FeedSource, bounds: FeedLimits): Promise<GeneratedFeed> {
  const { writer, feed, found, state, streams, client } = source
  const { type } = writer
  const units = unitsOf(source, bounds)
  const isLong = found.items.reduce((sum, key) => sum + key.octets, 0) > bounds.whole
  const metadata = emptyFeedMetadata()
  const entries = isLong ? undefined : await writeEntries(source, { units, metadata }, bounds)
  if (entries) {
    const begin = writer.toBytes([writer.begin(feed, metadata)])
    const end = writer.toBytes([writer.end(feed)])
    return { document: { type, text: Buffer.concat([begin, ...entries, end]) }, metadata }
  }
  streams.assertSlotAvailable(client)
  const all = await readMetadata(source, units, bounds)
  const pieces = streamChunks(source, { begin: writer.begin(feed, all), units }, bounds)
  return { document: { type, etag: `W/"${state}"`, pieces }, metadata: all }
}

interface FeedUnits {
  readonly units: readonly FeedUnit[]
  /** Receives the metadata of all events that are read. */
  readonly metadata: FeedMetadata
}

/** Returns the entries of a feed, or undefined if they get too long. */
async function writeEntries(
  { writer, feed, found, streams }: FeedSource,
  { units, metadata }: FeedUnits,
  bounds: FeedLimits,
): Promise<readonly Buffer[] | undefined> {
  addParts(metadata, units)
  const read = async (keys: readonly EventKey[]) => {
    if (octets > 0) await streams.nextTurn()
    const events = await readForFeed(found, keys)
    addToFeedMetadata(metadata, events.map(entryMetadataOf))
    return events
  }
  const entries: Buffer[] = []
  let octets = 0
  for (const unit of units) {
    for await (const texts of textsOf({ writer, feed, read, bounds }, unit)) {
      const bytes = writer.toBytes(texts)
      octets += bytes.length
      if (octets > bounds.written) return undefined
      entries.push(bytes)
    }
  }
  return entries
}

/** Returns the metadata of all events of a feed. Reads no texts. */
async function readMetadata(
  { found, streams }: FeedSource,
  units: readonly FeedUnit[],
  bounds: FeedLimits,
): Promise<FeedMetadata> {
  const metadata = emptyFeedMetadata()
  addParts(metadata, units)
  for (const keys of units.flatMap((unit) => ('dates' in unit ? batchesOf(unit.dates, bounds) : [unit]))) {
    addToFeedMetadata(metadata, (await readForFeed(found, keys, true)).map(entryMetadataOf))
    await streams.nextTurn()
  }
  return metadata
}

function addParts(metadata: FeedMetadata, units: readonly FeedUnit[]): void {
  for (const unit of units) if ('dates' in unit) addPartToFeedMetadata(metadata, unit)
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
  for (const unit of units) {
    for await (const texts of textsOf({ writer, feed, read, bounds }, unit)) {
      for (const added of texts) {
        text += added
        if (text.length < bounds.piece) continue
        yield writer.toBytes([text])
        text = ''
      }
    }
  }
  yield writer.toBytes([text + writer.end(feed)])
}

interface Writing extends Pick<FeedSource, 'writer' | 'feed'> {
  readonly read: (keys: readonly EventKey[]) => Promise<readonly LinkedEvent[]>
  readonly bounds: FeedLimits
}

/** Yields the texts of a unit, those of events that are read together at once. */
async function* textsOf({ writer, feed, read, bounds }: Writing, unit: FeedUnit): AsyncGenerator<readonly string[]> {
  if (!('dates' in unit)) {
    const events = await read(unit)
    yield events.map((event) => writer.event(feed, event))
    return
  }
  async function* readBatches(dates: readonly EventKey[]) {
    for (const keys of batchesOf(dates, bounds)) yield await read(keys)
  }
  if (writer.series) for await (const text of writer.series.write(feed, unit, readBatches)) yield [text]
}
