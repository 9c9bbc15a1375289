import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { program } from '../support/program.ts'
import { isAsShown, type Step } from './markdown.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Files that a new checkout does not have. */
const ownOfThisOne = /^(\.env.*|\.git|data|bench-data)$/
/** The placeholder in pages for a value that nobody can know in advance: the secret of a key. */
const secretShown = 'xxxx xxxx xxxx xxxx xxxx xxxx'
const secretForm = /\b(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}\b/g

const maxWaitingMs = 60_000

/** The result of commands. */
export interface Outcome {
  /** The output as a page writes it: with the ports of the page, and without secrets. */
  readonly printed: string
  /** The exit status; undefined if they are still running. */
  readonly exitCode: number | undefined
}

/** The terminal of a reader, in a new checkout of their own. */
export interface Terminal {
  run(step: Step): Promise<Outcome>
  /** Starts a service in the state in which a reader of another page has left it, with `ADMIN` for curl. */
  startService(): Promise<void>
}

interface Running {
  readonly child: ChildProcess
  printed(): string
}

/** Opens a terminal. At the end of the test it is closed, and all its processes are stopped. */
export async function openTerminal(t: Pick<TestContext, 'after'>): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-docs-'))
  const running = new Set<Running>()
  t.after(async () => {
    await Promise.all([...running].map(end))
    await rm(folder, { recursive: true, force: true })
  })
  const ports = await freePorts()
  const environment = await furnish(folder, ports[0])
  const state = join(folder, 'state')
  let secret = secretShown

  const filled = (commands: string) =>
    commands
      .replaceAll('https://old.example.org', 'http://127.0.0.1:3001')
      .replace(/(:|--port |PORT=)300([01])\b/g, (_, before, place) => `${before}${ports[place === '0' ? 0 : 1]}`)
      .replaceAll(secretShown, secret)
  const asWritten = (printed: string) =>
    ports
      .reduce((text, port, place) => text.replaceAll(`:${port}`, `:300${place}`), printed)
      .replaceAll(secretForm, secretShown)

  const start = (commands: string, ending = ''): Running => {
    const script = `exec 2>&1; set -aeo pipefail; . ${state}; trap '${ending}' EXIT\n`
    const child = spawn('bash', ['-c', script + filled(commands)], {
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    const started = { child, printed: () => printed }
    running.add(started)
    child.once('close', () => running.delete(started))
    return started
  }

  const startLasting = async ({ commands, printed: shown }: Pick<Step, 'commands' | 'printed'>): Promise<Outcome> => {
    await Promise.all([...running].map(end))
    const lasting = start(commands)
    const isReady = () => {
      const printed = asWritten(lasting.printed())
      return shown === undefined ? /^(?!>)./m.test(printed) : isAsShown(printed, shown)
    }
    await saying(lasting, isReady)
    ;[secret = secret] = lasting.printed().match(secretForm) ?? []
    return { exitCode: undefined, printed: asWritten(lasting.printed()) }
  }

  return {
    run: async (step) => {
      if (step.isLasting) return startLasting(step)
      // Variables and the working directory of one block remain for the next one.
      const { child, printed } = start(step.commands, `{ export -p; echo "cd $PWD"; } > ${state}`)
      const [exitCode] = await once(child, 'close')
      return { exitCode, printed: asWritten(printed()) }
    },
    startService: async () => {
      await startLasting({ commands: 'cal-events serve' })
      await writeFile(state, `cd ${join(folder, 'checkout')}\nADMIN='admin:${secret}'\n`)
    },
  }
}

/** Creates the environment of a reader: a checkout, npm, curl as it is at a terminal, and `cal-events` as a command. */
async function furnish(folder: string, port: number): Promise<Readonly<Record<string, string>>> {
  const [checkout, bin] = [join(folder, 'checkout'), join(folder, 'bin')]
  await Promise.all([mkdir(checkout), mkdir(bin)])
  const entries = (await readdir(root)).filter((name) => !ownOfThisOne.test(name))
  await Promise.all(entries.map((name) => symlink(join(root, name), join(checkout, name))))
  const write = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o755 })
  await write('state', `cd ${checkout}\n`)
  // An answer that reports a failure fails the command, so that no page shows one by mistake. A terminal prints the
  // prompt after an answer; here a newline separates two answers.
  await write('.curlrc', 'silent\nshow-error\nfail-with-body\nmax-time = 20\nwrite-out = "\\n"\n')
  await write('bin/cal-events', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  // All packages are installed. All pages share them.
  await write('bin/npm', `#!/bin/sh\n[ "$1" = ci ] && exit\nPATH=\${PATH#*:}\nexec npm "$@"\n`)
  // A new home has nothing compiled. A page has dozens of commands, and each would compile the service again.
  const { NODE_COMPILE_CACHE = join(folder, 'compiled') } = process.env
  return {
    ...{ HOME: folder, CURL_HOME: folder, LANG: 'C.UTF-8', PORT: String(port), NODE_COMPILE_CACHE },
    ...{ PATH: `${bin}:${process.env.PATH}`, npm_config_update_notifier: 'false', npm_config_offline: 'true' },
  }
}

/** Like Ctrl+C at a terminal: stops the process and all its descendants. */
async function end({ child }: Running): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  const closed = once(child, 'close')
  process.kill(-pid, 'SIGINT')
  const patience = setTimeout(() => process.kill(-pid, 'SIGKILL'), 10_000)
  await closed
  clearTimeout(patience)
}

/** Waits until the process has printed the expected text. */
function saying({ child, printed }: Running, isSaid: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (why: string) => reject(new Error(`${why} what the page shows. It has said:\n${printed()}`))
    const patience = setTimeout(() => giveUp('It does not say'), maxWaitingMs)
    child.stdout?.on('data', () => {
      if (!isSaid()) return
      clearTimeout(patience)
      resolve()
    })
    child.once('close', () => {
      clearTimeout(patience)
      giveUp('It ended before it said')
    })
  })
}

/** Returns two unused ports: for the service of a page, and for one more. */
async function freePorts(): Promise<readonly [number, number]> {
  const servers = [createServer(), createServer()] as const
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address ? address.port : 0
    }),
  )
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  const [first = 0, second = 0] = ports
  return [first, second]
}
