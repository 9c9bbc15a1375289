import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely'
import type { Problem } from '../../../base/problems.ts'
import { latestMigration } from '../migrate.ts'
import { readReplicaRevision } from '../revision.ts'
import type { Db, Tables } from '../tables.ts'
import { isUnavailable } from '../unavailable.ts'
import { errorText, isConflict } from './errors.ts'
import { canServe, lagMsOf, type ReplicaProgress, updateProgress } from './replica.progress.ts'
import { failingWhenSilent, silent } from './silence.ts'

/** A read-only server that follows the primary. */
export interface Replica {
  /**
   * Returns the handle to read from. Undefined if the replica lacks a required write, or if its progress is unknown.
   */
  dbFor(revision: number): Db | undefined
  /** The connections of that handle. */
  readonly pool: PostgresPool
  /** The lag of the replica, in milliseconds. Undefined if the replica is away, or further behind than allowed. */
  lagMs(): Promise<number | undefined>
  close(): Promise<void>
}

export interface ReplicaOptions {
  readonly pool: PostgresPool
  /** A connection that only looks at its progress. */
  readonly watching: PostgresPool
  /** Address of the replica, safe to print. */
  readonly shown: string
  /** Reads the revision of the primary. It fails soon if the primary is silent. */
  readonly ofPrimary: () => Promise<number>
  /** Connections to another server that has this revision. */
  readonly elsewhere: (revision: number) => PostgresPool
  readonly maxLagMs: number
  /** The same while the primary is away, if it is more. */
  readonly aloneMs: number
  readonly open: (pool: PostgresPool) => Kysely<Tables>
  readonly say: (line: string) => void
}

/** Maximum age of the known progress before a request triggers a new check of the replica. */
const lookEveryMs = 250

/** Runs work on the replica, which fails if the replica falls silent meanwhile. */
type OrSilent = <T>(work: Promise<T>) => Promise<T>

/**
 * Opens a replica, which may be unavailable now and at any time. No request waits for a check of the replica, and none
 * fails because of it: another server answers every query that the replica does not.
 */
export function openReplica(options: ReplicaOptions): Replica {
  const { pool, watching, shown, ofPrimary, elsewhere, maxLagMs, aloneMs, open, say } = options
  let progress: ReplicaProgress | undefined
  /** No query that the replica was given requires more. */
  let lastRevision = Number.POSITIVE_INFINITY
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
  const bare = open(watching)
  const askReplica = failingWhenSilent(() => readReplicaRevision(bare, latestMigration))
  /** End the waits for what the replica was asked. */
  const abandonments = new Set<(cause: Error) => void>()
  const look = async () => {
    lookBeganAtMs = performance.now()
    const samples = progress?.samples ?? []
    const primaryRevision = await ofPrimary().catch(() => undefined)
    isAlone = primaryRevision === undefined
    // A primary that falls silent is waited for, and the replica is looked at afterwards.
    const atMs = isAlone ? performance.now() : lookBeganAtMs
    try {
      const revision = await askReplica()
      progress =
        revision === undefined
          ? undefined
          : updateProgress(samples, { atMs, revision: primaryRevision }, { revision, maxLagMs })
      lastRevision = revision ?? lastRevision
      if (isUnreachable && !isClosed) say(`The replica ${shown} is used again.`)
      isUnreachable = false
    } catch (error) {
      leave(error)
      if (error === silent) for (const end of abandonments) end(silent)
    }
  }
  const refreshProgress = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  const orSilent: OrSilent = async (work) => {
    const { promise: abandoned, reject: end } = Promise.withResolvers<never>()
    abandonments.add(end)
    // Without further requests, nobody else looks.
    const looking = setInterval(refreshProgress, lookEveryMs)
    try {
      return await Promise.race([work, abandoned])
    } finally {
      clearInterval(looking)
      abandonments.delete(end)
    }
  }
  const withElsewhere = withFallback(pool, {
    leave,
    isLeft: () => isUnreachable,
    orSilent,
    elsewhere: (isOnPrimary) => elsewhere(isOnPrimary ? Number.POSITIVE_INFINITY : lastRevision),
  })
  const db = open(withElsewhere)

  return {
    dbFor: (revision) => {
      const nowMs = performance.now()
      if (nowMs - lookBeganAtMs >= lookEveryMs) void refreshProgress()
      const maxMs = isAlone ? Math.max(aloneMs, maxLagMs) : maxLagMs
      return canServe(progress, { nowMs, revision, maxLagMs: maxMs }) ? db : undefined
    },
    pool: withElsewhere,
    lagMs: async () => {
      await refreshProgress()
      return lagMsOf(progress)
    },
    close: async () => {
      isClosed = true
      await Promise.all([pool.end(), watching.end()])
    },
  }
}

/**
 * Connections to a replica. Another server takes over a query if a connection breaks, cannot be opened, or falls silent,
 * and the primary if it conflicts with what the replica must replay. Outside of writes, statements are independent, so
 * each of them may move.
 */
function withFallback(
  replica: PostgresPool,
  {
    leave,
    isLeft,
    orSilent,
    elsewhere,
  }: {
    readonly leave: (cause: unknown) => void
    /** Whether it was left, and was not found again so far. */
    readonly isLeft: () => boolean
    readonly orSilent: OrSilent
    readonly elsewhere: (isOnPrimary?: boolean) => PostgresPool
  },
): PostgresPool {
  return {
    options: replica.options,
    connect: async () => {
      // The next statement of a request that was given this replica before.
      if (isLeft()) return elsewhere().connect()
      const connecting = replica.connect()
      let client: PostgresPoolClient
      try {
        client = await orSilent(connecting)
      } catch (error) {
        connecting.then((late) => late.release()).catch(() => {})
        leave(error)
        return elsewhere().connect()
      }
      let isSilent = false
      const query = async (text: string, parameters: readonly unknown[]) => {
        try {
          return await orSilent(client.query(text, parameters))
        } catch (error) {
          isSilent ||= error === silent
          const isTemporary = isConflict(error)
          if (isSilent || isUnavailable(error)) leave(error)
          else if (!isTemporary) throw error
          const other = await elsewhere(isTemporary).connect()
          try {
            return await other.query(text, parameters)
          } finally {
            other.release()
          }
        }
      }
      // The other form of `query` is for cursors, which this service does not use.
      return {
        query: query as PostgresPoolClient['query'],
        release: (isDiscarded) => client.release(isDiscarded || isSilent),
      }
    },
    end: () => replica.end(),
  }
}

function reasonFor(error: unknown): string {
  const cause = isUnavailable(error) ? (error as Problem).cause : error
  return cause instanceof Error ? errorText(cause) : String(cause)
}
