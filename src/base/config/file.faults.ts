import { closeSync, openSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** The reason and the remedy for an unreadable file, by system error code. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist. Check its name and folder',
  ENOTDIR: 'part of its path is a file, not a folder. Check the path',
  EISDIR: 'it is a folder. Choose a file in it',
  EACCES: 'this user may not read it. Change its permissions or its owner',
  EPERM: 'this user may not read it. Change its permissions or its owner',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'its disk reports an error',
}

/** Returns the reason why a file could not be read: a sentence without its full stop. */
export function unreadableReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}

/**
 * Returns the path of a file that is read later. An unreadable file is reported at startup.
 *
 * @throws Error that says what the value must be.
 */
export function readableFile(text: string): string {
  const path = resolve(text)
  try {
    closeSync(openSync(path, 'r'))
    if (statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw new Error(`a file that can be read: ${unreadableReason(error)}`, { cause: error })
  }
  return path
}
