import { destination, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { currentRequestTrace } from './request.trace.ts'

/** The output of log lines. */
export interface LogStream {
  write(line: string): void
}

export interface Log {
  /** Adds the id of the current request to each line. */
  readonly log: Logger
  /** For lines about requests, which contain the request id already. */
  readonly requests: Logger
  /** Writes the buffered lines. */
  flush(): void
}

/** Lines are buffered up to this number and for at most this time. */
const maxBufferedLines = 64
const flushAfterMs = 250
/** Bytes that the reader has not taken, for example because its disk is full. Above this limit, lines are lost. */
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

/** Writes to standard output as far as possible: a full disk behind it costs lines, not the service. */
function bufferedOutput() {
  const output = destination({ dest: 1, sync: false, maxLength: maxUnwrittenBytes })
  output.on('error', () => {})
  let lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  let flushesOnExit = false
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    // The types do not declare this property. A write after the end throws.
    const isOver = (output as { readonly destroyed?: boolean }).destroyed === true
    if (lines.length > 0 && !isOver) output.write(lines.join(''))
    lines = []
  }
  const flushOnExit = () => {
    flushesOnExit = true
    // Runs before the output writes its own remaining lines on the same event.
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

/** The same in a format for people. */
async function prettyOutput() {
  const { build } = await import('pino-pretty')
  const stream = build({ destination: 1, sync: true, singleLine: true, ignore: 'pid', translateTime: 'HH:MM:ss.l' })
  stream.on('error', () => {})
  return stream
}
