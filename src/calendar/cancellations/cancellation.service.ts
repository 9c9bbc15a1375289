import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit, mayEditOthers } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import type { Config } from '../../base/config/config.ts'
import { languageChain } from '../../base/languages/chain.ts'
import { fail } from '../../base/problems.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { type EventState, nextState, type PreviousStart } from '../events/model/state.ts'
import { addOwnFields } from '../occurrences/occurrence.service.ts'
import { isUnpublished, type RecordStatus } from '../records/record.ts'
import { touchRecords } from '../records/record.validators.repository.ts'
import { listTranslationIds } from '../translations/group.repository.ts'
import { insertUndo, listStatedEvents, listUndoItems, markUndone } from '../undo/undo.repository.ts'
import { assertFew, findUndoable, planned } from '../undo/undo.service.ts'
import type { StateColumns, StatedEvent, UndoItem } from '../undo/undo.ts'
import { listAffected, listCandidates, updateStates } from './cancellation.repository.ts'
import {
  type Affected,
  type CancellationPlan,
  type CancellationStatus,
  isSameSharedState,
  isSameState,
  maxCandidates,
  maxEvents,
  type Reasons,
  type StateChange,
  type UndoPlan,
} from './cancellation.ts'

/** What to do with which events. */
export interface CancellationOrder {
  readonly affected: Affected
  readonly eventStatus: CancellationStatus
  readonly reasons: Reasons
}

/** The context of a plan. `db` is the open transaction if the plan is carried out. */
interface PlanContext {
  readonly db: Db
  readonly dialect: Dialect
  readonly actor: Actor
  readonly config: Pick<Config, 'sharesFields'>
  /** Whole seconds since 1970, UTC. */
  readonly at: number
}

type Asking = Pick<PlanContext, 'actor'> & { readonly deps: Deps }

/** A plan, and the id of the request if it was carried out. */
type Outcome<P> = P & { readonly id?: number | undefined }

/**
 * Cancels or postpones events in one transaction, or only tells which. Events that the caller may not change are left
 * out.
 *
 * @throws rest_invalid_param if these are too many events
 */
export async function cancelEvents(
  { deps, actor }: Asking,
  order: CancellationOrder,
  isDry: boolean,
): Promise<Outcome<CancellationPlan>> {
  return planned(deps, isDry, {
    plan: (db) => planCancellation(contextOf({ deps, actor }, db), order),
    carryOut: (tx, plan) => carryOut(tx, { deps, actor }, plan),
  })
}

/**
 * Cancels these events as part of a write, or only tells what would change.
 *
 * @param tx Undefined: nothing is changed.
 */
export async function cancelTheseEvents(
  tx: Tx | undefined,
  { deps, actor }: Asking,
  ids: readonly number[],
): Promise<Outcome<CancellationPlan>> {
  const context = contextOf({ deps, actor }, tx ?? deps.storage.db)
  const plan = { unchanged: 0, ...(await planStates(context, ids, { eventStatus: 'canceled', reasons: '' })) }
  return { ...plan, ...(tx && (await carryOut(tx, { deps, actor }, plan))) }
}

function contextOf({ deps: { storage, config, now }, actor }: Asking, db: Db): PlanContext {
  return { db, dialect: storage.dialect, actor, config, at: now() }
}

async function carryOut(
  tx: Tx,
  { deps: { storage, now }, actor }: Asking,
  { changes }: CancellationPlan,
): Promise<{ readonly id?: number }> {
  if (changes.length === 0) return {}
  const at = now()
  const items = changes.map(({ event, after }) => ({ id: event.id, before: event.state, after }))
  const id = await insertUndo(tx, { operation: 'cancel', at, actor }, items)
  await writeStates(tx, storage.dialect, { changes, at })
  return { id }
}

/**
 * Gives events the states that they had before a request, or only tells which. Events whose state has changed since are
 * skipped. Doing it again has no effect.
 *
 * @throws cancellation-not-found, also if the request was that of another user whose events the caller may not edit
 */
export async function undoCancellation({ deps, actor }: Asking, id: number, isDry: boolean): Promise<UndoPlan> {
  return planned(deps, isDry, {
    plan: async (db) => {
      const context = contextOf({ deps, actor }, db)
      const found = await findUndoable(context, 'cancel', id)
      const isOwn = actor.kind === 'user' && found?.userId === actor.id
      return found && (isOwn || mayEditOthers(actor)) ? planUndo(context, id) : fail('cancellation-not-found')
    },
    carryOut: async (tx, { changes }) => {
      if (changes.length === 0) return {}
      const at = deps.now()
      await writeStates(tx, deps.storage.dialect, { changes, at })
      await markUndone(tx, { id, recordIds: changes.map(({ event }) => event.id), at })
      return {}
    },
  })
}

/** @throws rest_invalid_param */
async function planCancellation(
  context: PlanContext,
  { affected, eventStatus, reasons }: CancellationOrder,
): Promise<CancellationPlan> {
  // An event that is over cannot become postponed.
  const hasPast = affected.hasPast && eventStatus !== 'postponed'
  const found = await listAffectedEvents(context, { ...affected, hasPast })
  // A canceled event does not become postponed.
  const others = found.filter((event) => event.eventStatus !== eventStatus && event.eventStatus !== 'canceled')
  const ids = others.flatMap(({ id, isEditable }) => (isEditable ? [id] : []))
  assertFew('where', ids.length, maxEvents)
  const { changes, leftOut } = await planStates(context, ids, { eventStatus, reasons })
  assertFew('where', changes.length, maxEvents)
  return { changes, unchanged: found.length - others.length, leftOut: leftOut + others.length - ids.length }
}

/** Returns the events that a request means. @throws rest_invalid_param */
async function listAffectedEvents(context: PlanContext, affected: Affected) {
  const { actor } = context
  const candidates = await listCandidates(context, affected)
  // Counted first, so that too many events are never read. Others do not learn how many they may not see.
  const counted = mayEditOthers(actor) ? candidates.length : Math.min(candidates.length, maxCandidates + 1)
  if (counted > maxCandidates) assertFew('where', counted, maxEvents)
  return listAffected(context, affected, candidates)
}

/** Returns the changes of these events and their translations, the earliest first, and how many may not change. */
async function planStates(
  context: PlanContext,
  ids: readonly number[],
  { eventStatus, reasons }: Omit<CancellationOrder, 'affected'>,
): Promise<Pick<CancellationPlan, 'changes' | 'leftOut'>> {
  const { actor, at } = context
  const meant = new Set(ids)
  let leftOut = 0
  const changes: StateChange[] = []
  for (const events of await listGroups(context, ids)) {
    const changed = events.filter(
      ({ state }) => state.event_status !== eventStatus && state.event_status !== 'canceled',
    )
    const next = changed.flatMap((event) => {
      const after = stateAfter(event, { eventStatus, reasons, at })
      return after ? [{ event, after }] : []
    })
    // Translations share a state, so they change together or not at all.
    if (next.length === changed.length && events.every((event) => mayEdit(actor, event))) changes.push(...next)
    else leftOut += changed.filter(({ id }) => meant.has(id)).length
  }
  return { changes: changes.toSorted(byStart), leftOut }
}

async function planUndo(context: PlanContext, id: number): Promise<UndoPlan> {
  const canceled = new Map((await listUndoItems<StateColumns>(context.db, id)).map((one) => [one.id, one]))
  const changes: StateChange[] = []
  const skipped: number[] = []
  let leftOut = 0
  for (const events of await listGroups(context, [...canceled.keys()])) {
    const own = events.filter((event) => canceled.has(event.id))
    // Translations share a state, so they are restored together or not at all.
    if (
      own.some(({ id: eventId, state }) => !isSameState(state, (canceled.get(eventId) as UndoItem<StateColumns>).after))
    ) {
      skipped.push(...own.map((event) => event.id))
    } else if (!events.every((event) => mayEdit(context.actor, event))) leftOut += own.length
    else changes.push(...restored(events, canceled))
  }
  return { changes: changes.toSorted(byStart), skipped, leftOut }
}

const byStart = ({ event: one }: StateChange, { event: other }: StateChange): number =>
  one.start === other.start ? one.id - other.id : one.start < other.start ? -1 : 1

/** Returns the earlier states of translations of each other. One that was added since gets that of the others. */
function restored(
  events: readonly StatedEvent[],
  canceled: ReadonlyMap<number, UndoItem<StateColumns>>,
): readonly StateChange[] {
  const known = events.flatMap(({ id }) => canceled.get(id) ?? [])
  return events.flatMap((event): readonly StateChange[] => {
    const own = canceled.get(event.id)
    if (own) return [{ event, after: own.before }]
    const [other] = known
    return other && isSameSharedState(event.state, other.after)
      ? [{ event, after: { ...other.before, status_reason: '' } }]
      : []
  })
}

/**
 * Returns these events with those that share their states, by group. Runs a fixed number of queries.
 */
async function listGroups(
  { db, config }: PlanContext,
  ids: readonly number[],
): Promise<readonly (readonly StatedEvent[])[]> {
  if (ids.length === 0) return []
  const all = config.sharesFields ? await listTranslationIds(db, 'records', ids) : ids
  const events = await listStatedEvents(db, all)
  return [...Map.groupBy(events, (event) => (config.sharesFields ? event.groupId : event.id)).values()]
}

/** Writes states, and notes the change of each event, as a change of a single one does. */
async function writeStates(
  tx: Tx,
  dialect: Dialect,
  { changes, at }: { readonly changes: readonly StateChange[]; readonly at: number },
): Promise<void> {
  await updateStates(tx, dialect, changes)
  await touchRecords(tx, dialect, { ids: changes.map(({ event }) => event.id), at })
  // A date of a series that is canceled alone does not follow the series in this.
  await addOwnFields(tx, new Map(changes.map(({ event }) => [event.id, ['event_status']])))
}

/** Returns the state by the same rules as the change of a single event. Undefined if they refuse it. */
function stateAfter(
  event: StatedEvent,
  {
    eventStatus,
    reasons,
    at,
  }: {
    readonly eventStatus: CancellationStatus
    readonly reasons: Reasons
    readonly at: number
  },
): StateColumns | undefined {
  const { state, status, timezone } = event
  const zone = parseZone(timezone) ?? { ...utcZone, name: timezone }
  const { start, end, startUtc, endUtc } = event
  const times = { start, end, startUtc, endUtc, zone }
  const before = { ...times, ...stateOf(state), isAnnounced: !isUnpublished(status as RecordStatus) }
  const patch = { eventStatus, statusReason: reasonIn(reasons, event.language) }
  const next = nextState(before, patch, { times, at })
  if (typeof next === 'string') return undefined
  return {
    event_status: next.eventStatus,
    status_reason: next.statusReason,
    status_at: next.statusAt ?? null,
    previous_starts: JSON.stringify(next.previousStarts),
    attendance: next.attendance,
  }
}

function stateOf(state: StateColumns): EventState {
  return {
    eventStatus: state.event_status,
    statusReason: state.status_reason,
    statusAt: state.status_at ?? undefined,
    previousStarts: JSON.parse(state.previous_starts) as readonly PreviousStart[],
    attendance: state.attendance,
  }
}

/** Returns the reason in a language, or in another form of it. Readers of other languages get none. */
function reasonIn(reasons: Reasons, language: string): string {
  if (typeof reasons === 'string') return reasons
  const found = languageChain(language, Object.keys(reasons)).find((one) => reasons[one])
  return (found && reasons[found]) ?? ''
}
