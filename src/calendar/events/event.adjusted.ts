import { dayOf, type Wall } from '../../base/time/wall.ts'
import type { WriteContext } from '../directory/directory.service.ts'
import { tellRecord } from '../records/record.adjusted.ts'
import { type EventChanges, type NewEvent, wallOf } from './event.changes.ts'
import type { CalendarEvent, EventTimes } from './event.ts'

/**
 * Tells what an event has otherwise than it was sent: besides what all records have, a start in the hour that a clock
 * leaves out, and an end that would lie before the start (events.md §3, §8 row 9).
 *
 * @param event As it is after the write.
 * @param before The times that it had, where it had some: an end that was not sent is moved as well.
 */
export function tellEvent(
  { told, config }: Pick<WriteContext, 'told' | 'config'>,
  sent: EventChanges | NewEvent,
  event: CalendarEvent,
  before?: EventTimes,
): void {
  if (!told) return
  tellRecord(told, sent, event, config.siteZone)
  const { start_date, end_date, all_day, timezone } = sent
  if ([start_date, end_date, all_day, timezone].every((value) => value === undefined)) return
  const { zone, isAllDay, modifiedAt } = event
  const tell = (name: 'start_date' | 'end_date', wanted: Wall | undefined, kept: Wall) => {
    const isKept = wanted === undefined || (isAllDay ? dayOf(wanted) === dayOf(kept) : wanted === kept)
    if (!isKept) told.adjust(name, { to: kept })
  }
  tell('start_date', start_date === undefined ? before?.start : wallOf(start_date, zone, modifiedAt), event.start)
  tell('end_date', end_date === undefined ? before?.end : wallOf(end_date, zone, modifiedAt), event.end)
}
