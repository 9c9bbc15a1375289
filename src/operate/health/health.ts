import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Deps } from '../../access/deps.ts'
import { sharedReads } from '../../storage/database/reads.ts'

/** Why a check does not pass, in a word for machines. */
export type Reason = 'stopping' | 'no_answer' | 'old_form' | 'little_room' | 'behind'

/** What one check has found. `warn` is told, and turns nobody away. */
export interface Check {
  readonly status: 'pass' | 'warn' | 'fail'
  readonly reason?: Reason
  /** Of replicas: how far each is behind, in milliseconds; null where it is not read from. */
  readonly lagMs?: readonly (number | null)[]
}

export interface Health {
  readonly status: 'pass' | 'fail'
  readonly checks: Readonly<Record<string, Check>>
}

/** Whether this process can be sent requests. */
export interface Readiness {
  isStopping(): boolean
  /** From now on it is not ready. */
  stop(): void
  /** What is found now, within seconds, whatever hangs. */
  look(): Promise<Health>
}

type Watched = Pick<Deps, 'config' | 'storage'>

const patienceMs = 2000
const bytesPerMegabyte = 1_000_000

const passed: Check = { status: 'pass' }
const warned = (reason: Reason): Check => ({ status: 'warn', reason })
const failed = (reason: Reason): Check => ({ status: 'fail', reason })

/** Looks after a process. Many who ask at once share a look, so that asking often costs little. */
export function createReadiness(watched: Watched): Readiness {
  let isStopping = false
  const look = sharedReads(() => checkAll(watched))
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

async function checkAll(watched: Watched): Promise<Health['checks']> {
  const isReplicated = watched.config.databaseReplicas.length > 0
  const [database, disk, replicas] = await Promise.all([
    inTime(checkDatabase(watched), failed('no_answer')),
    inTime(checkDisk(watched), failed('no_answer')),
    // What replicas do not answer the primary does.
    isReplicated ? inTime(checkReplicas(watched), warned('no_answer')) : undefined,
  ])
  // Asked together, told apart.
  const answer = database.reason === 'old_form' ? passed : database
  return { database: answer, migrations: database, disk, ...(replicas ? { replicas } : {}) }
}

/** What the check finds, or the other where it fails or takes too long. */
async function inTime(check: Promise<Check>, otherwise: Check): Promise<Check> {
  const { promise: late, resolve } = Promise.withResolvers<Check>()
  const timer = setTimeout(resolve, patienceMs, otherwise)
  try {
    return await Promise.race([check.catch(() => otherwise), late])
  } finally {
    clearTimeout(timer)
  }
}

async function checkDatabase({ storage }: Watched): Promise<Check> {
  return (await storage.isInForm()) ? passed : failed('old_form')
}

async function checkDisk({ config }: Watched): Promise<Check> {
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

/** Room for those who are not root. The folder of pictures is made with the first of them: until then that above counts. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error
    return freeBytes(dirname(folder))
  }
}

async function checkReplicas({ storage }: Watched): Promise<Check> {
  const lagMs = (await storage.replicaLagsMs()).map((lag) => (lag === undefined ? null : Math.round(lag)))
  return { ...(lagMs.includes(null) ? warned('behind') : passed), lagMs }
}
