import type { FeedLimits } from '../../base/limits/feed.limits.ts'
import type { EventKey } from '../../calendar/events/list/keys.repository.ts'
import type { EventKeyPage } from '../../calendar/events/list/list.service.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { partsOf, type SeriesOfFeed, type SeriesPart } from './feed.series.ts'
import { type FeedWriter, maskEvent } from './feed.ts'

/** Events that are written together: those that are read at once, or the dates of a segment. */
export type FeedUnit = readonly EventKey[] | SeriesPart

interface FeedItems {
  readonly writer: FeedWriter
  readonly found: Pick<EventKeyPage, 'items' | 'isMasked'>
  /** The series of the events, if the format writes the dates of each together. */
  readonly series?: SeriesOfFeed | undefined
}

/** Returns the units of a feed, in the order of its list. */
export function unitsOf({ writer, found, series }: FeedItems, bounds: FeedLimits): readonly FeedUnit[] {
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

/** Returns events in batches that are read together. */
export function batchesOf(
  keys: readonly EventKey[],
  { batchEvents, batchOctets }: FeedLimits,
): readonly (readonly EventKey[])[] {
  const batches: EventKey[][] = []
  let octets = 0
  for (const key of keys) {
    const batch = batches.at(-1)
    octets += key.octets
    if (batch && batch.length < batchEvents && octets <= batchOctets) batch.push(key)
    else {
      batches.push([key])
      octets = key.octets
    }
  }
  return batches
}

/** Returns the events as the caller may see them. An outline has neither texts nor a picture. */
export async function readForFeed(
  { read, isMasked }: EventKeyPage,
  keys: readonly EventKey[],
  isOutline = false,
): Promise<readonly LinkedEvent[]> {
  const events = await read(
    keys.map(({ id }) => id),
    isOutline,
  )
  return events.map((event) => (isMasked(event) ? maskEvent(event) : event))
}
