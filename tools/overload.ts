/**
 * Drives a real server at twice its capacity and checks its promises: only 429 and 503 besides success, a bounded wait
 * for admitted requests, and memory that does not grow.
 *
 *     npm run overload -- --minutes 10
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { Command, InvalidArgumentError } from 'commander'
import { printResult, table } from '../src/cli/output.ts'
import { memoryOf } from './bench/server.ts'
import { latencyRecorder, slopePerMinute } from './overload.figures.ts'

interface Options {
  readonly minutes: number
  readonly seconds?: number
  readonly connections: number
  readonly inFlight: number
  readonly json?: true
}

const secret = 'overload overload overload'
const authorization = `Basic ${btoa(`admin:${secret}`)}`
const events = 300
const capacitySeconds = 5
/** A client that a proxy reports, and that sends more requests than its limit allows. */
const greedy = { from: '203.0.113.7', perSecond: 100 }
const rateLimit = '60/15'
const maxTries = 5
/** A request waits as long as the queue before it takes. p99 may be this many times that, plus one second. */
const promised = { lines: 3, growthMegabytesPerMinute: 2 }
/** Shorter runs show how a process warms up, but not whether it grows. */
const leastMinutesForSlope = 3

await new Command('overload')
  .description('Start a server, measure its capacity, and put it under twice that load.')
  .option('--minutes <number>', 'how long', wholeNumber, 10)
  .option('--seconds <number>', 'how long, instead of minutes', wholeNumber)
  .option('--connections <number>', 'how many send', wholeNumber, 1000)
  .option('--in-flight <number>', 'MAX_IN_FLIGHT of the server', wholeNumber, 256)
  .option('--json', 'print the figures as JSON')
  .action(overload)
  .parseAsync()

async function overload(options: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-overload-'))
  const server = start(folder, options)
  const ended = once(server, 'close')
  try {
    const api = await apiOf(server)
    const figures = await measure(api, server.pid ?? 0, options)
    const broken = brokenPromises(figures)
    printResult(options, { ...figures, broken }, shown(figures, broken))
    if (broken.length > 0) process.exitCode = 1
  } finally {
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  }
}

function start(folder: string, { inFlight }: Options): ChildProcess {
  const program = fileURLToPath(new URL('../bin/cal-events.mjs', import.meta.url))
  const limits = { MAX_IN_FLIGHT: String(inFlight), RATE_LIMIT: rateLimit }
  const settings = { DATA_DIR: folder, PORT: '0', TRUST_PROXY: 'true', ...limits }
  return spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, ADMIN_PASSWORD: secret, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function apiOf(server: ChildProcess): Promise<string> {
  let printed = ''
  for await (const chunk of server.stdout ?? []) {
    printed += chunk
    const api = /^API +(\S+)\/$/m.exec(printed)?.[1]
    if (api) return api
  }
  throw new Error(`The service ended before it listened: ${printed}`)
}

async function measure(api: string, pid: number, { minutes, seconds = minutes * 60, connections, inFlight }: Options) {
  const ids = await fill(api)
  const alone = await run({ url: api, connections: 32, duration: capacitySeconds, requests: requestsOf(api, ids) })
  const capacity = (alone.statuses[200] ?? 0) / capacitySeconds
  const megabytes: number[] = []
  const looking = setInterval(async () => megabytes.push((await memoryOf(pid)).now), 1000)
  const [crowd, one] = await Promise.all([
    run({
      url: api,
      connections,
      overallRate: Math.ceil(2 * capacity),
      duration: seconds,
      requests: requestsOf(api, ids),
    }),
    run({
      url: api,
      connections: 4,
      overallRate: greedy.perSecond,
      duration: seconds,
      requests: requestsOf(api, ids).map((request) => ({
        ...request,
        headers: { ...request.headers, 'x-forwarded-for': greedy.from },
      })),
    }),
  ])
  clearInterval(looking)
  return {
    seconds,
    capacityPerSecond: Math.round(capacity),
    sentPerSecond: Math.round(crowd.count / seconds),
    crowd: crowd.statuses,
    greedy: one.statuses,
    unanswered: alone.unanswered + crowd.unanswered + one.unanswered,
    acceptedP50Ms: crowd.times.at(0.5),
    acceptedP99Ms: crowd.times.at(0.99),
    maxP99Ms: Math.round(1000 + (promised.lines * 1000 * inFlight * seconds) / (crowd.statuses[200] ?? 1)),
    acceptedMaxMs: crowd.times.at(1),
    megabytes: { first: megabytes[0] ?? 0, last: megabytes.at(-1) ?? 0, most: Math.max(0, ...megabytes) },
    // The first third is the warm-up.
    growthMegabytesPerMinute: slopePerMinute(megabytes.slice(Math.floor(megabytes.length / 3))),
    statusAfter: await statusAfterwards(api),
  }
}

/** Returns the status of a list, requested by a client that retries when the service asks it to. */
async function statusAfterwards(api: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(`${api}/events`)
    await answer.arrayBuffer()
    if (answer.status !== 503 || tries === maxTries) return answer.status
    await setTimeout(1000 * Number(answer.headers.get('retry-after')))
  }
}

type Figures = Awaited<ReturnType<typeof measure>>

async function fill(api: string): Promise<readonly number[]> {
  const ids: number[] = []
  for (let number = 0; number < events; number += 1) {
    const json = { title: `Event ${number}`, start_date: `tomorrow ${number % 24}:00`, end_date: 'tomorrow 23:59' }
    const answer = await fetch(`${api}/events`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    if (answer.status !== 201) throw new Error(await answer.text())
    ids.push(((await answer.json()) as { readonly id: number }).id)
  }
  return ids
}

/** Returns mostly lists that were not requested before, some that all clients request, and a few changes. */
function requestsOf(api: string, ids: readonly number[]): autocannon.Request[] {
  const { pathname } = new URL(api)
  const fresh = { path: `${pathname}/events?per_page=20&search=event&unused=[<id>]` }
  const changes = ids.slice(0, 2).map((id) => ({
    method: 'PATCH' as const,
    path: `${pathname}/events/${id}`,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ website: 'https://example.org/[<id>]' }),
  }))
  return [...Array(16).fill(fresh), { path: `${pathname}/events` }, { path: `${pathname}/venues` }, ...changes]
}

async function run(options: autocannon.Options) {
  const statuses: Record<number, number> = {}
  const times = latencyRecorder()
  let count = 0
  const { promise: done, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const running = autocannon({ idReplacement: true, timeout: 30, ...options }, (error, result) =>
    error ? reject(error) : resolve(result),
  )
  running.on('response', (_client, status, _bytes, timeMs) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    count += 1
    if (status < 300) times.add(timeMs)
  })
  const { errors } = await done
  return { statuses, times, count, unanswered: errors }
}

function brokenPromises(figures: Figures): readonly string[] {
  const statuses = [...Object.keys(figures.crowd), ...Object.keys(figures.greedy)]
  const others = statuses.filter((status) => !['200', '429', '503'].includes(status))
  const isLong = figures.seconds >= leastMinutesForSlope * 60
  return [
    ...(others.length > 0 ? [`answered with ${others.join(', ')}`] : []),
    ...(figures.unanswered > 0 ? [`${figures.unanswered} requests were not answered`] : []),
    ...(figures.acceptedP99Ms > figures.maxP99Ms ? [`p99 is ${figures.acceptedP99Ms} ms`] : []),
    ...(isLong && figures.growthMegabytesPerMinute > promised.growthMegabytesPerMinute
      ? [`memory grows by ${figures.growthMegabytesPerMinute.toFixed(2)} MB a minute`]
      : []),
    ...(figures.statusAfter === 200 ? [] : [`afterwards a list is answered with ${figures.statusAfter}`]),
  ]
}

function shown(figures: Figures, broken: readonly string[]): string {
  const { megabytes } = figures
  const statuses = (all: Readonly<Record<string, number>>) =>
    Object.entries(all)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')
  const rows = [
    ['capacity', `${figures.capacityPerSecond} /s`],
    ['sent', `${figures.sentPerSecond} /s for ${figures.seconds} s`],
    ['answers', statuses(figures.crowd)],
    ['answers to the greedy client', statuses(figures.greedy)],
    ['not answered', String(figures.unanswered)],
    [
      'accepted',
      `p50 ${figures.acceptedP50Ms} ms, p99 ${figures.acceptedP99Ms} ms (at most ${figures.maxP99Ms} ms), max ${figures.acceptedMaxMs} ms`,
    ],
    ['memory', `${megabytes.first.toFixed(0)} → ${megabytes.last.toFixed(0)} MB, most ${megabytes.most.toFixed(0)} MB`],
    ['growth after the first third', `${figures.growthMegabytesPerMinute.toFixed(2)} MB a minute`],
    ['broken promises', broken.length === 0 ? 'none' : broken.join('; ')],
  ]
  return table(['', ''], rows)
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above zero.')
  return Number(text)
}
