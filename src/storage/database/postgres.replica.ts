import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely'
import type { Problem } from '../../base/problems.ts'
import { newestMigration } from './migrate.ts'
import { isConflict, reasonOf } from './postgres.faults.ts'
import { isGoodFor, lagMsOf, type Progress, progressAfter } from './replica.progress.ts'
import { readRevision, readRevisionOfCopy } from './revision.ts'
import type { Db, Tables } from './tables.ts'
import { isUnavailable } from './unavailable.ts'

/** A server that follows the primary and is only read from. */
export interface Replica {
  /** Where to read from it; undefined where it has not all that is needed, or nobody knows. */
  dbFor(revision: number): Db | undefined
  /** How far it is behind, in milliseconds; undefined where it is away, or further behind than it may be. */
  lagMs(): Promise<number | undefined>
  close(): Promise<void>
}

export interface ReplicaOptions {
  /** Connections to it. */
  readonly pool: PostgresPool
  /** Its address as it may be printed. */
  readonly shown: string
  /** Connections that read from the primary. */
  readonly primary: PostgresPool
  readonly maxLagMs: number
  readonly open: (pool: PostgresPool) => Kysely<Tables>
  readonly say: (line: string) => void
}

/** How old knowledge may be before a request has the replica looked at again. */
const lookEveryMs = 250

/**
 * Opens a replica, which may be away now and at any time. No request waits for it to be looked at, and none fails for
 * it: what it does not answer the primary does.
 */
export function openReplica({ pool, shown, primary, maxLagMs, open, say }: ReplicaOptions): Replica {
  let progress: Progress | undefined
  let lookBeganAtMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  let isAway = false
  let isClosed = false

  const leave = (cause: unknown) => {
    progress = undefined
    if (!isAway && !isClosed)
      say(`The replica ${shown} cannot be used (${reasonFor(cause)}): the primary is read from.`)
    isAway = true
  }
  const onPrimary = open(primary)
  const bare = open(pool)
  const db = open(withFallback(pool, primary, leave))

  const look = async () => {
    lookBeganAtMs = performance.now()
    const sample = { atMs: lookBeganAtMs, revision: await readRevision(onPrimary) }
    const samples = progress?.samples ?? []
    try {
      const revision = await readRevisionOfCopy(bare, newestMigration)
      progress = revision === undefined ? undefined : progressAfter(samples, sample, { revision, maxLagMs })
      if (isAway && !isClosed) say(`The replica ${shown} is used again.`)
      isAway = false
    } catch (error) {
      leave(error)
    }
  }
  const lookAgain = (): Promise<void> => {
    looking ??= look()
      // The primary is away: whoever needs it is told so, and nothing is known of the replica.
      .catch(() => {
        progress = undefined
      })
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  return {
    dbFor: (revision) => {
      const nowMs = performance.now()
      if (nowMs - lookBeganAtMs >= lookEveryMs) void lookAgain()
      return isGoodFor(progress, { nowMs, revision, maxLagMs }) ? db : undefined
    },
    lagMs: async () => {
      await lookAgain()
      return lagMsOf(progress)
    },
    close: () => {
      isClosed = true
      return pool.end()
    },
  }
}

/**
 * Connections to a replica whose work the primary takes over when they break, cannot be had, or stand in the way of
 * what the replica has to replay. Outside of writes every statement stands for itself, so any of them may move.
 */
function withFallback(replica: PostgresPool, primary: PostgresPool, leave: (cause: unknown) => void): PostgresPool {
  const onPrimary = async (text: string, parameters: readonly unknown[]) => {
    const client = await primary.connect()
    try {
      return await client.query(text, parameters)
    } finally {
      client.release()
    }
  }
  return {
    options: replica.options,
    connect: async () => {
      let client: PostgresPoolClient
      try {
        client = await replica.connect()
      } catch (error) {
        leave(error)
        return primary.connect()
      }
      const query = async (text: string, parameters: readonly unknown[]) => {
        try {
          return await client.query(text, parameters)
        } catch (error) {
          if (isUnavailable(error)) leave(error)
          else if (!isConflict(error)) throw error
          return onPrimary(text, parameters)
        }
      }
      // There are no cursors here, its other form.
      return { query: query as PostgresPoolClient['query'], release: (isDiscarded) => client.release(isDiscarded) }
    },
    end: () => replica.end(),
  }
}

function reasonFor(error: unknown): string {
  const cause = isUnavailable(error) ? (error as Problem).cause : error
  return cause instanceof Error ? reasonOf(cause) : String(cause)
}
