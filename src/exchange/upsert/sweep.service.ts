import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { cancelTheseEvents } from '../../calendar/cancellations/cancellation.service.ts'
import { findTemplate } from '../../calendar/events/event.repository.ts'
import { writeContext } from '../../calendar/records/write.context.ts'
import { changeSeries } from '../../calendar/series/series.change.service.ts'
import { listUnseen, markGone, type UnseenRecord } from '../../calendar/sources/source.repository.ts'
import { assertMayUseSource } from '../../calendar/sources/source.service.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { SentKind } from './upsert.kind.ts'

/** The maximum number of records that one request changes. One transaction of this size does not delay other writes. */
const maxSwept = 200

export const SWEEP_ACTIONS = ['trash', 'cancel'] as const

/** What to do with which records. */
export interface SweepOrder {
  readonly name: string
  readonly kind: SentKind
  /** Records that were last sent before this second. */
  readonly before: number
  readonly action: (typeof SWEEP_ACTIONS)[number]
}

/** What a sweep changed, or would change. */
export interface SweepResult {
  readonly records: readonly UnseenRecord[]
  /** How many records the caller may not change. */
  readonly leftOut: number
  readonly hasMore: boolean
  /** Id of the request that canceled events; undefined if there is none. */
  readonly cancellationId: number | undefined
}

/**
 * Moves records that their source has not sent for some time to the trash, or cancels them, or only tells which. Records
 * that the caller may not change are left out.
 *
 * @throws source-of-another-user
 */
export async function sweepSource(
  { deps, actor }: { readonly deps: Deps; readonly actor: Actor },
  order: SweepOrder,
  isDry: boolean,
): Promise<SweepResult> {
  const { storage, now } = deps
  const { name, kind, before, action } = order
  const names = { kind: kind.kind, name }
  const isCanceling = action === 'cancel'
  const sweep = async (tx: Tx | undefined): Promise<SweepResult> => {
    const db = tx ?? storage.db
    await assertMayUseSource(db, actor, name)
    // Records that may not be changed stay in the way of the others, so more are read than are changed.
    const found = await listUnseen(db, names, { before, now: now(), isCanceling, limit: 2 * maxSwept + 1 })
    const own = found.filter((record) => mayEdit(actor, record))
    const records = own.slice(0, maxSwept)
    const result = {
      records,
      leftOut: found.length - own.length,
      hasMore: records.length > 0 && (own.length > maxSwept || found.length > 2 * maxSwept),
      cancellationId: undefined,
    }
    if (isCanceling) {
      const done = await cancel(tx, { deps, actor }, { records, names })
      // Events that cannot be canceled would be found again and again.
      return { ...result, ...done, hasMore: result.hasMore && done.records.length > 0 }
    }
    if (!tx) return result
    const write = writeContext({ deps, actor }, tx)
    for (const { id } of records) {
      // Requests that read do not wait for all of them.
      await nextTurn()
      await kind.trash(write, id)
    }
    await markGone(tx, { ...names, at: now() }, keysOf(records))
    return result
  }
  return isDry ? sweep(undefined) : storage.write(sweep)
}

const keysOf = (records: readonly UnseenRecord[]) => records.map(({ key }) => key)

async function cancel(
  tx: Tx | undefined,
  { deps, actor }: { readonly deps: Deps; readonly actor: Actor },
  { records, names }: { readonly records: readonly UnseenRecord[]; readonly names: Parameters<typeof listUnseen>[1] },
): Promise<Pick<SweepResult, 'records' | 'cancellationId'>> {
  const isSeries = new Set<number>()
  for (const { id } of records) if (await findTemplate(tx ?? deps.storage.db, id)) isSeries.add(id)
  const single = records.map(({ id }) => id).filter((id) => !isSeries.has(id))
  const plan = await cancelTheseEvents(tx, { deps, actor }, single)
  for (const id of tx ? isSeries : []) {
    await changeSeries(writeContext({ deps, actor }, tx as Tx), id, { patch: { eventStatus: 'canceled' } })
  }
  const changed = new Set([...isSeries, ...plan.changes.map(({ event }) => event.id as number)])
  // Translations share the state, so one that may not be changed keeps the others from it.
  const canceled = records.filter(({ id }) => changed.has(id))
  if (tx) await markGone(tx, { ...names, at: deps.now() }, keysOf(canceled))
  return { records: canceled, cancellationId: plan.id }
}
