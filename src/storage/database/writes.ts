import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from './tables.ts'

/** A write that waits for its turn, or for the commit that makes it durable. */
interface Pending {
  /** Runs it; what it throws undoes what it did, and nothing else. */
  run(tx: Tx): Promise<void>
  /** Tells whoever asked for it how it went, once that is durable. */
  settle(): void
  fail(error: unknown): void
}

export interface SharedCommitOptions {
  /** How long further writes may join before those that are done are committed. */
  readonly openMs?: number
  /** Runs at the end of each transaction, before its commit. */
  readonly beforeCommit: (tx: Tx) => Promise<void>
  /** Runs a transaction, and where it has to be from its start again. */
  readonly transaction: (work: (tx: Tx) => Promise<void>) => Promise<void>
  /** Whether an error ends the whole transaction and not only the write that met it. */
  readonly isFatal?: (error: unknown) => boolean
}

const defaultOpenMs = 25
const longestSliceMs = 1

/**
 * Runs writes one after the other, those that wait at the same time in one transaction: the disk is waited for once for
 * all of them. Each stands in a savepoint of its own, so that one that fails takes no other with it, and each is
 * answered only when all are durable.
 */
export function sharedCommits({
  openMs = defaultOpenMs,
  beforeCommit,
  transaction,
  isFatal = () => false,
}: SharedCommitOptions) {
  const waiting: Pending[] = []
  let isRunning = false
  /** How many stand in the transaction that is open. */
  let inCommit = 0
  /** How many of those that wait stood in a transaction that failed as a whole: each gets one of its own. */
  let alone = 0

  const runWaiting = async () => {
    const joined: Pending[] = []
    try {
      await transaction(async (tx) => {
        // Tried again from its start: whoever was in it before still is.
        waiting.unshift(...joined.splice(0))
        inCommit = 0
        const beganAtMs = performance.now()
        let sliceBeganAtMs = beganAtMs
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          joined.push(next)
          inCommit = joined.length
          await next.run(tx)
          const nowMs = performance.now()
          if (alone > 0 || nowMs - beganAtMs > openMs) break
          // Readers are not kept waiting, and what they send may join.
          if (nowMs - sliceBeganAtMs > longestSliceMs) {
            await nextTurn()
            sliceBeganAtMs = performance.now()
          }
        }
        await beforeCommit(tx)
      })
    } catch (error) {
      if (joined.length > 1) {
        waiting.unshift(...joined)
        alone = joined.length
        return
      }
      if (joined.length === 0) {
        // It could not even begin: nor could that of anybody else who waits.
        alone = 0
        for (const pending of waiting.splice(0)) pending.fail(error)
        return
      }
      alone = Math.max(0, alone - 1)
      for (const pending of joined) pending.fail(error)
      return
    }
    alone = Math.max(0, alone - 1)
    for (const pending of joined) pending.settle()
  }

  const run = async () => {
    isRunning = true
    while (waiting.length > 0) {
      // Requests that are there already have their turn first: what they write joins.
      await nextTurn()
      await runWaiting()
      inCommit = 0
    }
    isRunning = false
  }

  // The commits are everybody's; of each write its statements are of whoever asked for it.
  const asNobody = AsyncLocalStorage.snapshot()
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const asWhoAsks = AsyncLocalStorage.snapshot()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let settle = () => {}
    waiting.push({
      run: async (tx) => {
        await sql`savepoint write_of_one`.execute(tx)
        try {
          const result = await asWhoAsks(work, tx)
          settle = () => resolve(result)
        } catch (error) {
          if (isFatal(error)) throw error
          settle = () => reject(error)
          await sql`rollback to savepoint write_of_one`.execute(tx)
        }
        await sql`release savepoint write_of_one`.execute(tx)
      },
      settle: () => settle(),
      fail: reject,
    })
    if (!isRunning) void asNobody(run)
    return promise
  }
  return { write, waiting: () => waiting.length + inCommit }
}
