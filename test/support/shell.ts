import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { program } from './program.ts'

type Environment = Readonly<Record<string, string>>

/** Options of a command. */
export interface Start {
  /** The standard input. */
  readonly input?: string
  /** A program that is started instead, with the command line as its arguments. */
  readonly launcher?: readonly string[]
}

/** A service in a process of its own. */
export interface Served {
  readonly child: ChildProcess
  /** Address of the API, without a trailing slash. */
  readonly api: string
  /** The output of the start. */
  readonly out: string
  /** Returns the standard error so far. */
  errors(): string
  /** Returns the whole output so far, including the log. */
  output(): string
}

/**
 * Provides the command line in a folder of its own, with only the given settings. Ends everything that it starts with
 * the test.
 */
export async function startShell(t: Pick<TestContext, 'after'>) {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-cli-'))
  const children: ChildProcess[] = []
  t.after(async () => {
    await Promise.all(children.map(kill))
    await rm(folder, { recursive: true })
  })
  /** Starts a command. */
  const start = (args: readonly string[], environment: Environment = {}, { input = '', launcher = [] }: Start = {}) => {
    const [command = process.execPath, ...others] = [...launcher, process.execPath, program, ...args]
    const child = spawn(command, others, {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.end(input)
    children.push(child)
    return child
  }
  /** Runs a command until it ends. */
  const run = async (args: readonly string[], environment: Environment = {}, how: Start = {}) => {
    const child = start(args, environment, how)
    const texts = { out: '', err: '' }
    child.stdout?.on('data', (chunk) => {
      texts.out += chunk
    })
    child.stderr?.on('data', (chunk) => {
      texts.err += chunk
    })
    const [exitCode] = await once(child, 'close')
    return { exitCode, ...texts }
  }
  /**
   * Serves on a free port, and returns when the address is printed. Without reader threads, whose start takes longer than
   * that of the service, unless the environment asks for them.
   *
   * @param launcher A program that is started instead, with the command line of the service as its arguments.
   */
  const serve = async (
    args: readonly string[] = [],
    environment: Environment = {},
    launcher: readonly string[] = [],
  ): Promise<Served> => {
    const child = start(['serve', '--port', '0', ...args], { READERS: '0', ...environment }, { launcher })
    let out = ''
    let err = ''
    child.stderr?.on('data', (chunk) => {
      err += chunk
    })
    return new Promise((resolve, reject) => {
      child.stdout?.on('data', (chunk) => {
        out += chunk
        const api = /^API +(\S+)\/$/m.exec(out)?.[1]
        if (api && /^Database/m.test(out)) resolve({ child, api, out, errors: () => err, output: () => out + err })
      })
      child.once('close', () => reject(new Error(`The service ended before it was ready: ${out}${err}`)))
    })
  }
  return { folder, run, serve, start }
}

/** Workers end after the process that started them. Their files and connections close then. */
async function kill(child: ChildProcess): Promise<void> {
  const isClosed = child.exitCode !== null || child.signalCode !== null
  child.kill('SIGKILL')
  if (!isClosed) await once(child, 'exit')
}
