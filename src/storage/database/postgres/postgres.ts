import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import type { PrepareMode } from '../../../base/config/database.ts'
import { systemClock } from '../../../base/time/clock.ts'
import { insertAuditRows, type NewAuditRow, withAudit } from '../audit/audit.ts'
import { prepareAll, refreshAll } from '../derivation.ts'
import { setReadCacheBytes } from '../derived.values.ts'
import { postgres } from '../dialect.ts'
import { isSchemaUpToDate, migrate } from '../migrate.ts'
import { type Origin, serviceOrigin, turnOf } from '../origin.ts'
import { leaseRevision, leasesEnded } from '../revision.lease.ts'
import { incrementRevision, readRevision, revisionRow } from '../revision.ts'
import { connectionRun, withDirectRun } from '../statements/direct.statements.ts'
import { queryLogging } from '../statements/query.logging.ts'
import type { Storage, StorageOptions } from '../storage.ts'
import type { Db, Tables, Tx } from '../tables.ts'
import { isUnavailable, unavailable } from '../unavailable.ts'
import { withBeforeWrite } from '../writes/before.write.ts'
import { groupCommits } from '../writes/group.commit.ts'
import { isConflict } from './errors.ts'
import { tellOutages } from './outage.ts'
import { openPool, type PoolOptions } from './pool.ts'
import { openReplica, type Replica } from './replica.ts'
import { describeServer } from './server.ts'
import { failingWhenSilent, silent } from './silence.ts'
import { waitForServer } from './start.ts'

const statement = `select number from revisions where id = ${revisionRow}`

/**
 * Returns the number of the last write that this server has, as `readRevision` does. It runs before every answer from
 * the response cache. It therefore skips the query builder and uses the protocol with the fewest messages.
 */
async function queryRevision(pool: PostgresPool): Promise<number> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ number: number }>(statement, [])
    return rows[0]?.number ?? 0
  } finally {
    client.release()
  }
}

const maxAttempts = 8
const firstPauseMs = 5
const defaultMaxLagMs = 5000
/** Readers do not wait meanwhile. */
const longestJoinMs = 100
/** A health check has timed out long before this. */
const watchTimeoutMs = 2000

export interface PostgresServer {
  readonly url: string
  /** The same URL without its password. */
  readonly shown: string
  /** Maximum number of connections, including the one that writes. */
  readonly poolSize: number
  readonly statementTimeoutMs: number
  /** The same for statements that read outside of writes. */
  readonly queryTimeoutMs?: number
  /** How long to wait for the server. */
  readonly waitMs: number
  /** How long a request waits for a server that is away. */
  readonly outageWaitMs?: number
  /** Whether connections keep named statements. */
  readonly prepare?: PrepareMode
  /** Servers that follow this one, each with its own address. */
  readonly replicas?: readonly { readonly url: string; readonly shown: string }[]
  /** How far a replica may lag behind the writes of others and still serve reads. */
  readonly replicaMaxLagMs?: number
  /** The same while the primary is away. */
  readonly replicaAloneMs?: number
}

/**
 * Waits for this server, opens its database and migrates it to the newest schema.
 *
 * One connection writes and the others read, so that writes that wait for their turn never block readers.
 *
 * @throws StorageError if the server does not answer or cannot be used.
 */
export async function openPostgres(
  {
    url,
    shown,
    poolSize,
    statementTimeoutMs,
    queryTimeoutMs = statementTimeoutMs,
    waitMs,
    outageWaitMs = 0,
    prepare,
    replicas = [],
    replicaMaxLagMs = defaultMaxLagMs,
    replicaAloneMs = 0,
  }: PostgresServer,
  {
    derivations,
    isDurable = true,
    readCacheBytes = 0,
    now,
    audited,
    say = printWarning,
    maxWaiting,
    ...queryHooks
  }: StorageOptions,
): Promise<Storage> {
  const openOn = (pool: PostgresPool) => {
    const handle = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool }),
      ...queryLogging(queryHooks),
    })
    setReadCacheBytes(handle, readCacheBytes)
    return handle
  }
  const outages = tellOutages(shown, say)
  const server = describeServer({ url, shown, prepare, say })
  const open = (connections: Omit<PoolOptions, 'server' | 'isDurable'>) =>
    openOn(openPool({ ...connections, server, isDurable, outages }).patient)
  await waitForServer(server, { waitMs, say })
  // A migration of a large table may take long, and so may waiting for another process that migrates.
  const migrating = open({ size: 1, statementTimeoutMs: 0 })
  try {
    await migrate(migrating, postgres, shown)
    await withWriteLock(migrating, (tx) => prepareAll(derivations, tx, postgres))
  } finally {
    await migrating.destroy()
  }
  const readTimeoutMs = Math.min(queryTimeoutMs, statementTimeoutMs)
  const reading = { size: poolSize - 1, statementTimeoutMs: readTimeoutMs, isReading: true, isDurable }
  const primary = openPool({ ...reading, server, outages, waitMs: outageWaitMs, maxWaiting })
  // Opened on first use, and closed when it is no longer used. Queries that keep connections busy do not delay it.
  const watchingLimits = { size: 2, statementTimeoutMs: watchTimeoutMs, isDurable }
  const watching = openPool({ ...watchingLimits, server, outages })
  const ask = () => queryRevision(watching)
  const askSoon = failingWhenSilent(ask)
  const followers: readonly Replica[] = replicas.map((replica) => {
    const follower = describeServer({ ...replica, prepare, say })
    return openReplica({
      pool: openPool({ ...reading, server: follower }),
      watching: openPool({ ...watchingLimits, server: follower }),
      shown: replica.shown,
      ofPrimary: askSoon,
      elsewhere: (revision) => followers.find((other) => other.dbFor(revision))?.pool ?? primary,
      maxLagMs: replicaMaxLagMs,
      aloneMs: replicaAloneMs,
      open: openOn,
      say,
    })
  })
  const askOrFollow = () =>
    askSoon().catch(async (error) => {
      // The read that follows may only go to a replica that was looked at a moment ago.
      const looks = followers.map(async (one) => (await one.lagMs()) ?? Promise.reject(error))
      await Promise.any(looks).catch(() => {})
      throw error === silent ? unavailable(undefined) : error
    })
  return postgresStorage(
    open({ size: 1, statementTimeoutMs, isPipelined: true, waitMs: outageWaitMs }),
    openOn(primary.patient),
    {
      derivations,
      replicas: followers,
      ask: followers.length > 0 ? askOrFollow : ask,
      watcher: openOn(watching),
      pools: [primary, watching],
      now,
      audited,
      maxWaiting,
    },
  )
}

/** What the end of a transaction stores about a write. */
interface WriteNote {
  readonly rows: Promise<readonly NewAuditRow[]>
  readonly isCounted: boolean
  readonly userId: number | undefined
}

interface PostgresOptions extends Pick<StorageOptions, 'derivations' | 'audited' | 'maxWaiting'> {
  readonly replicas?: readonly Replica[]
  /** Reads the revision. By default it runs as an ordinary statement. */
  readonly ask?: () => Promise<number>
  /** Checks the health of the database. */
  readonly watcher?: Kysely<Tables>
  /** Ended at last, as a handle that ran no query does not end its pool. */
  readonly pools?: readonly PostgresPool[]
  readonly now?: StorageOptions['now'] | undefined
}

/** Returns the storage on an open database with the newest schema. Both handles may be the same. */
export function postgresStorage(
  writer: Kysely<Tables>,
  reader: Kysely<Tables>,
  {
    derivations,
    audited,
    replicas = [],
    ask = () => readRevision(reader),
    watcher = reader,
    pools = [],
    now = systemClock,
    maxWaiting,
  }: PostgresOptions,
): Storage {
  const currentRevision = leaseRevision(ask)
  const shared = groupCommits<WriteNote>({
    longestJoinMs,
    transaction: (work, isAlone) => withWriteLock(writer, work, { isAlone }),
    beforeCommit: async (tx, notes) => {
      await refreshAll(derivations, tx, postgres)
      await insertAuditRows(tx, (await Promise.all(notes.map(({ rows }) => rows))).flat())
      const counted = notes.filter(({ isCounted }) => isCounted)
      const userIds = [...new Set(counted.flatMap(({ userId }) => userId ?? []))]
      if (counted.length > 0) await incrementRevision(tx, counted.length, { dialect: postgres, userIds })
    },
    isFatal: (error) => isConflict(error) || isUnavailable(error),
  })
  const writeAs =
    (origin: Origin, isCounted: boolean, isUrgent: boolean): Storage['write'] =>
    (work) =>
      shared.write(
        async (tx, leaveNote) => {
          const { result, rows } = await withAudit(tx, work, { origin, now, audited })
          // They are fetched together with what the commit reads, unless another write follows.
          leaveNote({ rows, isCounted, userId: origin.userId }, rows)
          return result
        },
        turnOf(origin, { isUrgent, maxWaiting }),
      )
  const withOrigin = (origin: Origin, isUrgent = false): Storage => ({
    dialect: postgres,
    derivations,
    db: reader,
    write: async (work) => {
      const written = await writeAs(origin, true, isUrgent)(work)
      await leasesEnded()
      return written
    },
    writeWithoutRevision: writeAs(origin, false, isUrgent),
    withOrigin,
    forRequest: ({ origin, lastRevision, isReading, isUrgent, beforeWrite }) => {
      // Even without replicas: other nodes may have some, and clients move from node to node.
      const storage = withBeforeWrite(withOrigin(origin, isUrgent), beforeWrite)
      const follower = isReading ? pickReplica(replicas, lastRevision) : undefined
      return follower ? { ...storage, db: follower, revision: () => readRevision(follower) } : storage
    },
    revision: currentRevision,
    waitingWrites: shared.waiting,
    isSchemaCurrent: () => isSchemaUpToDate(watcher),
    replicaLagsMs: () => Promise.all(replicas.map((replica) => replica.lagMs())),
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.close()))
      for (const handle of new Set([reader, watcher, writer])) await handle.destroy()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  })
  return withOrigin(serviceOrigin)
}

/** Returns a random one of the replicas that have this revision, so that the load is spread. */
function pickReplica(replicas: readonly Replica[], revision: number): Db | undefined {
  const good = replicas.flatMap((replica) => replica.dbFor(revision) ?? [])
  return good[Math.floor(Math.random() * good.length)]
}

/**
 * Runs a transaction, and retries it after a conflict. Turns keep our own writes apart. The remaining conflicts are
 * those with other programs, and with servers that are serializable but have no advisory locks.
 *
 * @param isAlone Whether no other write waits that could join. The request for the turn then travels with the first
 * statement of the write, which the server runs afterwards.
 */
async function withWriteLock<T>(
  writer: Kysely<Tables>,
  work: (tx: Tx) => Promise<T>,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writer.transaction().execute(async (tx) => {
        await postgres.lockForWriting(tx, { isAhead: isAlone })
        return await withDirectRun(tx, await connectionRun(tx), work)
      })
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === maxAttempts) throw unavailable(error)
      // A random pause, so that two conflicting transactions do not conflict again.
      await wait(Math.random() * firstPauseMs * 2 ** attempt)
    }
  }
}

function printWarning(line: string): void {
  process.stderr.write(`${line}\n`)
}
