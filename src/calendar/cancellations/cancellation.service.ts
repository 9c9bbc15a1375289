import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit, mayEditOthers } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import type { Config } from '../../base/config/config.ts'
import { fail, Problem } from '../../base/problems.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { addOwnFields } from '../occurrences/occurrence.service.ts'
import { touchRecords } from '../records/record.version.repository.ts'
import { listVersionIds } from '../translations/group.repository.ts'
import { listCandidates } from './cancellation.candidates.repository.ts'
import {
  findCancellation,
  hasCancellationBefore,
  insertCancellation,
  listAffected,
  listCanceledEvents,
  listStatedEvents,
  markUndone,
  removeCancellationsBefore,
  updateStates,
} from './cancellation.repository.ts'
import { stateAfter } from './cancellation.states.ts'
import {
  type Affected,
  type CanceledEvent,
  type Cancellation,
  type CancellationPlan,
  type CancellationStatus,
  isSameSharedState,
  isSameState,
  maxCandidates,
  maxEvents,
  type Reasons,
  type StateChange,
  type StatedEvent,
  type UndoPlan,
  undoDays,
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

/** Who asks, and with what. */
type Asking = Pick<PlanContext, 'actor'> & { readonly deps: Deps }

/** A plan, and the id of the request if it was carried out. */
export type Outcome<P> = P & { readonly id: number | undefined }

const daySeconds = 86_400
const removedAtOnce = 10

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
  const { storage, config, now } = deps
  const planIn = (db: Db) => planCancellation({ db, dialect: storage.dialect, actor, config, at: now() }, order)
  if (isDry) return { ...(await planIn(storage.db)), id: undefined }
  return storage.write(async (tx) =>
    carryOut(tx, { deps, actor }, { plan: await planIn(tx), status: order.eventStatus }),
  )
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
  const { storage, config, now } = deps
  const context = { db: tx ?? storage.db, dialect: storage.dialect, actor, config, at: now() }
  const plan = { unchanged: 0, ...(await planStates(context, ids, { eventStatus: 'canceled', reasons: '' })) }
  return tx ? carryOut(tx, { deps, actor }, { plan, status: 'canceled' }) : { ...plan, id: undefined }
}

async function carryOut(
  tx: Tx,
  { deps: { storage, now }, actor }: Asking,
  { plan, status }: { readonly plan: CancellationPlan; readonly status: CancellationStatus },
): Promise<Outcome<CancellationPlan>> {
  if (plan.changes.length === 0) return { ...plan, id: undefined }
  const made = { at: now(), userId: actor.kind === 'user' ? actor.id : undefined, status }
  const id = await insertCancellation(tx, made, plan.changes)
  await writeStates(tx, storage.dialect, { changes: plan.changes, at: made.at })
  return { ...plan, id }
}

/**
 * Gives events the states that they had before a request, or only tells which. Events whose state has changed since are
 * skipped. Doing it again has no effect.
 *
 * @throws cancellation-not-found
 */
export async function undoCancellation(
  { deps, actor }: Asking,
  id: number,
  isDry: boolean,
): Promise<UndoPlan & { readonly cancellation: Cancellation }> {
  const { storage, config, now } = deps
  const planIn = async (db: Db) => {
    const cancellation = await findOwnCancellation({ db, actor, at: now() }, id)
    return { cancellation, ...(await planUndo({ db, dialect: storage.dialect, actor, config, at: now() }, id)) }
  }
  if (isDry) return planIn(storage.db)
  return storage.write(async (tx) => {
    const plan = await planIn(tx)
    if (plan.changes.length === 0) return plan
    await writeStates(tx, storage.dialect, { changes: plan.changes, at: now() })
    await markUndone(tx, storage.dialect, { id, eventIds: plan.changes.map(({ event }) => event.id), at: now() })
    return plan
  })
}

/** Whether there are requests that can no longer be undone. */
export async function hasOldCancellations({ storage, now }: Deps): Promise<boolean> {
  return hasCancellationBefore(storage.db, oldestUndoable(now()))
}

/** Removes a limited number of requests that can no longer be undone. @returns whether there may be more. */
export async function removeOldCancellations({ storage, now }: Deps): Promise<boolean> {
  const removed = await storage.write((tx) => removeCancellationsBefore(tx, oldestUndoable(now()), removedAtOnce))
  return removed === removedAtOnce
}

function oldestUndoable(at: number): number {
  return at - undoDays * daySeconds
}

/** @throws cancellation-not-found, also if the request was that of another user whose events the caller may not edit */
async function findOwnCancellation(
  { db, actor, at }: Pick<PlanContext, 'db' | 'actor' | 'at'>,
  id: number,
): Promise<Cancellation> {
  const found = await findCancellation(db, id, oldestUndoable(at))
  const isOwn = actor.kind === 'user' && found?.userId === actor.id
  return found && (isOwn || mayEditOthers(actor)) ? found : fail('cancellation-not-found')
}

/** @throws rest_invalid_param */
async function planCancellation(
  context: PlanContext,
  { affected, eventStatus, reasons }: CancellationOrder,
): Promise<CancellationPlan> {
  const { db, dialect, actor, at } = context
  const query = { db, dialect, actor, affected, eventStatus, at }
  const candidates = await listCandidates(query)
  // Counted first, so that too many events are never read. Others do not learn how many they may not see.
  const counted = mayEditOthers(actor) ? candidates.length : Math.min(candidates.length, maxCandidates + 1)
  assertFew(counted, maxCandidates)
  const found = await listAffected(query, candidates)
  const others = found.filter(({ isUnchanged }) => !isUnchanged)
  const ids = others.flatMap(({ id, isEditable }) => (isEditable ? [id] : []))
  assertFew(ids.length)
  const { changes, leftOut } = await planStates(context, ids, { eventStatus, reasons })
  assertFew(changes.length)
  return { changes, unchanged: found.length - others.length, leftOut: leftOut + others.length - ids.length }
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
  const canceled = new Map((await listCanceledEvents(context.db, id)).map((one) => [one.eventId, one]))
  const changes: StateChange[] = []
  const skipped: number[] = []
  let leftOut = 0
  for (const events of await listGroups(context, [...canceled.keys()])) {
    const own = events.filter((event) => canceled.has(event.id))
    // Translations share a state, so they are restored together or not at all.
    if (own.some(({ id: eventId, state }) => !isSameState(state, (canceled.get(eventId) as CanceledEvent).after))) {
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
  canceled: ReadonlyMap<number, CanceledEvent>,
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
  { db, dialect, config }: PlanContext,
  ids: readonly number[],
): Promise<readonly (readonly StatedEvent[])[]> {
  if (ids.length === 0) return []
  const all = config.sharesFields ? await listVersionIds(db, 'records', ids) : ids
  const events = await listStatedEvents(db, dialect, all)
  return [...Map.groupBy(events, (event) => (config.sharesFields ? event.groupId : event.id)).values()]
}

/** @throws rest_invalid_param */
function assertFew(count: number, most = maxEvents): void {
  if (count <= most) return
  const values = { most: String(maxEvents), count: String(count) }
  throw new Problem('rest_invalid_param', { faults: { where: { text: 'fault.too-many-events', values } } })
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
