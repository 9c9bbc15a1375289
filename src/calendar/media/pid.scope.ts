import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Returns the scope in which process ids are unique, as 8 hexadecimal digits: this machine since its last boot, and its
 * container. Other scopes may share a folder, and the state of their processes is unknown.
 */
export function pidScope(): string {
  const parts = [
    hostname(),
    readOrEmpty(() => readFileSync('/etc/machine-id', 'utf8').trim()),
    readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    // The id of the initial namespace is the same on all machines.
    readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ]
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 8)
}

/** Only Linux provides these files. */
function readOrEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Whether a process with this id runs in this scope. It may be another process that reuses the id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
