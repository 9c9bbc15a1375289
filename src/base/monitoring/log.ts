import { destination, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { currentRequestTrace } from './request.trace.ts'

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

/** Lines are buffered, and none waits for longer than this. */
const maxBufferedLines = 64
const flushAfterMs = 250
/** Lines that a reader does not take, as where its disk is full: beyond this they are lost. */
const maxUnwrittenBytes = 4 * 1024 * 1024

export async function openLog(
  { logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  stream?: LogStream,
): Promise<Log> {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY === true)
  const buffered = bufferedOutput()
  const output = stream ?? (isPretty && logLevel !== 'silent' ? await prettyOutput() : buffered)
  const options: LoggerOptions = { level: logLevel, base: { pid: process.pid } }
  const mixin = () => {
    const id = currentRequestTrace()?.id
    return id === undefined ? {} : { requestId: id }
  }
  return {
    log: pino({ ...options, mixin }, output),
    requests: pino(options, output),
    flush: buffered.flush,
  }
}

/** Standard output, as far as it can be written: a full disk behind it costs lines, not the service. */
function bufferedOutput() {
  const output = destination({ dest: 1, sync: false, maxLength: maxUnwrittenBytes })
  output.on('error', () => {})
  let lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  let flushesOnExit = false
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    // The types do not say that it knows, and what is written after its end throws.
    const isOver = (output as { readonly destroyed?: boolean }).destroyed === true
    if (lines.length > 0 && !isOver) output.write(lines.join(''))
    lines = []
  }
  const flushOnExit = () => {
    flushesOnExit = true
    // Before the output writes its own rest, which it does at the same time.
    for (const event of ['beforeExit', 'exit']) process.prependListener(event, flush)
  }
  return {
    write: (line: string) => {
      if (!flushesOnExit) flushOnExit()
      lines.push(line)
      if (lines.length >= maxBufferedLines) flush()
      else timer ??= setTimeout(flush, flushAfterMs).unref()
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
