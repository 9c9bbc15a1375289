import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Deps } from '../../access/deps.ts'
import { coalesceReads } from '../../base/concurrency/coalesced.reads.ts'

/** The reason why a check fails, as a word for machines. */
type HealthCheckReason = 'stopping' | 'no_answer' | 'old_form' | 'little_room' | 'behind'

/** The result of one check. `warn` is reported but does not make the process unready. */
interface HealthCheck {
  readonly status: 'pass' | 'warn' | 'fail'
  readonly reason?: HealthCheckReason
  /** For replicas: the lag of each in milliseconds; null if it is not used. */
  readonly lagMs?: readonly (number | null)[]
}

export interface Health {
  readonly status: 'pass' | 'fail'
  readonly checks: Readonly<Record<string, HealthCheck>>
}

/** Whether this process can receive requests. */
export interface Readiness {
  isStopping(): boolean
  /** Makes the process unready from now on. */
  stop(): void
  /** Runs the checks and returns within seconds, even if a check hangs. */
  look(): Promise<Health>
}

type ReadinessDeps = Pick<Deps, 'config' | 'storage'>

const checkTimeoutMs = 2000
const bytesPerMegabyte = 1_000_000

const passed: HealthCheck = { status: 'pass' }
const warned = (reason: HealthCheckReason): HealthCheck => ({ status: 'warn', reason })
const failed = (reason: HealthCheckReason): HealthCheck => ({ status: 'fail', reason })

/**
 * Creates the readiness of a process. Concurrent calls share one run of the checks, so that frequent calls are cheap.
 */
export function createReadiness(watched: ReadinessDeps): Readiness {
  let isStopping = false
  const look = coalesceReads(() => checkAll(watched))
  return {
    isStopping: () => isStopping,
    stop: () => {
      isStopping = true
    },
    look: async () => (isStopping ? healthOf({ process: failed('stopping') }) : healthOf(await look())),
  }
}

function healthOf(checks: Health['checks']): Health {
  return { status: Object.values(checks).some(({ status }) => status === 'fail') ? 'fail' : 'pass', checks }
}

async function checkAll(watched: ReadinessDeps): Promise<Health['checks']> {
  const isReplicated = watched.config.databaseReplicas.length > 0
  const [database, disk, replicas] = await Promise.all([
    withTimeout(checkDatabase(watched), failed('no_answer')),
    withTimeout(checkDisk(watched), failed('no_answer')),
    // The primary answers the queries that replicas do not.
    isReplicated ? withTimeout(checkReplicas(watched), warned('no_answer')) : undefined,
  ])
  if (database.reason === 'no_answer' && canReadAlone(watched, replicas)) {
    return { database: warned('no_answer'), migrations: warned('no_answer'), disk, ...(replicas ? { replicas } : {}) }
  }
  // One query serves both checks, which are reported separately.
  const answer = database.reason === 'old_form' ? passed : database
  return { database: answer, migrations: database, disk, ...(replicas ? { replicas } : {}) }
}

/** Whether replicas answer visitors while the primary is away. Without any ready node, a load balancer would answer nobody. */
function canReadAlone({ config }: ReadinessDeps, replicas: HealthCheck | undefined): boolean {
  const maxMs = Math.max(config.databaseReplicaAloneSeconds * 1000, config.databaseReplicaMaxLagMs)
  return replicas?.lagMs?.some((lag) => lag !== null && lag <= maxMs) === true
}

/** Returns the result of the check, or the fallback if the check fails or takes too long. */
async function withTimeout(check: Promise<HealthCheck>, fallback: HealthCheck): Promise<HealthCheck> {
  const { promise: late, resolve } = Promise.withResolvers<HealthCheck>()
  const timer = setTimeout(resolve, checkTimeoutMs, fallback)
  try {
    return await Promise.race([check.catch(() => fallback), late])
  } finally {
    clearTimeout(timer)
  }
}

async function checkDatabase({ storage }: ReadinessDeps): Promise<HealthCheck> {
  return (await storage.isSchemaCurrent()) ? passed : failed('old_form')
}

async function checkDisk({ config }: ReadinessDeps): Promise<HealthCheck> {
  const { database, media, dataDir, minFreeDiskMegabytes } = config
  if (minFreeDiskMegabytes === 0) return passed
  const folders = new Set([
    dataDir,
    ...(database.engine === 'sqlite' ? [dirname(database.file)] : []),
    ...(media.kind === 'folder' ? [media.folder] : []),
  ])
  const free = await Promise.all([...folders].map(freeBytes))
  return Math.min(...free) < minFreeDiskMegabytes * bytesPerMegabyte ? failed('little_room') : passed
}

/**
 * Returns the free space for users other than root. The pictures folder is created with the first picture; until then,
 * its parent folder counts.
 */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error
    return freeBytes(dirname(folder))
  }
}

async function checkReplicas({ storage }: ReadinessDeps): Promise<HealthCheck> {
  const lagMs = (await storage.replicaLagsMs()).map((lag) => (lag === undefined ? null : Math.round(lag)))
  return { ...(lagMs.includes(null) ? warned('behind') : passed), lagMs }
}
