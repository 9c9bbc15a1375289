import { assertAllowed, mayEdit, mayRestore } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import { findEventOrFail } from '../events/read/read.service.ts'
import { publishLinkedDrafts, setPublication } from '../events/write/event.service.ts'
import { countTermsOf, updateTermCounts } from '../events/write/terms.service.ts'
import { saveSegments, touchTemplates } from '../occurrences/occurrence.writing.repository.ts'
import { restoredPublication } from '../records/record.status.ts'
import type { WriteContext } from '../records/write.context.ts'
import { type ChangedSeries, findChangedSeries, findSeriesOfDate, nextDate } from './series.change.service.ts'
import { type SeriesResult, summarizeSeries } from './series.create.service.ts'
import { setStatuses } from './series.following.service.ts'
import { listDates, saveState } from './series.repository.ts'
import { endBefore } from './series.segments.ts'
import { assertMayDrop, dropDates } from './series.times.service.ts'
import { eventIdsOf, isLive, noCounts, type SeriesCounts, type SeriesDate, type SeriesScope } from './series.ts'

export interface TrashedDates {
  readonly scope: Exclude<SeriesScope, 'this'>
  readonly drop?: boolean | undefined
}

/**
 * Moves the named date of a series and all later ones to the trash, or the series with all its dates.
 *
 * @throws rest_forbidden, rest-event-not-found, event-is-in-trash, series-scope, series-is-in-trash, series-dates-in-use
 */
export async function trashDates(write: WriteContext, eventId: number, of: TrashedDates): Promise<SeriesResult> {
  const found = await findSeriesOfDate(write, eventId)
  const { named, dates } = found
  if (of.scope === 'all' || named === undefined) return trashFound(write, found)
  if (!isLive(named)) fail('event-is-in-trash')
  const isFirst = !dates.some((date) => isLive(date) && date.recurrenceId < named.recurrenceId)
  if (isFirst) return trashFound(write, found)
  return trashFollowing(write, { ...found, named }, of.drop === true)
}

/**
 * Moves a series and all its dates to the trash.
 *
 * @throws rest_forbidden, series-not-found, series-is-in-trash
 */
export async function trashSeries(write: WriteContext, templateId: number): Promise<SeriesResult> {
  return trashFound(write, await findChangedSeries(write, templateId))
}

async function trashFound(write: WriteContext, found: ChangedSeries): Promise<SeriesResult> {
  const { tx, now } = write
  const { series, dates } = found
  if (series.templates[0].status === 'trash') fail('series-is-in-trash')
  const trashed = dates.filter(({ status }) => status !== 'trash')
  assertMayEdit(write, [...series.templates, ...trashed])
  const before = await countTermsOf(tx, eventIdsOf(trashed))
  for (const template of series.templates) {
    if (template.status !== 'trash') await setPublication(write, template, { ...template, status: 'trash' })
  }
  await setStatuses(tx, trashed, { at: now(), next: (date) => ({ ...date, status: 'trash' }) })
  await updateTermCounts(tx, before)
  return resultOf(write, found, { ...noCounts, dropped: countDates(trashed) })
}

async function trashFollowing(
  write: WriteContext,
  found: ChangedSeries & { readonly named: SeriesDate },
  drop: boolean,
): Promise<SeriesResult> {
  const { tx, now } = write
  const { series, dates, named, template } = found
  if (template.status === 'trash') fail('series-is-in-trash')
  const lost = dates.filter((date) => isLive(date) && date.recurrenceId >= named.recurrenceId)
  assertMayEdit(write, [...series.templates, ...lost])
  assertMayDrop(lost, drop)
  const before = await countTermsOf(tx, eventIdsOf(lost))
  await dropDates(tx, lost, now())
  await updateTermCounts(tx, before)
  const segments = endBefore(series.segments, named.recurrenceId)
  await saveSegments(tx, series.id, { before: series.segments, after: segments })
  const madeUntil = dates.findLast((date) => isLive(date) && date.recurrenceId < named.recurrenceId)?.recurrenceId
  const state = { madeUntil: madeUntil ?? series.madeUntil, isEndless: false, sequence: series.sequence + 1 }
  await saveState(tx, { id: series.id, ...state })
  await touchTemplates(tx, series.id, now())
  return { ...(await resultOf(write, found, { ...noCounts, dropped: countDates(lost) })), dropped: lost }
}

/**
 * Restores a series with the dates that went to the trash with it.
 *
 * @throws rest_forbidden, series-not-found, record-not-in-trash, series-no-dates
 */
export async function restoreSeries(write: WriteContext, templateId: number): Promise<SeriesResult> {
  const { tx, actor, now } = write
  const found = await findChangedSeries(write, templateId)
  const { series, dates } = found
  if (series.templates[0].status !== 'trash') fail('record-not-in-trash')
  // Somebody may have deleted them from the trash.
  if (!dates.some(isLive)) fail('series-no-dates')
  const restored = dates.filter((date) => isLive(date) && date.status === 'trash')
  for (const one of [...series.templates, ...restored]) assertAllowed(actor, mayRestore(actor, one))
  const before = await countTermsOf(tx, eventIdsOf(restored))
  const at = now()
  for (const template of series.templates) {
    await setPublication(write, template, restoredPublication(template, at))
  }
  await setStatuses(tx, restored, { at, next: (date) => restoredPublication(date, at) })
  await updateTermCounts(tx, before)
  const result = await resultOf(write, found, { ...noCounts, added: countDates(restored) })
  await publishLinkedDrafts(write, result.event)
  return result
}

async function resultOf(write: WriteContext, found: ChangedSeries, counts: SeriesCounts): Promise<SeriesResult> {
  const { tx, now } = write
  const { series, template, named } = found
  const dates = await listDates(tx, series.id)
  await summarizeSeries(tx, series.id, { eventIds: eventIdsOf(dates), counts })
  const shown = named?.eventId ?? nextDate(dates, template.language, now())?.eventId
  return { seriesId: series.id, event: await findEventOrFail(tx, shown), counts }
}

function assertMayEdit({ actor }: WriteContext, owned: readonly Pick<SeriesDate, 'authorId' | 'status'>[]): void {
  for (const one of owned) assertAllowed(actor, mayEdit(actor, one))
}

/** Translations of a date count once. */
function countDates(dates: readonly SeriesDate[]): number {
  return new Set(dates.map(({ recurrenceId }) => recurrenceId)).size
}
