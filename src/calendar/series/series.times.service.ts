import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayEdit, mayRestore } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import { addSeconds } from '../../base/time/local.date.time.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { updateEvent } from '../events/event.repository.ts'
import { hasTimes, timesOfDate } from '../events/model/date.times.ts'
import type { CalendarEvent } from '../events/model/event.ts'
import { nextState } from '../events/model/state.ts'
import { markDropped, saveSegments, touchTemplates } from '../occurrences/occurrence.writing.repository.ts'
import { segmentOf } from '../occurrences/segment.dates.ts'
import { restoredPublication } from '../records/record.status.ts'
import { isUnpublished } from '../records/record.ts'
import type { WriteContext } from '../records/write.context.ts'
import { addDates } from './series.adding.service.ts'
import { type DateTimes, moveOccurrences, touchDates, updateTimes } from './series.dates.repository.ts'
import { type GivenDate, later, type MovedDates, matchDates, matchExactly, movedStart } from './series.dates.ts'
import { timesField } from './series.fields.ts'
import { setStatuses } from './series.following.service.ts'
import { expandWithin } from './series.recurrence.ts'
import { saveState } from './series.repository.ts'
import type { ChangedRules } from './series.rules.ts'
import { timesOfSegment } from './series.segments.ts'
import { assertDatesFit } from './series.size.ts'
import { eventIdsOf, isLive, type Series, type SeriesDate } from './series.ts'

// What a change of rules does to the dates of a series.

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

export interface DateChange {
  readonly dates: readonly SeriesDate[]
  /** Whether dates may be dropped that have fields or tickets of their own. */
  readonly drop: boolean
  /** Dates that take the times of the series, even if they had their own. */
  readonly given: ReadonlyMap<number, ReadonlySet<string>>
  /** A date that is added. The others stay as they are, also those of its day. */
  readonly wanted?: Pick<SeriesDate, 'recurrenceId'>
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
  const { from, moved } = rules
  const known = change.dates.filter(isLive).map(({ recurrenceId }) => ({
    recurrenceId: moved ? movedStart(recurrenceId, moved) : recurrenceId,
  }))
  const { given, counted, segments, ...state } = expandWithin(rules.segments, {
    ...{ config, at, known: [...known, ...(change.wanted ? [change.wanted] : [])] },
    ...(series.isEndless ? { madeUntil: untilMoved(series, moved) } : {}),
  })
  assertDatesFit(series.templates, counted)
  const inRange = change.dates.filter(({ recurrenceId }) => recurrenceId >= from)
  const matching: typeof matchDates = change.wanted ? matchExactly : matchDates
  const match = matching(
    groupsOf(inRange.filter(({ isDropped }) => !isDropped)),
    given.filter(({ recurrenceId }) => recurrenceId >= from),
    moved,
  )
  const lost = match.dropped.flatMap(({ versions }) => versions)
  assertMayDrop(lost, change.drop)
  const returned = matching(groupsOf(inRange.filter(({ isDropped }) => isDropped)), match.added, moved)
  for (const { known } of returned.kept) {
    for (const date of known.versions) assertAllowed(actor, mayReturn(actor, date))
  }
  await dropDates(tx, lost, at)
  const kept = [...match.kept, ...returned.kept]
  const taken = [...kept.map((one) => one.given), ...returned.added]
  const takenStarts = new Set(taken.map(({ recurrenceId }) => recurrenceId))
  // Earlier dates in the trash keep their starts, unless another date moves to one of them.
  const { give = [], stay = [] } = Object.groupBy(
    groupsOf(change.dates.filter(({ isDropped, recurrenceId }) => isDropped && recurrenceId < from)),
    ({ recurrenceId }) => (takenStarts.has(recurrenceId) ? 'give' : 'stay'),
  )
  const gone = [...movedGroups(returned.dropped, moved), ...movedGroups([...match.dropped, ...give], undefined)]
  const freed = freedStarts(gone, [...taken, ...stay])
  await moveOccurrences(tx, [...movedDates(kept), ...movedDates(freed)])
  const changed = await moveTimes(tx, kept, { at, given: change.given })
  if (moved && moved.seconds !== 0) await moveTimes(tx, inSegments(freed, segments), { at, given: new Map() })
  await returnDates(tx, { groups: returned.kept, at })
  await saveSegments(tx, series.id, { before: series.segments, after: segments })
  // Calendars that subscribe need not hear of times and rules that were sent as they are.
  const hasChanged =
    changed.size + lost.length + returned.kept.length + returned.added.length > 0 ||
    !isDeepStrictEqual(segments, series.segments)
  await saveState(tx, { id: series.id, ...state, sequence: series.sequence + (hasChanged ? 1 : 0) })
  await moveTemplates(tx, series, segments)
  await touchTemplates(tx, series.id, at)
  const ids = await addDates(tx, series, { given: returned.added, at })
  const revived = returned.kept.flatMap(({ known }) => known.versions[0]?.eventId ?? [])
  return { added: [...revived, ...ids], dropped: lost, changed }
}

/** Returns until when the dates of a series exist after it has moved: none of them is lost. */
function untilMoved({ madeUntil }: Series, moved: MovedDates | undefined): Series['madeUntil'] {
  return moved ? later(madeUntil, movedStart(madeUntil, moved)) : madeUntil
}

/** A date that the series has under another local start from now on. */
interface MovedGroup {
  readonly known: DateGroup
  readonly given: Pick<GivenDate, 'recurrenceId'>
}

/**
 * Makes the dates that the rules give: takes back those that the series has lost, and creates the others. The rules stay.
 *
 * @returns the ids of the events in the original language, or of an event of the date.
 */
export async function makeDates(
  tx: Tx,
  series: Series,
  {
    given,
    lost,
    at,
  }: { readonly given: readonly GivenDate[]; readonly lost: readonly SeriesDate[]; readonly at: number },
): Promise<readonly number[]> {
  const returned = matchDates(groupsOf(lost), given)
  await moveOccurrences(tx, [
    ...movedDates(returned.kept),
    ...movedDates(freedStarts(movedGroups(returned.dropped, undefined), given)),
  ])
  await moveTimes(tx, returned.kept, { at, given: new Map() })
  await returnDates(tx, { groups: returned.kept, at })
  const ids = await addDates(tx, series, { given: returned.added, at })
  return [...returned.kept.flatMap(({ known }) => known.versions[0]?.eventId ?? []), ...ids]
}

/** Returns the dates whose local start by the rules changes. */
function movedDates(kept: readonly MovedGroup[]) {
  return kept.flatMap(({ known, given: { recurrenceId } }) =>
    known.recurrenceId === recurrenceId ? [] : known.versions.map(({ eventId: id }) => ({ id, recurrenceId })),
  )
}

/** Dates in the trash move along, so that they are right when they come back. */
function movedGroups(groups: readonly DateGroup[], moved: MovedDates | undefined): readonly MovedGroup[] {
  return groups.map((known) => {
    const recurrenceId = moved ? movedStart(known.recurrenceId, moved) : known.recurrenceId
    return { known, given: { recurrenceId } }
  })
}

/** Dates that the series no longer has give way to others with the same local start, by some seconds. */
function freedStarts(
  gone: readonly MovedGroup[],
  given: readonly Pick<GivenDate, 'recurrenceId'>[],
): readonly MovedGroup[] {
  const taken = new Set(given.map(({ recurrenceId }) => recurrenceId))
  return gone.map(({ known, given: wanted }) => {
    let { recurrenceId } = wanted
    while (taken.has(recurrenceId)) recurrenceId = addSeconds(recurrenceId, 1)
    taken.add(recurrenceId)
    return { known, given: { recurrenceId } }
  })
}

/** Returns the dates that have moved, with the segments whose times they have. */
function inSegments(groups: readonly MovedGroup[], segments: Series['segments']) {
  return groups.flatMap(({ known, given: { recurrenceId } }) => {
    const segment = segmentOf(segments, recurrenceId)
    return segment && recurrenceId !== known.recurrenceId ? [{ known, given: { recurrenceId, segment } }] : []
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
  const facts = { event_ids: eventIdsOf(inUse).slice(0, maxNamed), number: inUse.length }
  fail('series-dates-in-use', { details: facts, extra: facts })
}

/** The maximum number of dates that an error names. */
const maxNamed = 100

/** Moves dates to the trash that the series no longer has. */
export async function dropDates(tx: Tx, dates: readonly SeriesDate[], at: number): Promise<void> {
  await setStatuses(
    tx,
    dates.filter(({ status }) => status !== 'trash'),
    { at, next: (date) => ({ ...date, status: 'trash' }) },
  )
  await markDropped(tx, eventIdsOf(dates), true)
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
  await markDropped(tx, eventIdsOf(dates), false)
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
  await touchDates(tx, eventIdsOf(rows), at)
  return changed
}

/** The template has the times of the first date of the last segment. */
async function moveTemplates(tx: Tx, { templates }: Series, segments: Series['segments']): Promise<void> {
  const last = segments.at(-1)
  if (!last) return
  const times = timesOfSegment(last)
  for (const template of templates) await updateEvent(tx, template, { ...template, ...times } satisfies CalendarEvent)
}
