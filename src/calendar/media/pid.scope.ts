import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Where the number of a process means something, as 8 hexadecimal digits: this machine since it was started, and the
 * container on it. Folders may be shared by others, of whose processes nothing is known.
 */
export function pidScope(): string {
  const parts = [
    hostname(),
    readOrEmpty(() => readFileSync('/etc/machine-id', 'utf8').trim()),
    readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    // The number of the first one is the same on all machines.
    readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ]
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 8)
}

/** Only Linux tells. */
function readOrEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Whether a process of this place has this number, which may be another one by now. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
