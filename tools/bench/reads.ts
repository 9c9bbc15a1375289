import { COUNTS } from './dataset.ts'
import { inTurns, load, median, percentile } from './load.ts'
import { newLists, newSearches } from './queries.ts'
import { authorization, type Served, serve, serveBare } from './server.ts'
import type { Row } from './table.ts'

interface BenchDataset {
  readonly folder: string
  readonly size: number
  readonly environment?: Readonly<Record<string, string>>
  /** Name of the engine, if it is not SQLite. */
  readonly engine?: string
}

/** Requests ask for no coding, so that the figures can be compared with earlier ones. */
const plain = { 'accept-encoding': 'identity' }
/** What browsers ask for. */
const coded = { 'accept-encoding': 'gzip, br, zstd' }
const apiPath = '/cal/events/v1'
/** A longer response is an error, and is not measured. */
const longestAnswerMs = 10_000
const firstEvent = COUNTS.venues + COUNTS.organizers + 1
const round = (number: number, digits = 2) => number.toFixed(digits)

/** Measures repeated requests, against a bare server that sends the same bytes. */
export async function repeatedReads(
  { folder, size, environment = {}, engine = '' }: BenchDataset,
  seconds = 3,
): Promise<readonly Row[]> {
  const served = await serve(folder, environment)
  const rows: Row[] = []
  const against = async (
    what: string,
    asked: readonly string[],
    target: number,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const paths = asked.map((path) => `${apiPath}${path}`)
    const bare = await serveBare(served.origin, paths, headers)
    await load(served.origin, paths, { seconds: 1, headers })
    const { ratio, ours } = await inTurns(
      async () => rateOf(await load(served.origin, paths, { seconds, headers })),
      async () => rateOf(await load(bare.origin, paths, { seconds, headers })),
    )
    await bare.stop()
    process.stderr.write(`  ${what}: ${round(ratio)} × bare\n`)
    rows.push({
      section: 'reads',
      what: `${what}${engine}`,
      events: size,
      figure: `${Math.round(ours).toLocaleString('en')} /s`,
      ratio: `${round(ratio)} × bare`,
      wire: await wireBytes(`${served.origin}${paths[0]}`, headers),
      target: `≥ ${target} ×`,
      isMet: ratio >= target,
    })
  }
  const codedRow = async () => {
    const paths = [`${apiPath}/events?per_page=50`]
    const rate = async (headers: Readonly<Record<string, string>>) =>
      rateOf(await load(served.origin, paths, { seconds, headers }))
    const { ratio, ours } = await inTurns(
      () => rate(coded),
      () => rate(plain),
    )
    rows.push({
      section: 'reads',
      what: `list of 50, repeated, coded${engine}`,
      events: size,
      figure: `${Math.round(ours).toLocaleString('en')} /s`,
      ratio: `${round(ratio)} × without a coding`,
      wire: await wireBytes(`${served.origin}${paths[0]}`),
      target: '≥ 0.9 ×',
      isMet: ratio >= 0.9,
    })
  }
  try {
    await against('list of 10, repeated', ['/events?per_page=10'], 0.75)
    await against('list of 50, repeated', ['/events?per_page=50'], 0.75)
    await codedRow()
    // Spread over the calendar, so that no two are on the same page of the database.
    const ids = Array.from({ length: 1000 }, (_, place) => firstEvent + Math.floor((place * size) / 1000))
    const events = ids.map((id) => `/events/${id}`)
    await against('one event of a thousand, repeated', events, 0.75)
    const etag = (await fetch(`${served.api}/events?per_page=50`, { headers: plain })).headers.get('etag') ?? ''
    await against('unchanged (304)', ['/events?per_page=50'], 0.9, { 'if-none-match': etag })
  } finally {
    await served.stop()
  }
  return rows
}

/** Returns the bytes of the body of an answer, without a coding and coded. */
async function wireBytes(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const bytesOf = async (coding: Readonly<Record<string, string>>) => {
    const answer = await fetch(url, { headers: { ...headers, ...coding } })
    await answer.arrayBuffer()
    return Number(answer.headers.get('content-length') ?? 0).toLocaleString('en')
  }
  return `${await bytesOf(plain)}; ${await bytesOf(coded)} coded`
}

/** Fails if a request of the load has failed, because the figure would be meaningless. */
function rateOf({ rate, failed }: { readonly rate: number; readonly failed: number }): number {
  if (failed > 0) throw new Error(`${failed} requests failed.`)
  return rate
}

/**
 * Measures requests that were not made before, so that no cache helps. Sequential, over one connection, timed in the
 * server.
 */
export async function newReads(
  { folder, size, environment = {}, engine = '' }: BenchDataset,
  count = 1500,
): Promise<readonly Row[]> {
  const served = await serve(folder, environment, 'timing.ts')
  try {
    const lists = newLists(20_261_121)
    await answersOf(served, take(newLists(1), 200))
    const answers = await answersOf(served, take(lists, count))
    const times = answers.map(({ ms }) => ms)
    const searches = (await answersOf(served, newSearches())).map(({ ms }) => ms)
    const [p50, p99] = [median(times), percentile(times, 0.99)]
    const slowest = percentile(searches, 0.99)
    return [
      {
        section: 'new',
        what: `new lists, p50${engine}`,
        events: size,
        figure: `${round(p50)} ms`,
        milliseconds: p50,
        target: '≤ 2 ms',
        isMet: p50 <= 2,
      },
      {
        section: 'new',
        what: `new lists, p99${engine}`,
        events: size,
        figure: `${round(p99)} ms`,
        milliseconds: p99,
        target: '≤ 8 ms',
        isMet: p99 <= 8,
      },
      ...listsOfLength(answers).map(({ length, ms }) => ({
        section: 'new',
        what: `new lists of ${length} events, p50${engine}`,
        events: size,
        figure: `${round(ms)} ms`,
        milliseconds: ms,
        target: '',
        isMet: undefined,
      })),
      {
        section: 'new',
        what: `search, p99${engine}`,
        events: size,
        figure: `${round(slowest)} ms (p50 ${round(median(searches))})`,
        milliseconds: slowest,
        target: '≤ 15 ms',
        isMet: slowest <= 15,
      },
    ]
  } finally {
    await served.stop()
  }
}

function take(paths: Iterable<string>, count: number): readonly string[] {
  const taken: string[] = []
  for (const path of paths) {
    taken.push(path)
    if (taken.length === count) break
  }
  return taken
}

/** A response: its milliseconds in the server, and how many events it has. A page after the last one has none. */
interface Answer {
  readonly ms: number
  readonly events: number
}

async function answersOf({ api, times }: Served, paths: readonly string[]): Promise<readonly Answer[]> {
  await times()
  process.stderr.write(`  ${paths.length} new answers …\n`)
  const events: number[] = []
  for (const path of paths) {
    const answer = await fetch(`${api}${path}`, { headers: plain, signal: AbortSignal.timeout(longestAnswerMs) })
    if (answer.status !== 200 && answer.status !== 404) throw new Error(`${path} is answered with ${answer.status}.`)
    const body = (await answer.json()) as { readonly events?: readonly unknown[] }
    events.push(body.events?.length ?? 0)
  }
  return (await times()).map((ms, place) => ({ ms, events: events[place] ?? 0 }))
}

/**
 * Returns the median of the lists of each length. A larger calendar has more events in the same window, so that the
 * median of all lists compares long lists with short ones.
 */
function listsOfLength(answers: readonly Answer[]): readonly { readonly length: string; readonly ms: number }[] {
  const lengths = [
    { length: '0', least: 0, most: 0 },
    { length: '1 to 9', least: 1, most: 9 },
    { length: '10 to 24', least: 10, most: 24 },
    { length: '25 to 50', least: 25, most: 50 },
  ]
  return lengths.flatMap(({ length, least, most }) => {
    const times = answers.filter(({ events }) => events >= least && events <= most).map(({ ms }) => ms)
    return times.length > 0 ? [{ length, ms: median(times) }] : []
  })
}

/** Measures a list of 50 during a hundred updates a second, against the same list without writes. */
export async function readsUnderWrites({ folder, size }: BenchDataset): Promise<readonly Row[]> {
  const served = await serve(folder)
  const paths = [`${apiPath}/events?per_page=50`]
  const waits: number[] = []
  let updates = 0
  const updating = async () => {
    const answer = await fetch(`${served.api}/events/${firstEvent + (updates % 500)}`, {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ website: `https://example.org/${updates}` }),
    })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`An update is answered with ${answer.status}.`)
  }
  try {
    const { ratio } = await inTurns(
      async () => {
        const pending: Promise<void>[] = []
        const timer = setInterval(() => {
          updates += 1
          pending.push(updating())
        }, 10)
        const { rate, p99 } = await load(served.origin, paths)
        clearInterval(timer)
        await Promise.all(pending)
        waits.push(p99)
        return rate
      },
      async () => (await load(served.origin, paths)).rate,
    )
    return [
      {
        section: 'under-writes',
        what: 'list of 50, 100 updates a second',
        events: size,
        figure: `p99 ${round(median(waits), 0)} ms`,
        ratio: `${round(ratio)} × quiet`,
        target: '≥ 0.5 ×',
        isMet: ratio >= 0.5,
      },
    ]
  } finally {
    await served.stop()
  }
}
