import type { FeedLimits } from '../../base/limits/feed.limits.ts'
import type { EventKey } from '../../calendar/events/event.keys.repository.ts'
import type { LinksOfEvents } from '../../calendar/events/event.linked.repository.ts'
import type { EventKeyPage } from '../../calendar/events/event.list.service.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import type { KnownEntries, WrittenEntry } from './feed.entries.ts'
import { partsOf, type SeriesOfFeed, type SeriesPart } from './feed.series.ts'
import { type FeedWriter, maskEvent } from './feed.ts'

/** Events that are read together. */
export interface EventBatch {
  readonly keys: readonly EventKey[]
  /** The entries that need not be written again, by event. These events are not read. */
  readonly known: ReadonlyMap<number, WrittenEntry>
}

/** Events that are written together: a batch, or the dates of a segment. */
export type FeedUnit = EventBatch | SeriesPart

interface FeedItems {
  readonly writer: FeedWriter
  readonly found: Pick<EventKeyPage, 'items' | 'isMasked'>
  /** The series of the events, if the format writes the dates of each together. */
  readonly series?: SeriesOfFeed | undefined
}

/** Returns the units of a feed, in the order of its list. */
export function unitsOf(
  { writer, found, series }: FeedItems,
  bounds: FeedLimits,
  entries?: KnownEntries,
): readonly FeedUnit[] {
  const { items } = found
  if (!series || !writer.series) return batchesOf(items, bounds, entries)
  const parts = partsOf(items, series, { isMasked: found.isMasked, canWrite: writer.series.canWrite })
  const units: FeedUnit[] = []
  let alone: EventKey[] = []
  for (const part of parts) {
    if ('dates' in part) {
      units.push(...batchesOf(alone, bounds, entries), part)
      alone = []
    } else alone.push(part)
  }
  return [...units, ...batchesOf(alone, bounds, entries)]
}

/** Returns events in batches that are read together. Events with known entries count for nothing. */
export function batchesOf(
  keys: readonly EventKey[],
  { batchEvents, batchOctets }: FeedLimits,
  entries?: KnownEntries,
): readonly EventBatch[] {
  const batches: { keys: EventKey[]; known: Map<number, WrittenEntry> }[] = []
  let read = 0
  let octets = 0
  for (const key of keys) {
    let batch = batches.at(-1)
    const entry = entries?.find(key)
    if (!entry) {
      read += 1
      octets += key.octets
      if (read > 1 && (read > batchEvents || octets > batchOctets)) {
        batch = undefined
        read = 1
        octets = key.octets
      }
    }
    if (!batch) {
      batch = { keys: [], known: new Map() }
      batches.push(batch)
    }
    batch.keys.push(key)
    if (entry) batch.known.set(key.id, entry)
  }
  return batches
}

/** Returns the keys of a batch whose events must be read. */
export function unknownKeys({ keys, known }: EventBatch): readonly EventKey[] {
  return known.size === 0 ? keys : keys.filter(({ id }) => !known.has(id))
}

/** Returns the events as the caller may see them. Runs no query for none. */
export async function readForFeed(
  { read, isMasked }: EventKeyPage,
  keys: readonly EventKey[],
  { isOutline = false, links }: { readonly isOutline?: boolean; readonly links?: LinksOfEvents } = {},
): Promise<readonly LinkedEvent[]> {
  if (keys.length === 0) return []
  const ids = keys.map(({ id }) => id)
  const events = await read(ids, isOutline, { links })
  return events.map((event) => (isMasked(event) ? maskEvent(event) : event))
}
