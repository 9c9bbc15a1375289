import Database from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import { systemClock } from '../../base/time/clock.ts'
import { recorded } from './audit.ts'
import { nothingAudited } from './audited.tables.ts'
import { begunBy } from './before.write.ts'
import { prepareAll, refreshAll } from './derivation.ts'
import { sqlite } from './dialect.ts'
import { allowKept } from './kept.ts'
import { isInNewestForm, migrate } from './migrate.ts'
import { type Origin, ownOrigin } from './origin.ts'
import { readsByTurn } from './reads.ts'
import { asideRow, contentRow, countWrite } from './revision.ts'
import { watchRevision } from './sqlite.revision.ts'
import { inTurn, isOfTheFile } from './sqlite.turns.ts'
import type { Storage, StorageOptions } from './storage.ts'
import type { Tables } from './tables.ts'
import { toldQueries } from './told.queries.ts'
import { sharedCommits } from './writes.ts'

const busyTimeoutMs = 10_000
const preparedStatements = 500
const readerCacheKib = 32 * 1024

/** SQLite can roll DDL back; saying so lets the migrator run whole or not at all. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class TransactionalSqlite extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/**
 * Opens the SQLite database at `file`, makes it where there is none, and brings it to the newest form.
 *
 * One handle writes, another reads: a reader never waits for a writer (write-ahead log), and a transaction that is
 * open on the writer is not seen by requests that only read.
 */
export async function openSqlite(
  file: string,
  {
    derivations,
    isDurable = true,
    keptBytes = 0,
    now = systemClock,
    audited = nothingAudited,
    ...told
  }: StorageOptions,
): Promise<Storage> {
  const logging = toldQueries(told)
  const writerHandle = new Database(file)
  // Acknowledged means on the disk: FULL makes every commit wait for it.
  for (const pragma of [
    'journal_mode = wal',
    `synchronous = ${isDurable ? 'full' : 'off'}`,
    'foreign_keys = on',
    // Last: a process that makes the file has others wait. From here on it is waited for in turn.
    'busy_timeout = 0',
  ]) {
    writerHandle.pragma(pragma)
  }
  const writer = new Kysely<Tables>({
    dialect: new TransactionalSqlite({ database: prepared(writerHandle) }),
    ...logging,
  })
  try {
    await inTurn(() => migrate(writer, sqlite, file))
    await inTurn(() => writer.transaction().execute((tx) => prepareAll(derivations, tx, sqlite)))
  } catch (error) {
    await writer.destroy()
    throw error
  }
  // What a transaction may take back stays in memory: a write asks for no file that may not be had. Not before, since
  // migrations of a large calendar sort more than memory should hold.
  writerHandle.pragma('temp_store = memory')

  const readerHandle = new Database(file, { readonly: true })
  readerHandle.pragma(`busy_timeout = ${busyTimeoutMs}`)
  readerHandle.pragma(`cache_size = -${readerCacheKib}`)
  const reader = new Kysely<Tables>({
    dialect: new TransactionalSqlite({ database: prepared(readerHandle) }),
    ...logging,
  })
  allowKept(reader, keptBytes)
  const shared = sharedCommits({
    transaction: (work) => inTurn(() => writer.transaction().execute(work)),
    beforeCommit: (tx) => refreshAll(derivations, tx, sqlite),
    // SQLite may have taken the whole transaction back.
    isFatal: isOfTheFile,
  })
  const writeAs =
    (origin: Origin, row: typeof contentRow | typeof asideRow): Storage['write'] =>
    (work) =>
      shared.write(async (tx) => {
        const result = await recorded(tx, work, { origin, now, audited })
        await countWrite(tx, row)
        return result
      })
  const watched = watchRevision(readerHandle)
  const watchedByTurn = readsByTurn(watched)
  // While there are writes a turn may be long: then nobody waits for the next one.
  const revision = async () => (shared.waiting() > 0 ? watched() : watchedByTurn())

  const writtenBy = (origin: Origin): Storage => ({
    dialect: sqlite,
    derivations,
    db: reader,
    write: writeAs(origin, contentRow),
    writeAside: writeAs(origin, asideRow),
    writtenBy,
    forRequest: ({ origin, beforeWrite }) => begunBy(writtenBy(origin), beforeWrite),
    revision,
    waitingWrites: shared.waiting,
    isInForm: () => isInNewestForm(reader),
    replicaLagsMs: async () => [],
    close: async () => {
      await reader.destroy()
      // A handle that was never asked anything is not known to the driver. The last one that closes empties the log.
      readerHandle.close()
      await writer.destroy()
    },
  })
  return writtenBy(ownOrigin)
}

/**
 * The handle with its statements kept prepared, those that were used last. A transaction takes the write lock as it begins:
 * one that took it only at its first write could find that another process wrote meanwhile, and fail.
 */
function prepared(handle: Database.Database): Pick<Database.Database, 'prepare' | 'close'> {
  const statements = new LRUCache<string, Database.Statement>({ max: preparedStatements })
  // Where the disk is full the engine takes a transaction back by itself: the error that says so is the one to hear of.
  const isOver = (source: string) => source === 'rollback' && !handle.inTransaction
  const prepare = (source: string) => {
    const text = source === 'begin' ? 'begin immediate' : isOver(source) ? 'select 1' : source
    const known = statements.get(text)
    if (known) return known
    const statement = handle.prepare(text)
    statements.set(text, statement)
    return statement
  }
  return { prepare: prepare as Database.Database['prepare'], close: () => handle.close() }
}
