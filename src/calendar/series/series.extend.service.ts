import type { Deps } from '../../access/deps.ts'
import { addSeconds, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { utcZone } from '../../base/time/zone.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { addDates } from './series.adding.service.ts'
import { summarizeSeries } from './series.create.service.ts'
import { expandSeries, later } from './series.dates.ts'
import { horizonAt } from './series.recurrence.ts'
import { findSeries, listDates, listShortSeries, saveState } from './series.repository.ts'
import { datesAtOnce, isLive, noCounts, type Series } from './series.ts'

// Series without an end get the dates that come into sight.

const daySeconds = 86_400

/** Whether a series lacks dates within the horizon. Costs one index lookup. */
export async function hasShortSeries(deps: Deps): Promise<boolean> {
  return (await listShortSeries(deps.storage.db, dueBefore(deps), 1)).length > 0
}

/**
 * Adds the missing dates of the series that needs it most, a limited number in one write.
 *
 * @returns whether there may be more.
 */
export async function extendBatch(deps: Deps): Promise<boolean> {
  const { storage, config, now } = deps
  return storage.write(async (tx) => {
    // Looked up in the transaction, because another process may have added the dates.
    const [id] = await listShortSeries(tx, dueBefore(deps), 1)
    const series = id === undefined ? undefined : await findSeries(tx, id)
    if (!series) return false
    const at = now()
    const last = series.segments.at(-1)
    const horizon = last ? later(horizonAt(config, last.zone, at), last.start) : series.madeUntil
    const dates = (await listDates(tx, series.id)).filter(isLive)
    // Dates that are over do not count, so that a series can continue for years.
    const coming = new Set(dates.flatMap(({ recurrenceId, endUtc }) => (endUtc >= at ? [recurrenceId] : [])))
    const room = Math.max(0, Math.min(datesAtOnce, config.seriesMostDates - coming.size))
    const from = addSeconds(series.madeUntil, 1)
    const { dates: given, isCut } = expandSeries(series.segments, { through: horizon, limit: room, from })
    const ids = await addDates(tx, series, { given, at })
    const isPart = isCut && room === datesAtOnce
    const madeUntil = isPart ? (given.at(-1)?.recurrenceId ?? horizon) : horizon
    await saveState(tx, { ...series, madeUntil: later(madeUntil, series.madeUntil) })
    if (ids.length > 0) await summarize(tx, series, ids)
    return true
  })
}

async function summarize(tx: Tx, series: Series, ids: readonly number[]): Promise<void> {
  const counts = { ...noCounts, added: ids.length }
  const dates = await listDates(tx, series.id)
  const eventIds = dates.map(({ eventId }) => eventId)
  await summarizeSeries(tx, series.id, { eventIds, counts })
}

/** Series are extended by a day at a time at most, so that they are not written every second. */
function dueBefore({ config, now }: Pick<Deps, 'config' | 'now'>): LocalDateTime {
  return addSeconds(horizonAt(config, utcZone, now()), -daySeconds)
}
