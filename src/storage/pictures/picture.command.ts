import { type ChildProcess, spawn } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { maxChildMegabytes } from './picture.formats.ts'

/** The published package is compiled, and so is the child in it. */
const childFile = fileURLToPath(new URL(`picture.child${extname(import.meta.filename)}`, import.meta.url))
/** The child needs these variables to find libraries. It gets none of the secrets in the environment of the service. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'LD_PRELOAD', 'NODE_V8_COVERAGE', 'SystemRoot', 'TMPDIR', 'TEMP']
const nodeOptions = ['--max-old-space-size=192', '--max-semi-space-size=4']
/** `ulimit` of POSIX shells, in kilobytes. If the system refuses a limit, the previous limit stays in effect. */
const withLimits = 'ulimit -c 0; ulimit -d "$0" || :; exec "$@"'

/**
 * Starts the process that makes pictures. The kernel limits the memory that it may write to (RLIMIT_DATA): a picture
 * that needs more ends that process, and not the container. The process communicates by IPC.
 */
export function startWorkerProcess(): ChildProcess {
  const node = [process.execPath, ...nodeOptions, childFile]
  const [command = '', ...args] =
    process.platform === 'win32' ? node : ['/bin/sh', '-c', withLimits, String(maxChildMegabytes * 1024), ...node]
  const inherited = passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return spawn(command, args, {
    // One picture at a time needs no more threads. Each thread would keep memory of its own.
    env: { ...Object.fromEntries(inherited), MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
}
