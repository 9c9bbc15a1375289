import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Db } from '../../storage/database/tables.ts'
import { hasTimes, timesOfDate } from '../events/model/date.times.ts'
import { seriesPage } from './series.check.repository.ts'
import { endOfTime, expandSeries, isMade } from './series.dates.ts'
import { timesField } from './series.fields.ts'
import { findSeries, listDates } from './series.repository.ts'

const seriesAtOnce = 100

/** Yields the dates of all series that are not what the rules give: missing, too many, or at another time. For checks. */
export async function* listWrongDates(db: Db): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const { rows } = await seriesPage(after, seriesAtOnce).execute(db)
    for (const { id } of rows) yield* wrongDatesOf(db, id)
    const last = rows.at(-1)
    if (!last || rows.length < seriesAtOnce) return
    after = last.id
  }
}

async function* wrongDatesOf(db: Db, id: number): AsyncGenerator<string> {
  const series = await findSeries(db, id)
  if (!series) return
  const through = series.isEndless ? series.madeUntil : endOfTime
  const { dates } = expandSeries(series.segments, { through: endOfTime, limit: Number.POSITIVE_INFINITY })
  const given = new Map(dates.map((date) => [date.recurrenceId, date]))
  const live = (await listDates(db, id)).filter(({ isDropped }) => !isDropped)
  const seen = new Set<LocalDateTime>()
  for (const date of live) {
    seen.add(date.recurrenceId)
    const rule = given.get(date.recurrenceId)
    if (!rule) yield `event ${date.eventId}, ${date.recurrenceId}: the rules do not give it`
    else if (!date.ownFields.includes(timesField) && !hasTimes(date, timesOfDate(rule.segment, date.recurrenceId))) {
      yield `event ${date.eventId}, ${date.recurrenceId}: it has other times`
    }
  }
  for (const [recurrenceId, date] of given) {
    // The rules of a series without an end may know dates before they are due.
    if (!seen.has(recurrenceId) && isMade(date, through)) yield `series ${id}, ${recurrenceId}: it has no event`
  }
}
