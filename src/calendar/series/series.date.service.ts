import { assertAllowed, mayEdit } from '../../access/auth/policy.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail, failParameter, Problem } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { timesOfDate } from '../events/model/date.times.ts'
import type { EventDraft } from '../events/model/event.changes.ts'
import { nextState } from '../events/model/state.ts'
import { findEventOrFail } from '../events/read/read.service.ts'
import { createTranslation } from '../events/write/create.service.ts'
import { countTermsOf, updateTermCounts } from '../events/write/terms.service.ts'
import { copySharedValues } from '../events/write/translations.ts'
import { saveOwnFields } from '../occurrences/occurrence.writing.repository.ts'
import { withDate } from '../occurrences/segment.dates.ts'
import { uniqueRecordSlug } from '../records/record.slug.ts'
import { isUnpublished } from '../records/record.ts'
import type { WriteContext } from '../records/write.context.ts'
import { countEventsByTerm } from '../terms/term.event.repository.ts'
import { applyCountChanges } from '../terms/term.service.ts'
import { listTranslationsInGroups } from '../translations/group.repository.ts'
import { addDatesOf } from './series.adding.service.ts'
import { findChangedSeries, findSeriesOfDate, nextDate } from './series.change.service.ts'
import { type SeriesResult, summarizeSeries } from './series.create.service.ts'
import { touchDates, updateTimes } from './series.dates.repository.ts'
import { expandSeries, startOfTime } from './series.dates.ts'
import { timesField } from './series.fields.ts'
import { followTemplate } from './series.following.service.ts'
import { listDates } from './series.repository.ts'
import { numbered } from './series.segments.ts'
import { assertDatesFit } from './series.size.ts'
import { applyRules } from './series.times.service.ts'
import { eventIdsOf, isLive, noCounts, type SeriesDate } from './series.ts'

/**
 * Adds a date to a series: the local start of a new event, or of one that the series has lost.
 *
 * @throws rest_forbidden, rest_invalid_param, series-not-found, series-is-in-trash, series-too-many-dates
 */
export async function addDate(write: WriteContext, templateId: number, start: LocalDateTime): Promise<SeriesResult> {
  const { tx } = write
  const { series, dates, template } = await findChangedSeries(write, templateId)
  if (template.status === 'trash') fail('series-is-in-trash')
  if (dates.some((date) => isLive(date) && date.recurrenceId === start))
    failParameter('start_date', 'fault.series.date')
  const termCounts = await countTermsOf(tx, eventIdsOf(dates))
  const segments = numbered(withDate(series.segments, start))
  const change = { dates, drop: false, given: new Map(), wanted: { recurrenceId: start } }
  const moved = await applyRules(write, series, { rules: { segments, from: startOfTime }, change })
  await updateTermCounts(tx, termCounts)
  const all = await listDates(tx, series.id)
  const counts = { added: moved.added.length, dropped: 0, changed: moved.changed.size }
  await summarizeSeries(tx, series.id, { eventIds: eventIdsOf(all), counts })
  const added = all.find(({ recurrenceId, language }) => recurrenceId === start && language === template.language)
  return { seriesId: series.id, event: await findEventOrFail(tx, added?.eventId ?? moved.added[0]), counts }
}

/**
 * Makes a date follow its series again in these fields.
 *
 * @throws rest_forbidden, rest_invalid_param, rest-event-not-found, series-scope, series-is-in-trash
 */
export async function followAgain(
  write: WriteContext,
  eventId: number,
  fields: readonly string[],
): Promise<SeriesResult> {
  const { tx, actor, now } = write
  const { series, dates, template, named } = await findSeriesOfDate(write, eventId)
  if (template.status === 'trash') fail('series-is-in-trash')
  if (!named) return fail('series-scope')
  const own = new Set(named.ownFields)
  if (fields.length === 0 || !fields.every((name) => own.has(name))) {
    const fault = { text: 'fault.series.fields', values: { allowed: [...own].join(', ') || '—' } } as const
    throw new Problem('rest_invalid_param', { faults: { fields: fault } })
  }
  const versions = dates.filter(({ recurrenceId }) => recurrenceId === named.recurrenceId)
  const termCounts = await countTermsOf(tx, eventIdsOf(versions))
  for (const date of versions) assertAllowed(actor, mayEdit(actor, date))
  const at = now()
  for (const one of series.templates) {
    const some = versions.filter(({ language }) => language === one.language)
    // Translations share what the original shares, so they follow together.
    const given = new Map(some.map((date) => [date.eventId, returnedFields(date, fields)]))
    await followTemplate(tx, { template: one, fields: new Set(), dates: some, given, at, hasPast: true })
  }
  if (fields.includes(timesField)) await returnTimes(tx, versions, { segments: series.segments, at })
  await updateTermCounts(tx, termCounts)
  const counts = { ...noCounts, changed: 1 }
  return { seriesId: series.id, templateId: template.id, event: await findEventOrFail(tx, eventId), counts }
}

function returnedFields({ ownFields }: SeriesDate, fields: readonly string[]): ReadonlySet<string> {
  return new Set(fields.filter((name) => ownFields.includes(name)))
}

async function returnTimes(
  tx: WriteContext['tx'],
  versions: readonly SeriesDate[],
  { segments, at }: { readonly segments: Parameters<typeof expandSeries>[0]; readonly at: number },
): Promise<void> {
  const rows = versions.flatMap((date) => {
    const { recurrenceId } = date
    const [given] = expandSeries(segments, { through: recurrenceId, limit: 1, from: recurrenceId }).dates
    if (!given) return []
    const times = timesOfDate(given.segment, recurrenceId)
    const state = nextState({ ...date, isAnnounced: !isUnpublished(date.status) }, {}, { times, at })
    return typeof state === 'string' ? [] : [{ eventId: date.eventId, ...times, ...state }]
  })
  await updateTimes(tx, rows)
  await touchDates(tx, eventIdsOf(rows), at)
}

/**
 * Translates a series: its template and all its dates that are not translated yet. Dates share with their originals what
 * translations share.
 *
 * @throws rest_forbidden, rest_invalid_param, series-not-found, series-is-in-trash, ml_translation_exists
 */
export async function translateSeries(
  write: WriteContext,
  templateId: number,
  { draft, language }: { readonly draft: EventDraft; readonly language: Language },
): Promise<SeriesResult> {
  const { tx, now } = write
  const { series, dates, template } = await findChangedSeries(write, templateId)
  if (template.status === 'trash') fail('series-is-in-trash')
  const wanted = slugFrom(draft.slug ?? '') || slugFrom(draft.title)
  const slug = await uniqueRecordSlug(tx, { kind: 'event', language, status: 'publish', id: undefined }, wanted)
  const translated = await createTranslation(write, { ...draft, slug }, { language, of: series.id, kind: 'series' })
  const at = now()
  const groups = Map.groupBy(dates.filter(isLive), ({ recurrenceId }) => recurrenceId)
  const versions = await listTranslationsInGroups(tx, 'records', eventIdsOf(dates.filter(isLive)))
  // A date may have a translation that is not a date of the series.
  const there = new Set(versions.filter((one) => one.language === language).map(({ groupId }) => groupId))
  const missing = [...groups.values()].flatMap((some) => {
    const isThere = some.some((date) => date.language === language || there.has(date.groupId))
    const original = some.find(({ status }) => status !== 'trash')
    return isThere || !original ? [] : [original]
  })
  for (const date of missing) assertAllowed(write.actor, mayEdit(write.actor, date))
  const before = await countEventsByTerm(tx, eventIdsOf(missing))
  const given = missing.flatMap(({ recurrenceId, groupId }) => {
    const { dates: found } = expandSeries(series.segments, { through: recurrenceId, limit: 1, from: recurrenceId })
    return found.map((date) => ({ ...date, groupId }))
  })
  assertDatesFit([translated], given.length)
  const ids = await addDatesOf(tx, { seriesId: series.id, template: translated }, { given, at })
  await shareOwnValues(tx, missing, ids)
  await applyCountChanges(tx, before, await countEventsByTerm(tx, [...eventIdsOf(missing), ...ids]))
  const all = await listDates(tx, series.id)
  const counts = { ...noCounts, added: ids.length }
  await summarizeSeries(tx, series.id, { eventIds: eventIdsOf(all), counts })
  const shown = nextDate(all, language, at)?.eventId
  return { seriesId: series.id, templateId: translated.id, event: await findEventOrFail(tx, shown), counts }
}

/** Gives translations of dates what their originals have for themselves and translations share. */
async function shareOwnValues(
  tx: WriteContext['tx'],
  originals: readonly SeriesDate[],
  ids: readonly number[],
): Promise<void> {
  const texts = ['title', 'description', 'excerpt']
  for (const [place, original] of originals.entries()) {
    const id = ids[place]
    const ownFields = original.ownFields.filter((name) => !texts.includes(name))
    if (id === undefined || ownFields.length === 0) continue
    await copySharedValues(tx, await findEventOrFail(tx, original.eventId), id)
    await saveOwnFields(tx, [{ id, ownFields }])
  }
}
