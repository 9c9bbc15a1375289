import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { EventKey } from '../../calendar/events/list/keys.repository.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import type { SeriesMembership, SeriesSegment } from '../../calendar/occurrences/occurrence.ts'
import { segmentOf } from '../../calendar/occurrences/segment.dates.ts'

// Formats that know rules write the dates of a segment together. Other events are written one by one.

/** What a feed tells of a series besides its dates. */
export interface SeriesState {
  /** The number of changes of its dates. */
  readonly sequence: number
  /** The time of its last change, in seconds since 1970. */
  readonly modifiedAt: number
}

/** The series of the events of a feed. */
export interface SeriesOfFeed {
  readonly memberships: ReadonlyMap<number, SeriesMembership>
  readonly states: ReadonlyMap<number, SeriesState>
}

export interface DateKey extends EventKey {
  readonly recurrenceId: LocalDateTime
}

/** The dates of one segment of a series in a feed, in order. */
export interface SeriesPart {
  readonly seriesId: number
  readonly segment: SeriesSegment
  readonly base: string
  readonly state: SeriesState
  readonly dates: readonly DateKey[]
  /** The ids of the other segments of the series that have dates in the feed. */
  readonly siblings: readonly number[]
}

/** Reads events of a feed, in batches. Those that no longer exist are left out. */
export type ReadEvents = (keys: readonly EventKey[]) => AsyncIterable<readonly LinkedEvent[]>

interface PartOptions {
  readonly isMasked: (key: EventKey) => boolean
  /** Whether a format can write the dates of a segment together. */
  readonly canWrite: (segment: SeriesSegment) => boolean
}

/** Returns the parts of a feed in the order of its list. A part of a series is where its first date would be. */
export function partsOf(
  keys: readonly EventKey[],
  series: SeriesOfFeed,
  { isMasked, canWrite }: PartOptions,
): readonly (EventKey | SeriesPart)[] {
  const found = new Map<string, { membership: SeriesMembership; segment: SeriesSegment; dates: DateKey[] }>()
  const inOrder = keys.map((key) => {
    const membership = series.memberships.get(key.id)
    const segment = membership && segmentOf(membership.rules, membership.recurrenceId)
    // A masked event does not tell that it lasts whole days.
    const isAlone = !segment || membership.isDropped || !canWrite(segment) || (segment.isAllDay && isMasked(key))
    if (isAlone) return key
    const name = `${membership.seriesId}/${segment.position}`
    const known = found.get(name) ?? { membership, segment, dates: [] }
    // Versions in several languages are the same date.
    if (known.dates.some(({ recurrenceId }) => recurrenceId === membership.recurrenceId)) return key
    found.set(name, known)
    known.dates.push({ ...key, recurrenceId: membership.recurrenceId })
    return known
  })
  const parts = [...found.values()]
  return [...new Set(inOrder)].map((one) => {
    if (!('dates' in one)) return one
    const { membership, segment, dates } = one
    const { seriesId, base } = membership
    const others = parts.filter((other) => other !== one && other.membership.seriesId === seriesId)
    return {
      ...{ seriesId, segment, base },
      state: series.states.get(seriesId) ?? { sequence: 0, modifiedAt: 0 },
      dates: dates.toSorted((a, b) => (a.recurrenceId < b.recurrenceId ? -1 : 1)),
      siblings: others.map((other) => other.segment.id),
    }
  })
}
