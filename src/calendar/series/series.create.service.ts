import type { Language } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { keepPendingAudit, summarizePendingAudit } from '../../storage/database/audit/audit.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { EventDraft } from '../events/model/event.changes.ts'
import type { CalendarEvent, EventTimes } from '../events/model/event.ts'
import { sanitizedTitle } from '../events/model/texts.ts'
import { findEventOrFail } from '../events/read/read.service.ts'
import { createOne } from '../events/write/create.service.ts'
import { publishLinkedDrafts } from '../events/write/event.service.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { saveSegments } from '../occurrences/occurrence.writing.repository.ts'
import { assertReferencesExist } from '../records/record.references.ts'
import { completeSlug } from '../records/record.repository.ts'
import { uniqueRecordSlug } from '../records/record.slug.ts'
import type { WriteContext } from '../records/write.context.ts'
import type { Recurrence } from '../recurrence/recurrence.ts'
import { addDates } from './series.adding.service.ts'
import { expandWithin, recurrenceFrom } from './series.recurrence.ts'
import { saveState } from './series.repository.ts'
import { assertDatesFit } from './series.size.ts'
import { noCounts, type SeriesCounts, type SeriesDate } from './series.ts'

export interface SeriesDraft {
  readonly draft: EventDraft
  /** What repeats, as it was sent. */
  readonly recurrence: unknown
  readonly language: Language
}

export interface SeriesResult {
  readonly seriesId: number
  /** The template to answer with, if the request does not name it. */
  readonly templateId?: number
  /** The event that the request named, or the first date. */
  readonly event: CalendarEvent
  readonly counts: SeriesCounts
  /** The local starts of new dates. */
  readonly added?: readonly LocalDateTime[]
  /** The dates that the series no longer has. */
  readonly dropped?: readonly SeriesDate[]
}

/**
 * Creates a series with all its dates, or those within the horizon if it has no end.
 *
 * @throws rest_forbidden, rest_invalid_param, series-invalid-rule, series-too-many-dates, series-no-dates
 */
export async function createSeries(
  write: WriteContext,
  { draft, recurrence: sent, language }: SeriesDraft,
): Promise<SeriesResult> {
  const { tx, config, now } = write
  await keepPendingAudit(tx)
  const template = await createSeriesTemplate(write, draft, language)
  const wanted = [firstSegment(template, recurrenceFrom(sent, template))]
  const { given, counted, segments, ...state } = expandWithin(wanted, { config, at: now() })
  assertDatesFit([template], counted)
  await saveSegments(tx, template.id, { before: [], after: segments })
  await saveState(tx, { id: template.id, ...state, sequence: 0 })
  const series = { id: template.id, templates: [template] as const }
  const ids = await addDates(tx, series, { given, at: template.modifiedAt })
  await publishLinkedDrafts(write, template)
  const counts = { ...noCounts, added: ids.length }
  await summarizeSeries(tx, template.id, { eventIds: ids, counts })
  const added = given.map(({ recurrenceId }) => recurrenceId)
  return { seriesId: template.id, event: await findEventOrFail(tx, ids[0]), counts, added }
}

/** Creates the template of a new series. It always has a slug of its own, because the addresses of its dates contain it. */
async function createSeriesTemplate(
  write: WriteContext,
  draft: EventDraft,
  language: Language,
): Promise<CalendarEvent> {
  const { tx } = write
  const wanted = slugFrom(draft.slug ?? '') || slugFrom(sanitizedTitle(draft.title))
  const owner = { kind: 'event', language, status: 'publish', id: undefined } as const
  const slug = await uniqueRecordSlug(tx, owner, wanted)
  const template = await createTemplate(write, { ...draft, slug }, language)
  if (template.status === 'trash') fail('series-is-in-trash')
  if (template.slug !== '') return template
  await completeSlug(tx, template.id, String(template.id))
  return { ...template, slug: String(template.id) }
}

/** Returns the only segment of a new series. */
export function firstSegment({ start, end, zone, isAllDay }: EventTimes, recurrence: Recurrence): SeriesSegment {
  return { id: 0, position: 0, from: start, start, end, zone, isAllDay, recurrence }
}

/** Makes one audit entry of a write to a series, instead of one for each date. */
export async function summarizeSeries(
  tx: Tx,
  seriesId: number,
  { eventIds, counts }: { readonly eventIds: readonly number[]; readonly counts: SeriesCounts },
): Promise<void> {
  const { added, dropped, changed } = counts
  const dates = { dates_added: added, dates_dropped: dropped, dates_changed: changed }
  await summarizePendingAudit(tx, eventIds, { itemId: seriesId, kind: 'series', area: 'series_dates', counts: dates })
}

/**
 * Creates the template of a series as an event is created. The counts of its terms do not include it.
 *
 * @throws rest_forbidden, rest_invalid_param
 */
async function createTemplate(write: WriteContext, draft: EventDraft, language: Language): Promise<CalendarEvent> {
  const { authorId, imageId } = draft
  await assertReferencesExist(write.tx, { authorId, imageId })
  return createOne(write, draft, { language, kind: 'series' })
}
