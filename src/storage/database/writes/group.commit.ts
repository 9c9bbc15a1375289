import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { giveWay } from '../../../base/concurrency/turns.ts'
import { runCompiled } from '../statements/direct.statements.ts'
import { forgetSharedReads } from '../statements/shared.reads.ts'
import type { Tx } from '../tables.ts'
import { isUnavailable, unavailable } from '../unavailable.ts'
import { createWriteTurns, type WriteTurn } from './write.turns.ts'

/** What a write leaves for the end of the transaction. */
interface Left<N> {
  readonly notes: readonly N[]
  /** What must end before another write begins. If it fails, so does the transaction. */
  readonly unfinished?: Promise<unknown> | undefined
}

/** A write that waits for its turn, or for the commit that makes it durable. */
interface PendingWrite<N> {
  readonly turn: WriteTurn
  /** Runs the write. If it throws, only its own changes are rolled back. */
  run(tx: Tx): Promise<Left<N>>
  /** Settles the caller's promise with the result, once that is durable. */
  settle(): void
  fail(error: unknown): void
}

export interface GroupCommitOptions<N> {
  /** How long further writes may join before the finished ones are committed. */
  readonly joinMs?: number
  /**
   * They may join for as long as the last commit took, up to this time. Otherwise a slow server would spend most of its
   * time on commits of a few writes.
   */
  readonly longestJoinMs?: number
  /** Runs at the end of each transaction, before its commit, with the notes of its writes in their order. */
  readonly beforeCommit: (tx: Tx, notes: readonly N[]) => Promise<void>
  /**
   * Runs a transaction, and runs it again from its start if necessary.
   *
   * @param isAlone Whether no more than one write waits when it begins.
   */
  readonly transaction: (work: (tx: Tx) => Promise<void>, isAlone: boolean) => Promise<void>
  /** Whether an error ends the whole transaction, and not only the write that caused it. */
  readonly isFatal?: (error: unknown) => boolean
}

const defaultJoinMs = 25
/** So many writes are answered in one turn of the event loop. */
const settledAtOnce = 12

const setSavepoint = CompiledQuery.raw('savepoint write_of_one')
const rollBackToSavepoint = CompiledQuery.raw('rollback to savepoint write_of_one')
const releaseSavepoint = CompiledQuery.raw('release savepoint write_of_one')

/**
 * A write of a group. It can leave a note for the end of the transaction, where one statement can serve all writes, and
 * work that ends meanwhile. The note of a failed write does not count.
 */
type GroupedWrite<T, N> = (tx: Tx, leaveNote: (note: N, unfinished?: Promise<unknown>) => void) => Promise<T>

/**
 * Runs writes one after the other; clients take turns. Writes that wait at the same time share one transaction, so they
 * wait for the disk once. Each write has its own savepoint, so a failed write does not affect the others. Each is
 * answered only when all are durable. A long write shares its transaction with none that comes after it.
 */
export function groupCommits<N = never>({
  joinMs = defaultJoinMs,
  longestJoinMs = joinMs,
  beforeCommit,
  transaction,
  isFatal = () => false,
}: GroupCommitOptions<N>) {
  const turns = createWriteTurns<PendingWrite<N>>()
  let isRunning = false
  /** Number of writes in the open transaction. */
  let inCommit = 0
  /** Number of waiting writes that were in a transaction that failed as a whole. Each gets its own transaction. */
  let alone = 0
  /** How long the last transaction took from its last write to the end of its commit. */
  let commitMs = 0

  const runWaiting = async () => {
    const joined: PendingWrite<N>[] = []
    const maxMs = Math.max(joinMs, Math.min(commitMs, longestJoinMs))
    let writtenAtMs = 0
    let isCommitting = false
    try {
      await transaction(async (tx) => {
        // The transaction is retried from its start, with the same writes as before.
        turns.putBack(joined.splice(0))
        inCommit = 0
        isCommitting = false
        const notes: N[] = []
        let unfinished: Promise<unknown> | undefined
        let beganAtMs = 0
        for (let next = turns.next(false); next; next = turns.next(true)) {
          joined.push(next)
          inCommit = joined.length
          await unfinished
          const startedAtMs = performance.now()
          const left = await next.run(tx)
          notes.push(...left.notes)
          unfinished = left.unfinished
          const nowMs = performance.now()
          const isLong = turns.took(next, nowMs - startedAtMs)
          // The first one may have waited for the turn of this process.
          if (joined.length === 1) beganAtMs = nowMs
          if (isLong || alone > 0 || nowMs - beganAtMs > maxMs) break
          // Readers do not wait, and their writes may join.
          await giveWay()
        }
        writtenAtMs = performance.now()
        // The error of a write precedes those that follow from it.
        for (const end of await Promise.allSettled([unfinished, beforeCommit(tx, notes)])) {
          if (end.status === 'rejected') throw end.reason
        }
        // Readers that came meanwhile do not wait for the disk too.
        await nextTurn()
        isCommitting = true
      }, turns.size() === 1)
      commitMs = performance.now() - writtenAtMs
    } catch (error) {
      // The server may have done a commit that it could not confirm. Its writes must not be done again.
      if (joined.length > 1 && !(isCommitting && isUnavailable(error))) {
        turns.putBack(joined)
        alone = joined.length
        return
      }
      if (joined.length === 0) {
        // The transaction could not begin, so the other waiting writes would fail too.
        alone = 0
        for (let next = turns.next(false); next; next = turns.next(false)) next.fail(error)
        return
      }
      alone = Math.max(0, alone - 1)
      for (const pending of joined) pending.fail(error)
      return
    }
    alone = Math.max(0, alone - 1)
    for (const [place, pending] of joined.entries()) {
      // Presenting an answer takes as long as writing, and begins when this has given way.
      if (place % settledAtOnce === settledAtOnce - 1) await nextTurn()
      pending.settle()
    }
  }

  const run = async () => {
    isRunning = true
    while (turns.size() > 0) {
      // Requests that have already arrived run first, so that their writes join.
      await nextTurn()
      await runWaiting()
      inCommit = 0
    }
    isRunning = false
  }

  // The commit belongs to no single request. The statements of each write belong to the request that made it.
  const outsideRequests = AsyncLocalStorage.snapshot()
  const write = <T>(work: GroupedWrite<T, N>, turn: WriteTurn): Promise<T> => {
    if (turns.countOf(turn) >= (turn.maxWaiting ?? Number.POSITIVE_INFINITY))
      return Promise.reject(unavailable(undefined))
    // A snapshot does the same, but takes longer to make.
    const caller = new AsyncResource('Write')
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let settle = () => {}
    turns.add({
      turn,
      run: async (tx) => {
        const notes: N[] = []
        let unfinished: Promise<unknown> | undefined
        const leaveNote = (note: N, end?: Promise<unknown>) => {
          notes.push(note)
          unfinished = end
          // Reported when it is waited for.
          end?.catch(() => {})
        }
        await runCompiled(tx, setSavepoint)
        try {
          const result = await caller.runInAsyncScope(work, undefined, tx, leaveNote)
          settle = () => resolve(result)
        } catch (error) {
          if (isFatal(error)) throw error
          settle = () => reject(error)
          notes.length = 0
          unfinished = undefined
          forgetSharedReads(tx)
          await runCompiled(tx, rollBackToSavepoint)
        }
        await runCompiled(tx, releaseSavepoint)
        return { notes, unfinished }
      },
      settle: () => settle(),
      fail: reject,
    })
    if (!isRunning) void outsideRequests(run)
    return promise
  }
  return { write, waiting: () => turns.size() + inCommit }
}
