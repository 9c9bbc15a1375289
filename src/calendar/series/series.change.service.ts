import { assertAllowed, mayCreate, mayEdit } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { keepPendingAudit } from '../../storage/database/audit/audit.ts'
import { timesOfDate } from '../events/model/date.times.ts'
import { changedTimes, type EventPatch } from '../events/model/event.changes.ts'
import type { CalendarEvent, EventTimes } from '../events/model/event.ts'
import { argumentsOf } from '../events/model/fields.derived.ts'
import { unfollowedFields } from '../events/model/series.ts'
import { findEventOrFail } from '../events/read/read.service.ts'
import { eventStandingFields } from '../events/read/standing.repository.ts'
import { changeStoredEvent } from '../events/write/event.service.ts'
import { countTermsOf, updateTermCounts } from '../events/write/terms.service.ts'
import { addOwnFields } from '../occurrences/occurrence.service.ts'
import { segmentOf } from '../occurrences/segment.dates.ts'
import { uniqueRecordSlug } from '../records/record.slug.ts'
import type { WriteContext } from '../records/write.context.ts'
import { type SeriesResult, summarizeSeries } from './series.create.service.ts'
import { copiedFields, followedFields, timesField } from './series.fields.ts'
import { changedByTemplate, followTemplate, standingsOf } from './series.following.service.ts'
import { findSeries, listDates } from './series.repository.ts'
import { changeRules, type RuleChange } from './series.rules.ts'
import { assertDatesFit, countWritten } from './series.size.ts'
import { applyRules, type ChangedDates } from './series.times.service.ts'
import { eventIdsOf, isLive, type Series, type SeriesDate, type SeriesScope } from './series.ts'

/** The field of each argument, by the names of `eventStandingFields`. */
const fieldOf = new Map(
  Object.entries(eventStandingFields).flatMap(([name, { args }]) => args.map((argument) => [argument, name] as const)),
)

/** Returns the fields that a patch sends. */
function fieldsOf(patch: EventPatch): ReadonlySet<string> {
  const sent = Object.entries(argumentsOf(patch)).flatMap(([argument, value]) =>
    value === undefined ? [] : [argument],
  )
  return new Set(sent.flatMap((argument) => fieldOf.get(argument) ?? []))
}

/** A change of several dates of a series. */
export interface SeriesChange {
  readonly patch: EventPatch
  /** What repeats from now on, as it was sent. Undefined: it stays. */
  readonly recurrence?: unknown
  readonly scope: Exclude<SeriesScope, 'this'>
  /** Whether times and rules change for dates that have begun, too. */
  readonly past?: boolean | undefined
  /** Whether dates may be dropped that have fields or tickets of their own. */
  readonly drop?: boolean | undefined
}

/** A series that is changed, and the date through which the request names it. */
export interface ChangedSeries {
  readonly series: Series
  readonly dates: readonly SeriesDate[]
  readonly template: CalendarEvent
  readonly named: SeriesDate | undefined
}

/**
 * Changes the named date of a series and all later ones, or all of its dates.
 *
 * @throws rest_forbidden, rest_invalid_param, rest-event-not-found, series-scope, series-is-in-trash,
 *   series-invalid-rule, series-too-many-dates, series-no-dates, series-dates-in-use
 */
export async function changeDates(write: WriteContext, eventId: number, change: SeriesChange): Promise<SeriesResult> {
  const found = await findSeriesOfDate(write, eventId)
  return changeFound(write, found, change)
}

/** Changes all dates of a series, through its template. */
export async function changeSeries(
  write: WriteContext,
  templateId: number,
  change: Omit<SeriesChange, 'scope'>,
): Promise<SeriesResult> {
  const found = await findChangedSeries(write, templateId)
  return changeFound(write, found, { ...change, scope: 'all' })
}

/** @throws rest_forbidden, rest-event-not-found, series-scope */
export async function findSeriesOfDate(write: WriteContext, eventId: number): Promise<ChangedSeries> {
  const { tx, actor } = write
  assertAllowed(actor, mayCreate(actor))
  await keepPendingAudit(tx)
  const event = await findEventOrFail(tx, eventId)
  assertAllowed(actor, mayEdit(actor, event))
  const series = event.seriesId === undefined ? undefined : await findSeries(tx, event.seriesId)
  const template = series?.templates.find(({ language }) => language === event.language)
  if (!series || !template) return fail('series-scope')
  const dates = await listDates(tx, series.id)
  const named = dates.find((date) => date.eventId === eventId)
  assertAllowed(actor, mayEdit(actor, template))
  return { series, dates, template, named }
}

/** @throws rest_forbidden, series-not-found */
export async function findChangedSeries(write: WriteContext, templateId: number): Promise<ChangedSeries> {
  const { tx, actor } = write
  assertAllowed(actor, mayCreate(actor))
  await keepPendingAudit(tx)
  const series = (await findSeries(tx, templateId)) ?? fail('series-not-found')
  const template = series.templates.find(({ id }) => id === templateId) ?? series.templates[0]
  assertAllowed(actor, mayEdit(actor, template))
  return { series, dates: await listDates(tx, series.id), template, named: undefined }
}

async function changeFound(write: WriteContext, found: ChangedSeries, change: SeriesChange): Promise<SeriesResult> {
  const { tx, actor, config } = write
  const { series, dates, template, named } = found
  if (template.status === 'trash') fail('series-is-in-trash')
  const { start, end, zone, isAllDay, ...rest } = change.patch
  const at = write.now()
  const isMeant = (date: SeriesDate) =>
    change.scope === 'all' || named === undefined || date.recurrenceId >= named.recurrenceId
  const meant = dates.filter(isMeant)
  for (const date of meant.filter(isLive)) assertAllowed(actor, mayEdit(actor, date))
  const termCounts = await countTermsOf(tx, eventIdsOf(dates))
  const sentFields = fieldsOf({ start, end, zone, isAllDay, ...rest })
  const given = new Map(named ? [[named.eventId, sentFields.intersection(new Set(followedFields))]] : [])
  const before = await standingsOf(tx, series.templates)
  await changeTemplate(write, template, rest)
  const changedFields = await changedByTemplate(tx, before)
  const current = (await findSeries(tx, series.id)) ?? series

  // The times first: what is copied afterwards goes to new dates already.
  const times = changedTimes(named ?? template, { start, end, zone, isAllDay }, { siteZone: config.siteZone, at })
  const rules = ruleChange(found, change, { times: sentFields.has(timesField) ? times : undefined, at })
  const moved = rules && (await moveDates(write, current, { rules, found, change, given }))
  const followed = await follow(write, current, { meant, moved, changedFields, given, change })
  await keepEarlier(write, { dates, meant, changedFields, current, hasPast: change.past === true })

  await updateTermCounts(tx, termCounts)
  const changed = new Set([...(moved?.changed ?? []), ...followed])
  const counts = {
    added: moved?.added.length ?? 0,
    dropped: new Set(moved?.dropped.map(({ recurrenceId }) => recurrenceId)).size,
    changed: changed.size,
  }
  const all = await listDates(tx, series.id)
  await summarizeSeries(tx, series.id, { eventIds: eventIdsOf(all), counts })
  const shown = named?.eventId ?? nextDate(all, template.language, at)?.eventId
  const isAdded = new Set(moved?.added)
  const added = all.flatMap(({ eventId, recurrenceId }) => (isAdded.has(eventId) ? [recurrenceId] : []))
  const event = await findEventOrFail(tx, shown)
  return { seriesId: series.id, event, counts, added, dropped: moved?.dropped ?? [] }
}

/** Changes the template. Its slug is unique in every status, because the addresses of new dates contain it. */
async function changeTemplate(write: WriteContext, template: CalendarEvent, patch: EventPatch): Promise<void> {
  const { tx } = write
  const { id, language } = template
  const wanted = slugFrom(patch.slug ?? '')
  const slug =
    wanted === '' || wanted === template.slug
      ? undefined
      : await uniqueRecordSlug(tx, { kind: 'event', language, status: 'publish', id }, wanted)
  const sent = { ...patch, slug }
  if (Object.values(sent).every((value) => value === undefined)) return
  await changeStoredEvent(write, template, { ...sent, isTemplate: true })
}

/** Returns how the rules change; undefined if they do not. */
function ruleChange(
  { series, dates, named, template }: ChangedSeries,
  { recurrence, scope, past = false }: SeriesChange,
  { times, at }: { readonly times: EventTimes | undefined; readonly at: number },
): RuleChange | undefined {
  if (times === undefined && recurrence === undefined) return undefined
  const live = dates.filter(isLive)
  const first = firstChanged(live, {
    named: scope === 'following' ? named : undefined,
    past: scope === 'all' && past,
    at,
  })
  const last = first === undefined ? undefined : live.findLast(({ recurrenceId }) => recurrenceId < first)
  // The times as they are shown: a clock change may have moved the date.
  const segment = named && segmentOf(series.segments, named.recurrenceId)
  const slot = segment ? timesOfDate(segment, named.recurrenceId) : template
  return {
    ...{ at: first, last: last?.recurrenceId, recurrence },
    times: times && { from: slot, to: times, isMoved: times.start !== slot.start },
  }
}

/** Returns the first date that changes; undefined if all do. */
function firstChanged(
  live: readonly SeriesDate[],
  { named, past, at }: { readonly named: SeriesDate | undefined; readonly past: boolean; readonly at: number },
): LocalDateTime | undefined {
  if (named) return named.recurrenceId
  if (past) return undefined
  const coming = live.find(({ startUtc }) => startUtc > at) ?? live.at(-1)
  return coming?.recurrenceId
}

async function moveDates(
  write: WriteContext,
  series: Series,
  of: {
    readonly rules: RuleChange
    readonly found: ChangedSeries
    readonly change: SeriesChange
    readonly given: ReadonlyMap<number, ReadonlySet<string>>
  },
): Promise<ChangedDates> {
  const { dates } = of.found
  const rules = changeRules(series.segments, of.rules)
  return applyRules(write, series, { rules, change: { dates, drop: of.change.drop === true, given: of.given } })
}

/** Copies the changed fields of each template to its dates. @returns the dates that have changed. */
async function follow(
  { tx, now }: WriteContext,
  series: Series,
  of: {
    readonly meant: readonly SeriesDate[]
    readonly moved: ChangedDates | undefined
    readonly changedFields: ReadonlyMap<number, ReadonlySet<string>>
    readonly given: ReadonlyMap<number, ReadonlySet<string>>
    readonly change: SeriesChange
  },
): Promise<readonly LocalDateTime[]> {
  const lost = new Set(of.moved?.dropped.map(({ eventId }) => eventId))
  const isCounted = (date: SeriesDate) => isLive(date) && date.status !== 'trash' && !lost.has(date.eventId)
  const changed: LocalDateTime[] = []
  for (const template of series.templates) {
    const dates = of.meant.filter(({ language }) => language === template.language)
    const fields = (of.changedFields.get(template.id) ?? new Set<string>()).difference(new Set(unfollowedFields))
    const following = { template, fields, dates, given: of.given, at: now(), hasPast: of.change.past === true }
    if (fields.size > 0) {
      assertDatesFit([template], dates.filter((date) => isLive(date) && date.endUtc > following.at).length)
      countWritten(tx, template, dates.length)
    }
    const ids = new Set(await followTemplate(tx, following))
    changed.push(...dates.flatMap((date) => (ids.has(date.eventId) && isCounted(date) ? [date.recurrenceId] : [])))
  }
  return changed
}

/** Dates that the change does not mean keep what the template had before, as fields of their own. */
async function keepEarlier(
  { tx, now }: WriteContext,
  {
    dates,
    meant,
    changedFields,
    current,
    hasPast,
  }: {
    readonly dates: readonly SeriesDate[]
    readonly meant: readonly SeriesDate[]
    readonly changedFields: ReadonlyMap<number, ReadonlySet<string>>
    readonly current: Series
    readonly hasPast: boolean
  },
): Promise<void> {
  const at = now()
  const isMeant = new Set(eventIdsOf(meant))
  const kept = dates.flatMap((date): [number, ReadonlySet<string>][] => {
    const template = current.templates.find(({ language }) => language === date.language)
    const fields = (template && changedFields.get(template.id)) ?? new Set<string>()
    const names = [...fields].filter((name) => {
      if (!followedFields.includes(name) || name === timesField) return false
      return !isMeant.has(date.eventId) || (!hasPast && copiedFields[name]?.isOfComing === true && date.endUtc < at)
    })
    return names.length === 0 ? [] : [[date.eventId, new Set(names)]]
  })
  await addOwnFields(tx, new Map(kept))
}

/** Returns the next date in a language, or else the last one. */
export function nextDate(dates: readonly SeriesDate[], language: string, at: number): SeriesDate | undefined {
  const shown = dates.filter((date) => date.language === language && isLive(date) && date.status !== 'trash')
  const inOrder = shown.toSorted((one, other) => one.startUtc - other.startUtc || one.eventId - other.eventId)
  return inOrder.find(({ endUtc }) => endUtc > at) ?? inOrder.at(-1) ?? dates[0]
}
