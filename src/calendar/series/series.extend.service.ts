import type { Deps } from '../../access/deps.ts'
import { addSeconds, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { utcZone } from '../../base/time/zone.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { countTermsOf, updateTermCounts } from '../events/write/terms.service.ts'
import { saveSegments } from '../occurrences/occurrence.writing.repository.ts'
import { summarizeSeries } from './series.create.service.ts'
import { expandSeries, type GivenDate, later } from './series.dates.ts'
import { withinReach } from './series.reach.ts'
import { horizonAt, isToCome } from './series.recurrence.ts'
import { findSeries, listDates, listShortSeries, type ShortSeries, saveState } from './series.repository.ts'
import { makeDates } from './series.times.service.ts'
import { datesAtOnce, eventIdsOf, isLive, noCounts, type Series, type SeriesDate } from './series.ts'

// Series without an end get the dates that come into sight.

const daySeconds = 86_400
const seriesAtOnce = 100

/** Whether a series lacks dates within the horizon. Costs one index lookup. */
export async function hasShortSeries(deps: Deps): Promise<boolean> {
  return (await listShortSeries(deps.storage.db, { until: dueBefore(deps), limit: 1 })).length > 0
}

/**
 * Adds the missing dates of the series that needs it most, a limited number in one write. A series that cannot have more
 * dates now does not hold up the others.
 *
 * @returns whether there may be more.
 * @throws AggregateError if no series can be extended, and some because of an error.
 */
export async function extendBatch(deps: Deps): Promise<boolean> {
  const errors: Error[] = []
  const until = dueBefore(deps)
  for (let after: ShortSeries | undefined; ; ) {
    const found = await listShortSeries(deps.storage.db, { until, limit: seriesAtOnce, ...(after ? { after } : {}) })
    for (const { id } of found) {
      try {
        if (await deps.storage.write((tx) => extend(tx, deps, id))) return true
      } catch (error) {
        errors.push(new Error(`The series ${id} cannot be extended.`, { cause: error }))
      }
    }
    after = found.at(-1)
    if (found.length < seriesAtOnce) break
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join(' '))
  return false
}

/** Adds missing dates of a series. @returns whether anything has changed. */
async function extend(tx: Tx, { config, now }: Pick<Deps, 'config' | 'now'>, id: number): Promise<boolean> {
  const at = now()
  const series = await findSeries(tx, id)
  const last = series?.segments.at(-1)
  // Another process may have added the dates.
  if (!series?.isEndless || !last || series.templates[0].status === 'trash') return false
  if (series.madeUntil >= dueBefore({ config, now })) return false
  const horizon = later(horizonAt(config, last.zone, at), last.start)
  const segments = withinReach(series.segments, horizon)
  const dates = await listDates(tx, id)
  const room = config.seriesMostDates - countToCome(dates, at)
  const { batch, madeUntil } = missingDates(segments, { series, dates, horizon, room, at })
  if (madeUntil <= series.madeUntil) return false
  const lost = dates.filter((date) => !isLive(date) && date.recurrenceId > series.madeUntil)
  const termCounts = await countTermsOf(tx, eventIdsOf(lost))
  await saveSegments(tx, id, { before: series.segments, after: segments })
  const ids = await makeDates(tx, series, { given: batch, lost, at })
  await updateTermCounts(tx, termCounts)
  await saveState(tx, { ...series, madeUntil })
  if (batch.length > 0) await summarize(tx, series, ids)
  return true
}

/** Returns the dates that a series lacks, as many as fit into one write, and until when dates exist then. */
function missingDates(
  segments: Series['segments'],
  {
    series,
    dates,
    horizon,
    room,
    at,
  }: {
    readonly series: Series
    readonly dates: readonly SeriesDate[]
    readonly horizon: LocalDateTime
    readonly room: number
    readonly at: number
  },
): { readonly batch: readonly GivenDate[]; readonly madeUntil: LocalDateTime } {
  const from = addSeconds(series.madeUntil, 1)
  const { dates: given } = expandSeries(segments, { through: horizon, limit: Number.POSITIVE_INFINITY, from })
  // Somebody may have added a date before its time.
  const known = new Set(dates.filter(isLive).map(({ recurrenceId }) => recurrenceId))
  const batch: GivenDate[] = []
  let left = room
  for (const date of given) {
    const { recurrenceId, segment } = date
    if (known.has(recurrenceId)) continue
    const isCounted = isToCome({ recurrenceId, zone: segment.zone }, at)
    if (batch.length === datesAtOnce || (isCounted && left <= 0)) {
      return { batch, madeUntil: batch.at(-1)?.recurrenceId ?? series.madeUntil }
    }
    if (isCounted) left -= 1
    batch.push(date)
  }
  return { batch, madeUntil: later(horizon, series.madeUntil) }
}

/** Translations of a date count once. */
function countToCome(dates: readonly SeriesDate[], at: number): number {
  const coming = dates.filter((date) => isLive(date) && isToCome(date, at))
  return new Set(coming.map(({ recurrenceId }) => recurrenceId)).size
}

async function summarize(tx: Tx, series: Series, ids: readonly number[]): Promise<void> {
  const counts = { ...noCounts, added: ids.length }
  const dates = await listDates(tx, series.id)
  const eventIds = eventIdsOf(dates)
  await summarizeSeries(tx, series.id, { eventIds, counts })
}

/** Series are extended by a day at a time at most, so that they are not written every second. */
function dueBefore({ config, now }: Pick<Deps, 'config' | 'now'>): LocalDateTime {
  return addSeconds(horizonAt(config, utcZone, now()), -daySeconds)
}
