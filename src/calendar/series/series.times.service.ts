import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayEdit, mayRestore } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import { addSeconds } from '../../base/time/local.date.time.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { timesOfDate } from '../events/event.date.times.ts'
import { updateEvent } from '../events/event.repository.ts'
import { nextState } from '../events/event.state.ts'
import type { CalendarEvent } from '../events/event.ts'
import { markDropped, saveSegments, touchTemplates } from '../occurrences/occurrence.writing.repository.ts'
import { restoredPublication } from '../records/record.status.ts'
import { isUnpublished } from '../records/record.ts'
import type { WriteContext } from '../records/write.context.ts'
import { addDates } from './series.adding.service.ts'
import { type DateTimes, moveOccurrences, touchDates, updateTimes } from './series.dates.repository.ts'
import { type GivenDate, matchDates } from './series.dates.ts'
import { timesField } from './series.fields.ts'
import { setStatuses } from './series.following.service.ts'
import { expandWithin } from './series.recurrence.ts'
import { saveState } from './series.repository.ts'
import type { ChangedRules } from './series.rules.ts'
import { timesOfSegment } from './series.segments.ts'
import type { Series, SeriesDate } from './series.ts'

// What a change of rules does to the dates of a series.

/** A date of a series in all its languages. */
interface DateGroup {
  readonly recurrenceId: SeriesDate['recurrenceId']
  readonly versions: readonly SeriesDate[]
}

/** Which groups of dates a change has added, dropped and changed. */
export interface ChangedDates {
  readonly added: readonly number[]
  readonly dropped: readonly SeriesDate[]
  readonly changed: ReadonlySet<SeriesDate['recurrenceId']>
}

/** How dates are changed by a write. */
export interface DateChange {
  readonly dates: readonly SeriesDate[]
  /** Whether dates may be dropped that have fields or tickets of their own. */
  readonly drop: boolean
  /** Dates that take the times of the series, even if they had their own. */
  readonly given: ReadonlyMap<number, ReadonlySet<string>>
}

/**
 * Gives a series other rules, and its dates what follows from them. Dates keep their ids by their day and their place
 * in the day. Rules are those of all languages, so the caller must have the right to change all of its templates.
 *
 * @throws rest_forbidden, series-too-many-dates, series-no-dates, series-dates-in-use
 */
export async function applyRules(
  { tx, actor, config, now }: WriteContext,
  series: Series,
  { rules, change }: { readonly rules: ChangedRules; readonly change: DateChange },
): Promise<ChangedDates> {
  for (const template of series.templates) assertAllowed(actor, mayEdit(actor, template))
  const at = now()
  const { segments, from } = rules
  const { given, ...state } = expandWithin(segments, {
    ...{ config, at },
    ...(series.isEndless ? { madeUntil: series.madeUntil } : {}),
  })
  const inRange = change.dates.filter(({ recurrenceId }) => recurrenceId >= from)
  const match = matchDates(
    groupsOf(inRange.filter(({ isDropped }) => !isDropped)),
    given.filter(({ recurrenceId }) => recurrenceId >= from),
  )
  const lost = match.dropped.flatMap(({ versions }) => versions)
  assertMayDrop(lost, change.drop)
  const returned = matchDates(groupsOf(inRange.filter(({ isDropped }) => isDropped)), match.added)
  for (const { known } of returned.kept) {
    for (const date of known.versions) assertAllowed(actor, mayReturn(actor, date))
  }
  await dropDates(tx, lost, at)
  const kept = [...match.kept, ...returned.kept]
  const forgotten = [...returned.dropped, ...match.dropped]
  await moveOccurrences(tx, [
    ...movedDates(kept),
    ...freedStarts(forgotten, [...kept.map((one) => one.given), ...returned.added]),
  ])
  const changed = await moveTimes(tx, kept, { at, given: change.given })
  await returnDates(tx, { groups: returned.kept, at })
  await saveSegments(tx, series.id, { before: series.segments, after: segments })
  await saveState(tx, { id: series.id, ...state, sequence: series.sequence + 1 })
  await moveTemplates(tx, series, segments)
  await touchTemplates(tx, series.id, at)
  const ids = await addDates(tx, series, { given: returned.added, at })
  const revived = returned.kept.map(({ known }) => known.versions[0]?.eventId ?? 0)
  return { added: [...revived, ...ids], dropped: lost, changed }
}

/** Returns the dates whose local start by the rules changes. */
function movedDates(kept: readonly { readonly known: DateGroup; readonly given: GivenDate }[]) {
  return kept.flatMap(({ known, given: { recurrenceId } }) =>
    known.recurrenceId === recurrenceId ? [] : known.versions.map(({ eventId: id }) => ({ id, recurrenceId })),
  )
}

/** Dates that the series no longer has give way to others with the same local start, by some seconds. */
function freedStarts(dropped: readonly DateGroup[], given: readonly GivenDate[]) {
  const taken = new Set([...given, ...dropped].map(({ recurrenceId }) => recurrenceId))
  const wanted = new Set(given.map(({ recurrenceId }) => recurrenceId))
  return dropped.flatMap(({ recurrenceId: known, versions }) => {
    if (!wanted.has(known)) return []
    let recurrenceId = addSeconds(known, 1)
    while (taken.has(recurrenceId)) recurrenceId = addSeconds(recurrenceId, 1)
    taken.add(recurrenceId)
    return versions.map(({ eventId: id }) => ({ id, recurrenceId }))
  })
}

function groupsOf(dates: readonly SeriesDate[]): readonly DateGroup[] {
  const groups = Map.groupBy(dates, ({ recurrenceId }) => recurrenceId)
  return [...groups].map(([recurrenceId, versions]) => ({ recurrenceId, versions }))
}

/** @throws series-dates-in-use */
export function assertMayDrop(dates: readonly SeriesDate[], drop: boolean): void {
  const inUse = dates.filter(({ ownFields, hasTickets, status }) => {
    return status !== 'trash' && (ownFields.length > 0 || hasTickets)
  })
  if (drop || inUse.length === 0) return
  const facts = { event_ids: inUse.map(({ eventId }) => eventId).slice(0, mostNamed), number: inUse.length }
  fail('series-dates-in-use', { details: facts, extra: facts })
}

/** The maximum number of dates that an error names. */
const mostNamed = 100

/** Moves dates to the trash that the series no longer has. */
export async function dropDates(tx: Tx, dates: readonly SeriesDate[], at: number): Promise<void> {
  await setStatuses(
    tx,
    dates.filter(({ status }) => status !== 'trash'),
    { at, next: (date) => ({ ...date, status: 'trash' }) },
  )
  await markDropped(
    tx,
    dates.map(({ eventId }) => eventId),
    true,
  )
}

/** Whether the actor may make a date that the series had lost one of its dates again. */
function mayReturn(actor: Actor, date: SeriesDate): boolean {
  return date.status === 'trash' ? mayRestore(actor, date) : mayEdit(actor, date)
}

/** Restores dates that the series has again. */
async function returnDates(
  tx: Tx,
  { groups, at }: { readonly groups: readonly { readonly known: DateGroup }[]; readonly at: number },
): Promise<void> {
  const dates = groups.flatMap(({ known }) => known.versions)
  if (dates.length === 0) return
  await setStatuses(
    tx,
    dates.filter(({ status }) => status === 'trash'),
    { at, next: (date) => restoredPublication(date, at) },
  )
  await markDropped(
    tx,
    dates.map(({ eventId }) => eventId),
    false,
  )
}

/** Gives dates the times of their segments, except those with times of their own. */
async function moveTimes(
  tx: Tx,
  kept: readonly { readonly known: DateGroup; readonly given: GivenDate }[],
  { at, given }: { readonly at: number; readonly given: DateChange['given'] },
): Promise<ReadonlySet<SeriesDate['recurrenceId']>> {
  const changed = new Set<SeriesDate['recurrenceId']>()
  const rows: DateTimes[] = []
  for (const { known, given: date } of kept) {
    const times = timesOfDate(date.segment, date.recurrenceId)
    for (const version of known.versions) {
      const isOwn = version.ownFields.includes(timesField) && !given.get(version.eventId)?.has(timesField)
      if (isOwn || hasTimes(version, times)) continue
      const state = nextState({ ...version, isAnnounced: !isUnpublished(version.status) }, {}, { times, at })
      if (typeof state === 'string') throw new Error(`The date ${version.eventId} cannot be moved: ${state}.`)
      rows.push({ eventId: version.eventId, ...times, ...state })
      changed.add(known.recurrenceId)
    }
  }
  await updateTimes(tx, rows)
  await touchDates(
    tx,
    rows.map(({ eventId }) => eventId),
    at,
  )
  return changed
}

function hasTimes(date: SeriesDate, times: ReturnType<typeof timesOfDate>): boolean {
  return (
    date.startUtc === times.startUtc &&
    date.endUtc === times.endUtc &&
    date.start === times.start &&
    date.zone.name === times.zone.name &&
    date.isAllDay === times.isAllDay
  )
}

/** The template has the times of the first date of the last segment. */
async function moveTemplates(tx: Tx, { templates }: Series, segments: Series['segments']): Promise<void> {
  const last = segments.at(-1)
  if (!last) return
  const times = timesOfSegment(last)
  for (const template of templates) await updateEvent(tx, template, { ...template, ...times } satisfies CalendarEvent)
}
