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
/** Of this process: one before may have had its number. */
const processToken = randomBytes(4).toString('hex')
/** Whoever works in a folder says so this often, and one of which that is not said for so long has been left. */
const heartbeatMs = 10 * 60_000
const staleAfterMs = 3_600_000

/**
 * Runs `work` with an empty folder, which is removed afterwards with all that is in it.
 *
 * @throws service_unavailable, where a disk is full or cannot be written
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
    // Where even that cannot be done, it is what a later start removes, and no fault of the picture.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

/** Says that somebody works in it. */
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
  // Of another machine or container, which may be gone: only its age tells. So it does where a number was given again.
  const found = await lstat(folder).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > staleAfterMs
}

/** Files and their disk are no fault of the picture: the same upload succeeds once there is room. */
function rethrowDiskError(error: NodeJS.ErrnoException): never {
  const isDiskError = diskErrorCodes.has(error.code ?? '') || /No space left/i.test(error.message)
  throw isDiskError ? unavailable(error) : error
}
