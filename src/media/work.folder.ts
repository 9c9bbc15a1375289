import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { unavailable } from '../storage/unavailable.ts'

const diskFaults: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])
/** A number of a process says something only where it was given: others may share the folder. */
const host = hostname().replace(/[^A-Za-z0-9.]/g, '_')
const prefix = `cal-events-picture-${host}-`
/** Those that this process is using, by name. */
const inUse = new Set<string>()

/**
 * Runs `work` with an empty folder, which is gone afterwards with all that is in it.
 *
 * @throws service_unavailable, where a disk is full or cannot be written
 */
export async function inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`)).catch(failOfDisk)
  inUse.add(basename(folder))
  try {
    return await work(folder).catch(failOfDisk)
  } finally {
    await rm(folder, { recursive: true, force: true })
    inUse.delete(basename(folder))
  }
}

/** Removes the folders of processes of this machine that were killed. */
export async function clearLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (isLeft(name)) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

function isLeft(name: string): boolean {
  if (!name.startsWith(prefix)) return false
  const [, pid] = /^(\d{1,10})-\w{6}$/.exec(name.slice(prefix.length)) ?? []
  if (pid === undefined) return false
  // In a container that was started again, the one before had the same number.
  return Number(pid) === process.pid ? !inUse.has(name) : !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, and somebody else’s.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Files and their disk are no fault of the picture: the same upload succeeds once there is room. */
function failOfDisk(error: NodeJS.ErrnoException): never {
  const isOfDisk = diskFaults.has(error.code ?? '') || /No space left/i.test(error.message)
  throw isOfDisk ? unavailable(error) : error
}
