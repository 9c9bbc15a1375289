import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { synced } from '../pictures/picture.folder.ts'
import { BackupError } from './backup.ts'

/**
 * Has `work` write a file, which gets its name only once it is whole and on the disk.
 *
 * @throws BackupError where there is a file of this name and it may not be replaced.
 */
export async function writeWhole<T>(
  name: string,
  { isForced }: { readonly isForced: boolean },
  work: (target: Writable) => Promise<T>,
): Promise<T> {
  const path = resolve(name)
  const refuse = () => {
    if (!isForced && existsSync(path)) throw new BackupError(`${path} is there already; --force replaces it.`)
  }
  refuse()
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`
  // Nobody else may read it: it holds digests of passwords and what is not public.
  const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 })
  const closed = new Promise((resolve) => target.once('close', resolve))
  try {
    const done = await work(target)
    await synced(unfinished)
    refuse()
    await rename(unfinished, path)
    await synced(dirname(path))
    return done
  } catch (error) {
    // A file that is still being opened would be there again after it was removed.
    target.destroy()
    await closed
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Reads a file from its start. */
export function readFrom(name: string): AsyncIterable<Buffer> {
  return createReadStream(name, { highWaterMark: 256 * 1024 })
}
