import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from './program.ts'

/** The service as a separate process, as an operator starts it. */
export interface ServiceProcess {
  /** Address of the API, without a trailing slash. Resolves as soon as the service listens. */
  readonly api: Promise<string>
  /** Ends the process as a loss of power does. */
  kill(): Promise<void>
  /** Halts the process until `resume`, as a machine without time for it does. */
  pause(): void
  resume(): void
}

/** Application password of the administrator `admin`, whom the first process creates. */
export const adminPassword = 'aaaa bbbb cccc dddd eeee ffff'
export const adminAuthorization = `Basic ${btoa(`admin:${adminPassword}`)}`

/** Starts the service on this database and a free port. It is killed when the test ends. */
export async function startServiceProcess(
  t: { after(work: () => Promise<void>): void },
  url: string,
): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-serving-'))
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      DATABASE_URL: url,
      PORT: '0',
      ADMIN_PASSWORD: adminPassword,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const kill = async () => {
    child.kill('SIGKILL')
    await closed
  }
  t.after(async () => {
    await kill()
    await rm(folder, { recursive: true })
  })
  const api = apiOf(child)
  // A caller that does not use the address need not handle its absence.
  api.catch(() => {})
  return { api, kill, pause: () => void child.kill('SIGSTOP'), resume: () => void child.kill('SIGCONT') }
}

function apiOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += chunk
      const api = /^API +(\S+)\/$/m.exec(printed)?.[1]
      if (api) resolve(api)
    })
    child.once('close', () => reject(new Error(`The service ended before it listened: ${printed}`)))
  })
}
