import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../../src/base/config/config.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import type { Storage } from '../../src/storage/database/storage.ts'
import { type Client, openClient } from './client.ts'
import { givenDatabaseUrl } from './database.ts'
import { adminAuthorization, adminPassword } from './service.process.ts'
import { type Served, startShell } from './shell.ts'

const run = promisify(execFile)
export const workers = 2
/** Connections are distributed round-robin, so that every worker has several of them. */
export const clients = 8

/** A service with workers. */
export interface Site extends Served {
  /** Administrators, each with a persistent connection. */
  readonly writers: readonly Client[]
  readonly visitors: readonly Client[]
  /** The database as another process opens it. */
  readonly storage: Storage
  /** The working directory of the service. */
  readonly folder: string
  /** Starts the service on the same database as before. */
  serveAgain(): Promise<Served>
}

/** A service with workers as an operator starts it, on an empty database. */
export async function givenSite(t: TestContext): Promise<Site | undefined> {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) {
    t.skip('PGlite serves one process only.')
    return undefined
  }
  const shell = await startShell(t)
  const environment = { DATABASE_URL: url, ADMIN_PASSWORD: adminPassword }
  const served = await shell.serve(['--workers', String(workers)], environment)
  const open = (authorization: string) => openClient(served.api, authorization)
  const storage = await openStorage(readConfig({ DATA_DIR: join(shell.folder, 'data'), DATABASE_URL: url }), {
    audited: auditedTables,
    derivations: derivationsFor(),
  })
  const writers = Array.from({ length: clients }, () => open(adminAuthorization))
  const visitors = Array.from({ length: clients }, () => open(''))
  t.after(async () => {
    await storage.close()
    for (const client of [...writers, ...visitors]) client.close()
  })
  return { ...served, storage, folder: shell.folder, writers, visitors, serveAgain: () => shell.serve([], environment) }
}

/** Ids of the processes that serve. */
export async function workersOf({ pid }: ChildProcess): Promise<readonly number[]> {
  const { stdout } = await run('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.split('\n').filter(Boolean).map(Number)
}

/** Whether any of these processes runs. */
export async function isAnyRunning(pids: readonly number[]): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'pid=', '-p', pids.join()]).catch(() => ({ stdout: '' }))
  return stdout !== ''
}
