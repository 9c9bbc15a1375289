import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { reportRecordAdjustments } from '../records/record.adjustments.ts'
import type { WriteContext } from '../records/write.context.ts'
import { type EventChanges, type NewEvent, parseLocalDateTime } from './event.changes.ts'
import type { CalendarEvent, EventTimes } from './event.ts'

/**
 * Tells what an event has otherwise than it was sent: besides what all records have, a start in the hour that a clock
 * leaves out, and an end that would lie before the start (events.md §3, §8 row 9).
 *
 * @param event As it is after the write.
 * @param before The times that it had, where it had some: an end that was not sent is moved as well.
 */
export function reportEventAdjustments(
  write: Pick<WriteContext, 'report' | 'config'>,
  sent: EventChanges | NewEvent,
  event: CalendarEvent,
  before?: EventTimes,
): void {
  const { report } = write
  if (!report) return
  const { status, date, date_utc: dateUtc, slug } = sent
  reportRecordAdjustments(write, { status, date, dateUtc, slug }, event)
  const { start_date, end_date, all_day, timezone } = sent
  if ([start_date, end_date, all_day, timezone].every((value) => value === undefined)) return
  const { zone, isAllDay, modifiedAt } = event
  const tell = (name: 'start_date' | 'end_date', wanted: LocalDateTime | undefined, kept: LocalDateTime) => {
    const isKept = wanted === undefined || (isAllDay ? dayOf(wanted) === dayOf(kept) : wanted === kept)
    if (!isKept) report.adjust(name, { to: kept })
  }
  tell(
    'start_date',
    start_date === undefined ? before?.start : parseLocalDateTime(start_date, zone, modifiedAt),
    event.start,
  )
  tell('end_date', end_date === undefined ? before?.end : parseLocalDateTime(end_date, zone, modifiedAt), event.end)
}
