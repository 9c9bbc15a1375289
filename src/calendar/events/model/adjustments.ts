import { dayOf } from '../../../base/time/local.date.time.ts'
import { reportRecordAdjustments } from '../../records/record.adjustments.ts'
import type { WriteContext } from '../../records/write.context.ts'
import { type EventPatch, parseLocalDateTime } from './event.changes.ts'
import type { CalendarEvent, EventTimes } from './event.ts'
import { argumentOf } from './fields.derived.ts'

/**
 * Reports values of an event that differ from the sent ones. Besides the adjustments of all records, these are a start
 * in the hour that a clock change skips and an end before the start (events.md §3, §8 row 9).
 *
 * @param after The event after the write.
 * @param before The earlier times of the event, if any: an end that was not sent can move as well.
 */
export function reportEventAdjustments(
  { report, config }: Pick<WriteContext, 'report' | 'config'>,
  patch: EventPatch,
  { after, before }: { readonly after: CalendarEvent; readonly before?: EventTimes },
): void {
  if (!report) return
  const { status, slug, date, dateUtc } = patch
  reportRecordAdjustments({ report, config }, { status, slug, date, dateUtc }, after)
  if ([patch.start, patch.end, patch.isAllDay, patch.zone].every((value) => value === undefined)) return
  const { zone, isAllDay, modifiedAt: now } = after
  const reading = { zone, now, hasInstants: patch.hasInstants }
  for (const property of ['start', 'end'] as const) {
    const sent = patch[property]
    const wanted = sent === undefined ? before?.[property] : parseLocalDateTime(sent, reading)
    const kept = after[property]
    const isKept = wanted === undefined || (isAllDay ? dayOf(wanted) === dayOf(kept) : wanted === kept)
    if (!isKept) report.adjust(argumentOf[property], { to: kept })
  }
}
