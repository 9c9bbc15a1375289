import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }

/** A server process, started as a user would start it. */
export interface Served {
  readonly origin: string
  /** Address of the API, without a trailing slash. */
  readonly api: string
  readonly pid: number
  /** For messages to what was preloaded. */
  readonly child: ChildProcess
  /** Milliseconds from the start of the process to its first response. */
  readonly firstAnswerMs: number
  /** Returns the milliseconds of each response since the last call, as measured in the server. */
  times(): Promise<readonly number[]>
  stop(): Promise<void>
}

export const secret = 'benchbenchbenchbenchbench'
export const authorization = `Basic ${btoa(`bench:${secret}`)}`

const program = process.env.BENCH_PROGRAM ?? fileURLToPath(new URL('../../bin/cal-events.mjs', import.meta.url))
/** The options that `npm start` passes to Node. */
const nodeOptions = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'))
const bareProgram = fileURLToPath(new URL('bare.ts', import.meta.url))
const apiPath = '/cal/events/v1'
let nextPort = 21_000 + (process.pid % 1000) * 10

/**
 * Starts the service on a data folder, or on the database of `DATABASE_URL` in `environment`.
 *
 * @param measuredBy A file to load into the process, which answers to messages: `timing.ts` if `times` will be called. The
 * process then uses slightly more memory than that of a user.
 */
export async function serve(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  measuredBy?: 'timing.ts' | 'dear.cpu.ts',
): Promise<Served> {
  const port = nextPort++
  const beganAtMs = performance.now()
  const preloaded = measuredBy ? ['--import', new URL(measuredBy, import.meta.url).href] : []
  const child = start([...nodeOptions, ...preloaded, program, 'serve'], {
    DATA_DIR: folder,
    PORT: String(port),
    SITE_TIMEZONE: 'America/Toronto',
    LOG_LEVEL: 'error',
    ...environment,
  })
  return served(child, port, `${apiPath}/events?per_page=1`, beganAtMs)
}

/** Starts a bare server that answers these paths with the same bytes as another server. */
export async function serveBare(
  origin: string,
  paths: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const port = nextPort++
  const beganAtMs = performance.now()
  const args = [bareProgram, origin, String(port), JSON.stringify(paths), JSON.stringify(headers)]
  return served(start(args, {}), port, paths[0] ?? '/', beganAtMs)
}

async function served(child: ChildProcess, port: number, path: string, beganAtMs: number): Promise<Served> {
  const origin = `http://127.0.0.1:${port}`
  await firstAnswer(`${origin}${path}`, child)
  return {
    origin,
    api: `${origin}${apiPath}`,
    pid: child.pid ?? 0,
    child,
    firstAnswerMs: performance.now() - beganAtMs,
    times: async () => {
      const told = once(child, 'message')
      child.send('times')
      const [times] = (await told) as [readonly number[]]
      return times
    },
    stop: () => stop(child),
  }
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('The server ended before it answered.')
    const answer = await fetch(url).catch(() => undefined)
    if (answer) return void (await answer.arrayBuffer())
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
}

/** Returns the current and the peak memory of a process in megabytes. */
export async function memoryOf(pid: number): Promise<{ readonly now: number; readonly most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { now: of('VmRSS'), most: of('VmHWM') }
}
