import type { TestContext } from 'node:test'
import { run as runCommand } from '../../src/cli/cli.ts'
import { startShell } from './shell.ts'

type Environment = Readonly<Record<string, string>>

interface Called {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/**
 * Provides the command line as `startShell` does, but `run` calls commands in this process, because starting one takes ten
 * times as long as most commands. Commands that read standard input, write bytes or serve need a process of their own:
 * `runAlone` starts it.
 *
 * Calls change the environment and the working directory of this process while they run, one after the other.
 */
export async function startCommands(t: Pick<TestContext, 'after'>) {
  const { run: runAlone, ...shell } = await startShell(t)
  let last: Promise<unknown> = Promise.resolve()
  const run = (args: readonly string[], environment: Environment = {}): Promise<Called> => {
    const called = last.then(() => call(shell.folder, args, environment))
    last = called.catch(() => {})
    return called
  }
  return { ...shell, run, runAlone }
}

async function call(folder: string, args: readonly string[], environment: Environment): Promise<Called> {
  const { env, stdout, stderr } = process
  const before = process.cwd()
  const listeners = stdout.listeners('error')
  const [out, err] = [collected(stdout), collected(stderr)]
  process.env = { PATH: env.PATH, ...environment }
  process.chdir(folder)
  try {
    const exitCode = await runCommand(args)
    return { exitCode, out: out.text(), err: err.text() }
  } finally {
    process.chdir(before)
    process.env = env
    for (const one of [out, err]) one.stop()
    for (const listener of stdout.listeners('error')) {
      if (!listeners.includes(listener)) stdout.off('error', listener as () => void)
    }
  }
}

/** Collects the texts that are written to a stream. Bytes are those of the test runner. */
function collected(stream: NodeJS.WriteStream) {
  const { write } = stream
  let text = ''
  stream.write = ((chunk: string | Uint8Array, ...others: []) => {
    if (typeof chunk !== 'string') return write.call(stream, chunk, ...others)
    text += chunk
    return true
  }) as typeof stream.write
  return {
    text: () => text,
    stop: () => {
      stream.write = write
    },
  }
}
