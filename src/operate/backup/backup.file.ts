import { randomBytes } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { isRunning, pidScope } from '../../calendar/media/pid.scope.ts'
import { fsyncPath } from '../../storage/pictures/picture.folder.ts'
import { systemErrorReason } from './backup.system.errors.ts'
import { BackupError } from './backup.ts'

/** Signals that end a command. */
const endSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Calls `work` to write a file, which gets its name only when it is complete and synced to disk. The unfinished file is
 * removed if `work` fails or a signal ends the process. Leftovers of killed processes are removed too.
 *
 * @throws BackupError if the file exists and may not be replaced, or if no file can be written there.
 */
export async function writeFileAtomically<T>(
  name: string,
  { isForced }: { readonly isForced: boolean },
  work: (target: Writable) => Promise<T>,
): Promise<T> {
  const path = resolve(name)
  const folder = dirname(path)
  const unfinished = join(folder, partName(process.pid, randomBytes(4).toString('hex')))
  const told = fileErrorsOf(path, unfinished)
  await told(async () => {
    await assertReplaceable(path, isForced)
    await removeLeftovers(folder)
  })
  // Nobody else may read it: it contains password digests and private data.
  const handle = await told(() => open(unfinished, 'wx', 0o600))
  const stopWatching = removeOnSignal(unfinished)
  try {
    const done = await told(() => written(handle, work))
    await told(async () => {
      await fsyncPath(unfinished)
      await assertReplaceable(path, isForced)
      await rename(unfinished, path)
      await fsyncPath(folder)
    })
    return done
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    stopWatching()
  }
}

/** Calls `work` to write into the file, and always closes it. */
async function written<T>(handle: FileHandle, work: (target: Writable) => Promise<T>): Promise<T> {
  const target = handle.createWriteStream()
  // The error is reported to the writer.
  target.on('error', () => {})
  const closed = new Promise((resolve) => target.once('close', resolve))
  try {
    const done = await work(target)
    target.end()
    return done
  } catch (error) {
    target.destroy()
    throw error
  } finally {
    await closed
  }
}

/** @throws BackupError if the path is not a regular file, or is a file that may not be replaced. */
async function assertReplaceable(path: string, isForced: boolean): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found?.isDirectory()) throw new BackupError(`The file ${path} cannot be written: it is a folder.`)
  // The new file would replace a device or a pipe for all its users.
  if (found && !found.isFile()) throw new BackupError(`The file ${path} cannot be written: it is not a regular file.`)
  if (found && !isForced) throw new BackupError(`${path} already exists. To replace it, add --force.`)
}

/**
 * Turns system errors about the file into messages. Other errors, for example while reading a picture, are unchanged.
 */
function fileErrorsOf(path: string, unfinished: string) {
  const places = new Set([path, unfinished, dirname(path)])
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const reason = systemErrorReason(error)
      const { path: place, syscall } = error as NodeJS.ErrnoException
      const isOfFile = place === undefined ? syscall === 'write' || syscall === 'fsync' : places.has(place)
      if (reason === undefined || !isOfFile) throw error
      throw new BackupError(`The file ${path} cannot be written: ${reason}.`, { cause: error })
    }
  }
}

/**
 * Removes the file if a signal ends the process, which still ends by that signal. Returns a function that undoes this.
 */
function removeOnSignal(unfinished: string): () => void {
  const stop = () => {
    for (const signal of endSignals) process.off(signal, end)
  }
  const end = (signal: NodeJS.Signals) => {
    rmSync(unfinished, { force: true })
    stop()
    process.kill(process.pid, signal)
  }
  for (const signal of endSignals) process.on(signal, end)
  return stop
}

// The name of an unfinished file contains its process: if that process is gone, nobody will finish the file.

/** No running backup goes this long without a write. */
const abandonedAfterMs = 12 * 3600 * 1000
const partPattern = /^cal-events-backup\.([0-9a-f]{8})\.(\d{1,10})\.[0-9a-f]{8}\.part$/

function partName(pid: number, random: string): string {
  return `cal-events-backup.${pidScope()}.${pid}.${random}.part`
}

/** Removes leftovers as far as possible. Leftovers that may not be removed do not prevent a backup. */
async function removeLeftovers(folder: string): Promise<void> {
  const here = pidScope()
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const [, where, pid] = partPattern.exec(entry.name) ?? []
    if (where === undefined || !entry.isFile()) continue
    const path = join(folder, entry.name)
    const isLeft = (where === here && !isRunning(Number(pid))) || (await isAbandoned(path))
    if (isLeft) await unlink(path).catch(() => undefined)
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  // Its process may have renamed the file in the meantime.
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs
}

/**
 * Reads a file from its start.
 *
 * @param onProgress Called with the bytes that were read, and the size of the file.
 */
export async function* openBackupFile(
  name: string,
  onProgress?: (done: number, total: number) => void,
): AsyncGenerator<Buffer> {
  const { size } = await stat(name)
  let done = 0
  for await (const chunk of createReadStream(name, { highWaterMark: 256 * 1024 })) {
    yield chunk
    done += chunk.length
    onProgress?.(done, size)
  }
}
