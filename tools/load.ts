/**
 * Puts a running service under load and prints its response times:
 *
 *     node tools/load.ts http://127.0.0.1:3000/cal/events/v1 --writers 4 --user 'admin:xxxx xxxx xxxx xxxx xxxx xxxx'
 *
 * Compare figures only with others of the same machine, measured while it is otherwise idle: the load comes from a
 * process that needs its own core.
 */
import autocannon from 'autocannon'
import { Command, InvalidArgumentError } from 'commander'
import { EXIT, printError, printResult, table } from '../src/cli/output.ts'

interface LoadOptions {
  readonly path: string
  readonly fresh?: true
  readonly readers: number
  readonly writers: number
  readonly seconds: number
  readonly warmUp: number
  readonly user?: string
  readonly json?: true
}

/**
 * The results of one kind of requests. Times are in milliseconds, from sending a request to the end of its response.
 */
interface Figures {
  readonly connections: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Requests without a response, or with a status other than 2xx. */
  readonly failed: number
}

await new Command('load')
  .description('Put a running service under load. Every connection sends its next request when it has an answer.')
  .argument('<api>', 'address of the API, without a final slash')
  .option('--path <path>', 'what readers ask for', '/events?per_page=10')
  .option('--fresh', 'have every read differ, so that none is answered from memory')
  .option('--readers <number>', 'connections that read', wholeNumber, 16)
  .option('--writers <number>', 'connections that create events: use a calendar made for this', wholeNumber, 0)
  .option('--seconds <number>', 'how long to measure', wholeNumber, 10)
  .option('--warm-up <seconds>', 'how long to send before measuring', wholeNumber, 2)
  .option('--user <name:password>', 'whose application password writers sign in with')
  .option('--json', 'print the figures as JSON')
  .action(load)
  .parseAsync()

async function load(api: string, options: LoadOptions): Promise<void> {
  const { writers, seconds, warmUp, user } = options
  if (writers > 0 && user === undefined) {
    printError('Writers sign in: --user is missing.')
    process.exitCode = EXIT.usage
    return
  }
  if (warmUp > 0) await readAndWrite(api, options, warmUp)
  const figures = await readAndWrite(api, options, seconds)
  printResult(options, figures, figuresTable(figures))
  if (Object.values(figures).some(({ failed }) => failed > 0)) process.exitCode = EXIT.failed
}

async function readAndWrite(
  api: string,
  { path, fresh, readers, writers, user = '' }: LoadOptions,
  seconds: number,
): Promise<Readonly<Record<string, Figures>>> {
  const { pathname } = new URL(api)
  // The interface ignores unknown parameters.
  const read = `${pathname}${path}${fresh ? `${path.includes('?') ? '&' : '?'}_=[<id>]` : ''}`
  const reading: autocannon.Options = {
    url: api,
    requests: [{ path: read }],
    idReplacement: true,
    connections: readers,
    duration: seconds,
  }
  const writing: autocannon.Options = {
    url: `${api}/events`,
    method: 'POST',
    headers: { authorization: `Basic ${btoa(user)}`, 'content-type': 'application/json' },
    // Different titles, as in practice. With equal titles, the load would measure the search for a free slug.
    body: JSON.stringify({ title: 'Load [<id>]', start_date: 'tomorrow 10:00', end_date: 'tomorrow 11:00' }),
    idReplacement: true,
    connections: writers,
    duration: seconds,
  }
  const [reads, writes] = await Promise.all([measure(reading), measure(writing)])
  return { ...(reads ? { reads } : {}), ...(writes ? { writes } : {}) }
}

async function measure(options: autocannon.Options): Promise<Figures | undefined> {
  const { connections = 0 } = options
  if (connections === 0) return undefined
  const timesMs: number[] = []
  let failed = 0
  const { promise: done, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const running = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)))
  running.on('response', (_client, status, _bytes, timeMs) => {
    timesMs.push(timeMs)
    if (status < 200 || status > 299) failed += 1
  })
  running.on('reqError', () => {
    failed += 1
  })
  const { duration } = await done
  timesMs.sort((a, b) => a - b)
  return {
    connections,
    perSecond: rounded(timesMs.length / duration),
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
    maxMs: percentile(timesMs, 1),
    failed,
  }
}

/** Returns the time within which this share of all requests was answered; 0 if there were none. */
function percentile(sortedMs: readonly number[], share: number): number {
  return rounded(sortedMs[Math.max(0, Math.ceil(sortedMs.length * share) - 1)] ?? 0)
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

function figuresTable(figures: Readonly<Record<string, Figures>>): string {
  const rows = Object.entries(figures).map(([kind, { connections, perSecond, p50Ms, p99Ms, maxMs, failed }]) => [
    kind,
    ...[connections, perSecond, p50Ms, p99Ms, maxMs, failed].map(String),
  ])
  return table(['', 'CONNECTIONS', 'PER SECOND', 'P50 MS', 'P99 MS', 'MAX MS', 'FAILED'], rows)
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
