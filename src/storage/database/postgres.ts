import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool } from 'kysely'
import { systemClock } from '../../base/time/clock.ts'
import { recorded } from './audit.ts'
import { nothingAudited } from './audited.tables.ts'
import { begunBy } from './before.write.ts'
import { type Derivation, prepareAll, refreshAll } from './derivation.ts'
import { postgres } from './dialect.ts'
import { allowKept } from './kept.ts'
import { isInNewestForm, migrate } from './migrate.ts'
import { type Origin, ownOrigin } from './origin.ts'
import { isConflict } from './postgres.faults.ts'
import { type Connections, driverConfig, openPool } from './postgres.pool.ts'
import { openReplica, type Replica } from './postgres.replica.ts'
import { askRevision } from './postgres.revision.ts'
import { awaitServer } from './postgres.start.ts'
import { sharedReads } from './reads.ts'
import { raiseRevision, readRevision } from './revision.ts'
import type { Storage, StorageOptions } from './storage.ts'
import type { Db, Tables, Tx } from './tables.ts'
import { toldQueries } from './told.queries.ts'
import { isUnavailable, unavailable } from './unavailable.ts'
import { sharedCommits } from './writes.ts'

const mostAttempts = 8
const firstPauseMs = 5
const defaultMaxLagMs = 5000
/** Whoever asks whether the server answers has long given up by then. */
const watchTimeoutMs = 2000

export interface PostgresServer {
  readonly url: string
  /** The same without its password. */
  readonly shown: string
  /** How many connections there may be, the one that writes included. */
  readonly poolSize: number
  readonly statementTimeoutMs: number
  /** How long the server is waited for. */
  readonly waitMs: number
  /** Servers that follow this one, each with an address of its own. */
  readonly replicas?: readonly { readonly url: string; readonly shown: string }[]
  /** How far a replica may be behind what others wrote, and still be read from. */
  readonly replicaMaxLagMs?: number
}

/** Migrations take a turn to write as everything else does: they need no lock of their own. */
class TurnTakingAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class TurnTakingPostgres extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new TurnTakingAdapter()
  }
}

/**
 * Opens the database on this server, which is waited for, and brings it to the newest form.
 *
 * One connection writes and the others read, so that writes that wait for their turn never keep readers waiting.
 *
 * @throws StorageError where the server does not answer or cannot be used.
 */
export async function openPostgres(
  {
    url,
    shown,
    poolSize,
    statementTimeoutMs,
    waitMs,
    replicas = [],
    replicaMaxLagMs = defaultMaxLagMs,
  }: PostgresServer,
  { derivations, isDurable = true, keptBytes = 0, now, audited, say = complain, ...told }: StorageOptions,
): Promise<Storage> {
  const openOn = (pool: PostgresPool) => {
    const handle = new Kysely<Tables>({
      dialect: new TurnTakingPostgres({ pool }),
      ...toldQueries(told),
    })
    allowKept(handle, keptBytes)
    return handle
  }
  const open = (connections: Omit<Connections, 'url' | 'isDurable'>) =>
    openOn(openPool({ ...connections, url, isDurable }))
  await awaitServer(driverConfig({ url, size: 1, statementTimeoutMs, isDurable }), { shown, waitMs, say })
  // A migration of a large table may take long, and so may waiting for another process that migrates.
  const migrating = open({ size: 1, statementTimeoutMs: 0 })
  try {
    await migrate(migrating, postgres, shown)
    await inTurn(migrating, (tx) => prepareAll(derivations, tx, postgres))
  } finally {
    await migrating.destroy()
  }
  const reading = { size: poolSize - 1, statementTimeoutMs, isDurable }
  const primary = openPool({ ...reading, url })
  const followers = replicas.map((replica) =>
    openReplica({
      pool: openPool({ ...reading, url: replica.url }),
      shown: replica.shown,
      primary,
      maxLagMs: replicaMaxLagMs,
      open: openOn,
      say,
    }),
  )
  return postgresStorage(open({ size: 1, statementTimeoutMs }), openOn(primary), {
    derivations,
    replicas: followers,
    ask: () => askRevision(primary),
    // Opened when it is first asked, and closed when nobody asks any more.
    watcher: open({ size: 1, statementTimeoutMs: watchTimeoutMs }),
    now,
    audited,
  })
}

interface PostgresOptions {
  readonly derivations: readonly Derivation[]
  readonly replicas?: readonly Replica[]
  /** Reads the revision; by default as any other statement. */
  readonly ask?: () => Promise<number>
  /** Asks whether the database is well. */
  readonly watcher?: Kysely<Tables>
  readonly now?: StorageOptions['now'] | undefined
  readonly audited?: StorageOptions['audited'] | undefined
}

/** The storage on a database that is open and in its newest form. The handles may be one and the same. */
export function postgresStorage(
  writer: Kysely<Tables>,
  reader: Kysely<Tables>,
  {
    derivations,
    replicas = [],
    ask = () => readRevision(reader),
    watcher = reader,
    now = systemClock,
    audited = nothingAudited,
  }: PostgresOptions,
): Storage {
  const currentRevision = sharedReads(ask)
  const shared = sharedCommits({
    transaction: (work) => inTurn(writer, work),
    beforeCommit: (tx) => refreshAll(derivations, tx, postgres),
    isFatal: (error) => isConflict(error) || isUnavailable(error),
  })
  const writtenBy = (origin: Origin): Storage => ({
    dialect: postgres,
    derivations,
    db: reader,
    write: (work) =>
      shared.write(async (tx) => {
        const result = await recorded(tx, work, { origin, now, audited })
        await raiseRevision(tx, origin.userId)
        return result
      }),
    writeAside: (work) => shared.write((tx) => recorded(tx, work, { origin, now, audited })),
    writtenBy,
    forRequest: ({ origin, lastRevision, isReading, beforeWrite }) => {
      // Even without replicas: other nodes may have some, and clients go from node to node.
      const storage = begunBy(writtenBy(origin), beforeWrite)
      const follower = isReading ? followerOf(replicas, lastRevision) : undefined
      return follower ? { ...storage, db: follower, revision: () => readRevision(follower) } : storage
    },
    revision: currentRevision,
    waitingWrites: shared.waiting,
    isInForm: () => isInNewestForm(watcher),
    replicaLagsMs: () => Promise.all(replicas.map((replica) => replica.lagMs())),
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.close()))
      for (const handle of new Set([reader, watcher, writer])) await handle.destroy()
    },
  })
  return writtenBy(ownOrigin)
}

/** One of the replicas that have this revision, by chance, so that all of them have work. */
function followerOf(replicas: readonly Replica[], revision: number): Db | undefined {
  const good = replicas.flatMap((replica) => replica.dbFor(revision) ?? [])
  return good[Math.floor(Math.random() * good.length)]
}

/**
 * Runs a transaction, and again where it met another one. Turns keep our own writes apart; what is left are conflicts
 * with other programs, and with servers that know no advisory locks but are serializable.
 */
async function inTurn(writer: Kysely<Tables>, work: (tx: Tx) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writer.transaction().execute(async (tx) => {
        await postgres.takeTurn(tx)
        await work(tx)
      })
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === mostAttempts) throw unavailable(error)
      // By chance, so that two that met do not meet again.
      await wait(Math.random() * firstPauseMs * 2 ** attempt)
    }
  }
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}
