import { randomBytes } from 'node:crypto'
import { lstat, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPeriodic } from '../../base/concurrency/periodic.ts'
import { unavailable } from '../../storage/database/unavailable.ts'
import { isRunning, pidScope } from './pid.scope.ts'

const diskErrorCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])
const prefix = 'cal-events-picture-'
const pattern = /^cal-events-picture-([0-9a-f]{8})\.(\d{1,10})\.([0-9a-f]{8})-\w{6}$/
/** The token of this process. An earlier process may have had the same id. */
const processToken = randomBytes(4).toString('hex')
/**
 * Interval at which a process in use of a folder touches it. A folder that is not touched for `staleAfterMs` is
 * abandoned.
 */
const heartbeatMs = 10 * 60_000
const staleAfterMs = 3_600_000

/**
 * Runs `work` with an empty folder, and removes the folder with its content afterwards.
 *
 * @throws service_unavailable, if a disk is full or not writable
 */
export async function withTempFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${pidScope()}.${process.pid}.${processToken}-`)).catch(
    rethrowDiskError,
  )
  const heartbeat = startPeriodic(() => touch(folder), { intervalMs: heartbeatMs })
  try {
    return await work(folder).catch(rethrowDiskError)
  } finally {
    await heartbeat.stop()
    // If the removal fails, a later start removes the folder. The failure is not an error of the picture.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

/** Marks the folder as in use. */
async function touch(folder: string): Promise<void> {
  const now = new Date()
  await utimes(folder, now, now).catch(() => {})
}

/** Removes the folders of processes that were killed. */
export async function removeStaleFolders(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const folder = join(tmpdir(), name)
    if (await isStale(name, folder)) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

async function isStale(name: string, folder: string): Promise<boolean> {
  const [, place, pid, random] = pattern.exec(name) ?? []
  if (place === undefined || random === processToken) return false
  if (place === pidScope() && (Number(pid) === process.pid || !isRunning(Number(pid)))) return true
  // A folder of another machine or container, which may be gone, or of a reused process id: only its age decides.
  const found = await lstat(folder).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > staleAfterMs
}

/**
 * Reports disk errors as unavailability. They are not errors of the picture: the same upload succeeds once the disk has
 * space.
 */
function rethrowDiskError(error: NodeJS.ErrnoException): never {
  const isDiskError = diskErrorCodes.has(error.code ?? '') || /No space left/i.test(error.message)
  throw isDiskError ? unavailable(error) : error
}
