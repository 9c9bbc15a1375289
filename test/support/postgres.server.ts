import { execFile, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chown, mkdtemp, readdir, readFile, realpath, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const oldestVersion = 15
/** PostgreSQL does not run as root. The ids of `nobody` are the same on every system. */
const nobody = 65_534
const leastMemoryBytes = 2 * 1024 ** 3

/** The PostgreSQL programs of this machine. */
export interface Binaries {
  readonly folder: string
  readonly version: string
}

/** A private server in a temporary folder. */
export interface PrivateServer {
  readonly url: string
  start(): Promise<void>
  /** `immediate` stops it as a loss of power does. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

/** Returns the newest PostgreSQL programs on this machine, or undefined if none are recent enough. */
export async function findBinaries(): Promise<Binaries | undefined> {
  const found: Binaries[] = []
  for (const folder of await candidates()) {
    try {
      await run(join(folder, 'initdb'), ['--version'])
      const { stdout } = await run(join(folder, 'postgres'), ['--version'])
      const version = /\d+(?:\.\d+)*/.exec(stdout)?.[0] ?? ''
      if (Number.parseInt(version, 10) >= oldestVersion) found.push({ folder, version })
    } catch {
      // This folder contains no server.
    }
  }
  return found.sort((a, b) => Number.parseInt(b.version, 10) - Number.parseInt(a.version, 10))[0]
}

/** Returns folders in which distributions install the server's programs. Most of them are not in PATH. */
async function candidates(): Promise<readonly string[]> {
  const parents = ['/usr/lib/postgresql', '/usr/local/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']
  const versions = await Promise.all(
    parents.map(async (parent) => {
      const names = await readdir(parent).catch(() => [])
      return names.filter((name) => /^\d+$|^postgresql/.test(name)).map((name) => join(parent, name, 'bin'))
    }),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...path, ...versions.flat(), '/usr/local/pgsql/bin', '/usr/pgsql/bin']
}

/**
 * Creates a server in a temporary folder and starts it. If this process is root, the server runs as an unprivileged
 * user. Its data need not survive a crash, so it does not wait for the disk.
 *
 * @param password If given, the server requires it; else it trusts everyone on this machine.
 */
export async function startServer(
  binaries: Binaries,
  { password }: { readonly password?: string } = {},
): Promise<PrivateServer> {
  const place = await newPlace(binaries, { PWFILE: password })
  const passwordFile = join(place.folder, 'password')
  if (password !== undefined) {
    await run('sh', ['-c', `umask 077; printf %s "$PWFILE" > '${passwordFile}'`], place.options)
  }
  await run(
    join(place.programs, 'initdb'),
    [
      ...['--pgdata', place.data, '--username', 'cal', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
      ...(password === undefined ? ['--auth', 'trust'] : ['--auth', 'scram-sha-256', '--pwfile', passwordFile]),
    ],
    place.options,
  )
  return startIn(place, password)
}

/** Copies a running server that trusts everyone, and starts the copy as a read-only replica. */
export async function startReplica(binaries: Binaries, primary: PrivateServer): Promise<PrivateServer> {
  const place = await newPlace(binaries)
  const args = ['--dbname', primary.url, '--pgdata', place.data, '--write-recovery-conf']
  // A folder in PATH may contain links to some of the programs only.
  const programs = dirname(await realpath(join(place.programs, 'postgres')))
  await run(join(programs, 'pg_basebackup'), [...args, '--checkpoint', 'fast', '--no-sync'], place.options)
  return startIn(place)
}

/** The data folder of a server, and the options to run its programs. */
interface ServerLocation {
  readonly programs: string
  readonly folder: string
  readonly data: string
  readonly options: {
    readonly cwd: string
    readonly env: NodeJS.ProcessEnv
    readonly uid?: number
    readonly gid?: number
  }
}

async function newPlace({ folder: programs }: Binaries, environment: NodeJS.ProcessEnv = {}): Promise<ServerLocation> {
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const folder = await mkdtemp(join(await scratchFolder(), 'cal-events-postgres-'))
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid)
  const env = { ...process.env, ...environment, LC_ALL: 'C' }
  return { programs, folder, data: join(folder, 'data'), options: { cwd: folder, env, ...identity } }
}

/** Starts the server with this data. */
async function startIn({ programs, folder, data, options }: ServerLocation, password?: string): Promise<PrivateServer> {
  const log = join(folder, 'log')
  const port = await freePort()
  const settings = [
    ...[`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories='${folder}'`, 'max_connections=200'],
    ...['fsync=off', 'full_page_writes=off', 'shared_buffers=64MB', 'max_wal_size=128MB'],
    // Databases of tests live for seconds, and tests that depend on statistics analyse their tables.
    'autovacuum=off',
  ]
  const control = (...args: string[]) => [join(programs, 'pg_ctl'), ['--pgdata', data, '--wait', ...args]] as const
  const start = async () => {
    const [program, args] = control(
      '--log',
      log,
      '--options',
      settings.map((setting) => `-c ${setting}`).join(' '),
      'start',
    )
    try {
      // The server keeps inherited file descriptors open, so it must not inherit our pipes.
      await run('sh', ['-c', 'exec "$0" "$@" > /dev/null 2>&1', program, ...args], options)
    } catch (cause) {
      throw new Error(`PostgreSQL does not start:\n${await readFile(log, 'utf8').catch(() => '')}`, { cause })
    }
  }
  const stop = async (how: 'fast' | 'immediate' = 'fast') => {
    await run(...control('--mode', how, 'stop'), options)
  }
  // Also runs if the test run ends early.
  const end = () => {
    spawnSync(...control('--mode', 'immediate', 'stop'), { ...options, stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', end)
  await start()
  return {
    url: `postgres://cal${password === undefined ? '' : `:${password}`}@127.0.0.1:${port}/postgres`,
    start,
    stop,
    remove: async () => {
      end()
      process.off('exit', end)
    },
  }
}

/** Uses memory if enough is free: creating a database there takes a tenth of the time on a disk. */
async function scratchFolder(): Promise<string> {
  const memory = '/dev/shm'
  const space = await statfs(memory).catch(() => undefined)
  return space && space.bavail * space.bsize > leastMemoryBytes ? memory : tmpdir()
}

/** Returns a port that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Starts a private server for a file of tests, removed after them. */
export async function ownServer(options: { readonly password?: string } = {}): Promise<PrivateServer> {
  const server = await startServer(await ownBinaries(), options)
  after(server.remove)
  return server
}

/** Starts a private replica of another server, removed after a file of tests. */
export async function ownReplica(primary: PrivateServer): Promise<PrivateServer> {
  const server = await startReplica(await ownBinaries(), primary)
  after(server.remove)
  return server
}

async function ownBinaries(): Promise<Binaries> {
  const binaries = await findBinaries()
  if (binaries) return binaries
  throw new Error('These tests stop and start a server: they need the programs of PostgreSQL 15 or later.')
}
