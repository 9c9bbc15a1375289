import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A folder that contains only the installed package, as a user would have it. */
export interface Installed {
  readonly folder: string
  /** Paths of the files in the package. */
  readonly files: readonly string[]
  /** Runs a program in that folder and returns its output. */
  run(program: string, args: readonly string[]): Promise<string>
  /** Serves on a free port with `npx cal-events serve`, and returns its address. */
  serve(args: readonly string[]): Promise<string>
}

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Packs this checkout and installs the package in an empty folder. Removes everything when the test ends. */
export async function installPackage(t: { after(work: () => Promise<void>): void }): Promise<Installed> {
  const outside = await mkdtemp(join(tmpdir(), 'cal-events-package-'))
  const folder = join(outside, 'site')
  const served: ChildProcess[] = []
  t.after(async () => {
    await Promise.all(served.map(killGroup))
    await rm(outside, { recursive: true })
  })
  const run = async (program: string, args: readonly string[], cwd = folder) =>
    (await execute(program, args, { cwd, env: strangersEnvironment() })).stdout

  const printed = await run('npm', ['pack', '--silent', '--json', '--pack-destination', outside], root)
  const [packed] = Object.values(JSON.parse(printed)) as readonly Packed[]
  if (!packed) throw new Error('Nothing was packed.')
  await mkdir(folder)
  // Without this file npm would search the parent folders for a project, and change it.
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(outside, packed.filename)])
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    run,
    serve: (args) => {
      const child = spawn('npx', ['cal-events', 'serve', '--port', '0', ...args], {
        cwd: folder,
        env: strangersEnvironment(),
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      })
      served.push(child)
      return addressOf(child)
    },
  }
}

/** The output of `npm pack` about a package. */
interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/** Variables that this machine needs to reach the registry, besides its address. */
const ofNetwork = ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy']

/**
 * The environment of a shell, with the Node of this process first in the path, and without the variables of the npm
 * that runs the tests.
 */
function strangersEnvironment(): Readonly<Record<string, string | undefined>> {
  const names = ['HOME', 'TMPDIR', 'npm_config_cache', 'npm_config_registry', ...ofNetwork]
  const kept = names.map((name) => [name, process.env[name]])
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  return { ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)), PATH: path }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += chunk
      const url = /^Listening on +(\S+)$/m.exec(printed)?.[1]
      if (url && /^Database/m.test(printed)) resolve(url)
    })
    child.once('close', () => reject(new Error(`The service ended before it was ready: ${printed}`)))
  })
}

/** `npx` does not pass signals on, so its whole process group is killed. */
async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  process.kill(-child.pid, 'SIGKILL')
  await closed
}
