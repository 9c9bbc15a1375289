import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const sticky = 0o1000
const writableByOthers = 0o022

/**
 * Has Node keep what it compiles from here on, in a folder of the user: reading TypeScript is half of a start. Plain
 * JavaScript, as in a package, is read as quickly as what was kept of it. NODE_COMPILE_CACHE names another folder, and Node
 * itself heeds it. Where nothing can be kept the program starts as ever.
 */
export function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE) return
  try {
    const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cal-events', 'compiled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isOurs(realpathSync(folder))) enableCompileCache(folder)
  } catch {
    // A user without a home, or one that cannot be written.
  }
}

/** Whether nobody but this user and root can put anything there: it is code, and is run. */
function isOurs(folder) {
  if (isWritableByOthers(statSync(folder))) return false
  for (let path = folder; ; path = dirname(path)) {
    const found = statSync(path)
    const isOfOthers = found.uid !== 0 && found.uid !== process.getuid?.()
    // In a sticky folder, such as /tmp, others cannot take away what is ours.
    if (isOfOthers || (isWritableByOthers(found) && (found.mode & sticky) === 0)) return false
    if (path === dirname(path)) return true
  }
}

function isWritableByOthers({ mode }) {
  return (mode & writableByOthers) !== 0
}
