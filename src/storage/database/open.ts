import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Config, cacheBudgets } from '../../base/config/config.ts'
import { interruptedRestore, isRestoring } from './copies/restoring.ts'
import { type Storage, StorageError, type StorageOptions } from './storage.ts'

/**
 * Opens the database of this configuration and migrates it to the newest schema. Loads the modules of an engine only if
 * that engine is used.
 *
 * @throws StorageError
 */
export async function openStorage(config: Config, options: StorageOptions): Promise<Storage> {
  const storage = await openEngine(config, options)
  if (options.isRestoring || !(await isRestoring(storage.db))) return storage
  await storage.close()
  throw new StorageError(`${config.databaseFile}: ${interruptedRestore}`)
}

async function openEngine(config: Config, options: StorageOptions): Promise<Storage> {
  const { database } = config
  const given = {
    readCacheBytes: cacheBudgets(config).linked,
    // Others need the rest.
    maxWaiting: Math.ceil(config.maxInFlight / 2),
    ...options,
  }
  if (database.engine === 'sqlite') {
    const { openSqlite } = await import('./sqlite/sqlite.ts')
    await mkdir(dirname(database.file), { recursive: true })
    return openSqlite(database.file, given)
  }
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres(
    {
      url: database.url,
      shown: database.shown,
      poolSize: config.databasePoolSize,
      statementTimeoutMs: config.databaseStatementTimeoutMs,
      queryTimeoutMs: config.queryTimeoutMs,
      waitMs: config.databaseWaitSeconds * 1000,
      outageWaitMs: config.databaseOutageWaitSeconds * 1000,
      replicaAloneMs: config.databaseReplicaAloneSeconds * 1000,
      prepare: config.databasePrepare,
      replicas: config.databaseReplicas,
      replicaMaxLagMs: config.databaseReplicaMaxLagMs,
    },
    given,
  )
}
