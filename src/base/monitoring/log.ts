import { destination, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { currentRequest } from './seen.ts'

/** What lines are written to. */
export interface LogStream {
  write(line: string): void
}

export interface Log {
  /** Names in each line the request that is being worked on. */
  readonly log: Logger
  /** For lines about requests, which name them by themselves. */
  readonly requests: Logger
  /** Writes what has not been written. */
  flush(): void
}

/** Lines are written together, and none waits for longer than this. */
const mostTogether = 64
const writtenAfterMs = 250
/** Lines that a reader does not take, as where its disk is full: beyond this they are lost. */
const mostUnwrittenBytes = 4 * 1024 * 1024

export async function openLog(
  { logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  stream?: LogStream,
): Promise<Log> {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY === true)
  const together = linesTogether()
  const output = stream ?? (isPretty && logLevel !== 'silent' ? await prettyOutput() : together)
  const options: LoggerOptions = { level: logLevel, base: { pid: process.pid } }
  const mixin = () => {
    const id = currentRequest()?.id
    return id === undefined ? {} : { requestId: id }
  }
  return {
    log: pino({ ...options, mixin }, output),
    requests: pino(options, output),
    flush: together.flush,
  }
}

/** Standard output, as far as it can be written: a full disk behind it costs lines, not the service. */
function linesTogether() {
  const output = destination({ dest: 1, sync: false, maxLength: mostUnwrittenBytes })
  output.on('error', () => {})
  let lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  let isEndHeard = false
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    // The types do not say that it knows, and what is written after its end throws.
    const isOver = (output as { readonly destroyed?: boolean }).destroyed === true
    if (lines.length > 0 && !isOver) output.write(lines.join(''))
    lines = []
  }
  const hearTheEnd = () => {
    isEndHeard = true
    // Before the output writes its own rest, which it does at the same time.
    for (const event of ['beforeExit', 'exit']) process.prependListener(event, flush)
  }
  return {
    write: (line: string) => {
      if (!isEndHeard) hearTheEnd()
      lines.push(line)
      if (lines.length >= mostTogether) flush()
      else timer ??= setTimeout(flush, writtenAfterMs).unref()
    },
    flush,
  }
}

/** The same for people. */
async function prettyOutput() {
  const { build } = await import('pino-pretty')
  const stream = build({ destination: 1, sync: true, singleLine: true, ignore: 'pid', translateTime: 'HH:MM:ss.l' })
  stream.on('error', () => {})
  return stream
}
