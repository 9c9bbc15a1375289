import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const sticky = 0o1000
const writableByOthers = 0o022

/**
 * Enables the compile cache of Node, in a folder of the user: reading TypeScript is half of a start. For plain
 * JavaScript, as in a package, the cache saves no time. NODE_COMPILE_CACHE names another folder, which Node itself
 * uses. Without a writable folder the program starts without a cache.
 */
export function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE) return
  try {
    const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cal-events', 'compiled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isOurs(realpathSync(folder))) enableCompileCache(folder)
  } catch {
    // The user has no home, or it is not writable.
  }
}

/** Whether only this user and root can write to the folder: the cache contains code that is run. */
function isOurs(folder) {
  if (isWritableByOthers(statSync(folder))) return false
  for (let path = folder; ; path = dirname(path)) {
    const found = statSync(path)
    const isOfOthers = found.uid !== 0 && found.uid !== process.getuid?.()
    // In a sticky folder, such as /tmp, other users cannot remove our files.
    if (isOfOthers || (isWritableByOthers(found) && (found.mode & sticky) === 0)) return false
    if (path === dirname(path)) return true
  }
}

function isWritableByOthers({ mode }) {
  return (mode & writableByOthers) !== 0
}
