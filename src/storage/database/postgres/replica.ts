import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely'
import type { Problem } from '../../../base/problems.ts'
import { latestMigration } from '../migrate.ts'
import { readReplicaRevision, readRevision } from '../revision.ts'
import type { Db, Tables } from '../tables.ts'
import { isUnavailable } from '../unavailable.ts'
import { errorText, isConflict } from './errors.ts'
import { canServe, lagMsOf, type ReplicaProgress, updateProgress } from './replica.progress.ts'

/** A read-only server that follows the primary. */
export interface Replica {
  /**
   * Returns the handle to read from. Undefined if the replica lacks a required write, or if its progress is unknown.
   */
  dbFor(revision: number): Db | undefined
  /** The lag of the replica, in milliseconds. Undefined if the replica is away, or further behind than allowed. */
  lagMs(): Promise<number | undefined>
  close(): Promise<void>
}

export interface ReplicaOptions {
  readonly pool: PostgresPool
  /** Address of the replica, safe to print. */
  readonly shown: string
  readonly primary: PostgresPool
  readonly maxLagMs: number
  /** The same while the primary is away, if it is more. */
  readonly aloneMs: number
  readonly open: (pool: PostgresPool) => Kysely<Tables>
  readonly say: (line: string) => void
}

/** Maximum age of the known progress before a request triggers a new check of the replica. */
const lookEveryMs = 250
/** A replica that has not answered a look for this time is silent: the queries that it was given move to the primary. */
const silentAfterMs = 2000

/**
 * Opens a replica, which may be unavailable now and at any time. No request waits for a check of the replica, and none
 * fails because of it: the primary answers every query that the replica does not.
 */
export function openReplica({ pool, shown, primary, maxLagMs, aloneMs, open, say }: ReplicaOptions): Replica {
  let progress: ReplicaProgress | undefined
  let lookBeganAtMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  let isUnreachable = false
  let isClosed = false
  let isAlone = false

  const leave = (cause: unknown) => {
    progress = undefined
    if (!isUnreachable && !isClosed)
      say(`The replica ${shown} cannot be used (${reasonFor(cause)}): the primary is read from.`)
    isUnreachable = true
  }
  const onPrimary = open(primary)
  const bare = open(pool)
  /** End the waits for queries that the replica was given. */
  const abandonments = new Set<(cause: Error) => void>()
  const abandon = () => {
    const all = [...abandonments]
    abandonments.clear()
    for (const end of all) end(new Error('silent'))
  }
  const db = open(withFallback(pool, primary, { leave, abandonments }))

  const look = async () => {
    lookBeganAtMs = performance.now()
    const samples = progress?.samples ?? []
    const ofPrimary = await readRevision(onPrimary).catch(() => undefined)
    isAlone = ofPrimary === undefined
    // A primary that falls silent is waited for, and the replica is looked at afterwards.
    const atMs = isAlone ? performance.now() : lookBeganAtMs
    const silence = setTimeout(abandon, silentAfterMs)
    try {
      const revision = await readReplicaRevision(bare, latestMigration)
      progress =
        revision === undefined
          ? undefined
          : updateProgress(samples, { atMs, revision: ofPrimary }, { revision, maxLagMs })
      if (isUnreachable && !isClosed) say(`The replica ${shown} is used again.`)
      isUnreachable = false
    } catch (error) {
      leave(error)
    } finally {
      clearTimeout(silence)
    }
  }
  const refreshProgress = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  return {
    dbFor: (revision) => {
      const nowMs = performance.now()
      if (nowMs - lookBeganAtMs >= lookEveryMs) void refreshProgress()
      const maxMs = isAlone ? Math.max(aloneMs, maxLagMs) : maxLagMs
      return canServe(progress, { nowMs, revision, maxLagMs: maxMs }) ? db : undefined
    },
    lagMs: async () => {
      await refreshProgress()
      return lagMsOf(progress)
    },
    close: () => {
      isClosed = true
      return pool.end()
    },
  }
}

/**
 * Connections to a replica. The primary takes over a query if a connection breaks, cannot be opened, or conflicts with
 * what the replica must replay. Outside of writes, statements are independent, so each of them may move.
 */
function withFallback(
  replica: PostgresPool,
  primary: PostgresPool,
  {
    leave,
    abandonments,
  }: { readonly leave: (cause: unknown) => void; readonly abandonments: Set<(cause: Error) => void> },
): PostgresPool {
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
      let isAbandoned = false
      const query = async (text: string, parameters: readonly unknown[]) => {
        const { promise: abandoned, reject: end } = Promise.withResolvers<never>()
        abandonments.add(end)
        try {
          return await Promise.race([client.query(text, parameters), abandoned])
        } catch (error) {
          isAbandoned = !abandonments.has(end)
          if (isAbandoned || isUnavailable(error)) leave(error)
          else if (!isConflict(error)) throw error
          return onPrimary(text, parameters)
        } finally {
          abandonments.delete(end)
        }
      }
      // The other form of `query` is for cursors, which this service does not use.
      return {
        query: query as PostgresPoolClient['query'],
        release: (isDiscarded) => client.release(isDiscarded || isAbandoned),
      }
    },
    end: () => replica.end(),
  }
}

function reasonFor(error: unknown): string {
  const cause = isUnavailable(error) ? (error as Problem).cause : error
  return cause instanceof Error ? errorText(cause) : String(cause)
}
