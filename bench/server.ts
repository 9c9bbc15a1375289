import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A process that serves, started as a user would start it. */
export interface Served {
  /** Address of the API, without a final slash. */
  readonly api: string
  readonly pid: number
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstAnswerMs: number
  stop(): Promise<void>
}

export const secret = 'benchbenchbenchbenchbench'
export const authorization = `Basic ${btoa(`bench:${secret}`)}`

const program = fileURLToPath(new URL('../bin/cal-events.mjs', import.meta.url))
const bareProgram = fileURLToPath(new URL('bare.ts', import.meta.url))
let nextPort = 21_000 + (process.pid % 1000) * 10

/** Starts the service on a data folder, or on the database of `DATABASE_URL` in `environment`. */
export async function serve(folder: string, environment: Readonly<Record<string, string>> = {}): Promise<Served> {
  const port = nextPort++
  const beganAtMs = performance.now()
  const child = start([program, 'serve'], {
    DATA_DIR: folder,
    PORT: String(port),
    SITE_TIMEZONE: 'America/Toronto',
    LOG_LEVEL: 'error',
    ...environment,
  })
  const api = `http://127.0.0.1:${port}/cal/events/v1`
  await firstAnswer(`${api}/events?per_page=1`, child)
  return { api, pid: child.pid ?? 0, firstAnswerMs: performance.now() - beganAtMs, stop: () => stop(child) }
}

/** Starts a bare server that answers every request with the same bytes as `url` does, or that nothing has changed. */
export async function serveBare(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Served> {
  const port = nextPort++
  const child = start([bareProgram, url, String(port), JSON.stringify(headers)], {})
  const api = `http://127.0.0.1:${port}/`
  await firstAnswer(api, child)
  return { api, pid: child.pid ?? 0, firstAnswerMs: 0, stop: () => stop(child) }
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
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

/** Megabytes of memory that a process holds now, and held at most. */
export async function memoryOf(pid: number): Promise<{ readonly now: number; readonly most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { now: of('VmRSS'), most: of('VmHWM') }
}
