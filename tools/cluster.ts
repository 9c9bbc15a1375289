/**
 * Starts a cluster on this machine and plays faults under writes and reads: three PostgreSQL servers under Patroni, three
 * members of etcd, two PgBouncers in transaction mode, HAProxy and four nodes.
 *
 *     npm run cluster -- --minutes 30 --seed 44
 *
 * Needs `patroni`, `etcd`, `haproxy`, `pgbouncer` and PostgreSQL, as Debian packages them. Everything is in one folder and
 * on ports from `--port`, and ends with this program.
 */
import { globSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { Client } from 'pg'
import { EXIT, printResult, table } from '../src/cli/output.ts'
import { randomFrom } from './bench/random.ts'
import { type Any, type Cluster, type Fault, KINDS, type PartKind, startCluster } from './cluster/parts.ts'
import { startTraffic, type Traffic } from './cluster/traffic.ts'

interface Options {
  readonly minutes: number
  readonly seed: number
  readonly port: number
  readonly bin: string
  readonly keep?: true
  readonly json?: true
}

/** What one fault did to clients. */
interface Felt {
  readonly part: PartKind
  readonly fault: Fault
  readonly writesAwayMs: number
  readonly readsAwayMs: number
  readonly slowestReadMs: number
}

const promised = { writesAwayMs: 15_000, readsAwayMs: 2000 }
const faultMs = 15_000
const restMs = 3000

await new Command('cluster')
  .description('Play faults on a cluster of this machine, and check that nothing acknowledged is lost.')
  .option('--minutes <number>', 'how long: each fault once in any case, and then faults at random', wholeNumber, 0)
  .option('--seed <number>', 'which faults at random, printed at the start', wholeNumber, Date.now() % 100_000)
  .option('--port <number>', 'the first of 200 free ports', wholeNumber, 24_000)
  .option('--bin <folder>', 'the programs of PostgreSQL', globSync('/usr/lib/postgresql/*/bin').at(-1) ?? '/usr/bin')
  .option('--keep', 'keep the folder with all logs')
  .option('--json', 'print the results as JSON')
  .action(run)
  .parseAsync()

async function run(options: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-cluster-'))
  await chmod(folder, 0o755)
  process.stderr.write(`The cluster is in ${folder}. Faults at random have the seed ${options.seed}.\n`)
  let cluster: Cluster | undefined
  const end = async () => {
    await cluster?.close()
    if (options.keep) return
    await rm(folder, { recursive: true, force: true })
  }
  for (const kind of ['SIGINT', 'SIGTERM'] as const) process.once(kind, () => process.exit(EXIT.failed))
  try {
    const random = randomFrom(options.seed)
    const any: Any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
    cluster = await startCluster(folder, { ...options, any })
    const traffic = startTraffic(cluster.origin)
    await wait(restMs)
    const felt = await play(cluster, traffic, { ...options, any })
    await traffic.stop()
    const checks = await check(cluster, traffic)
    report(options, { felt, checks, statuses: traffic.statuses })
  } finally {
    await end()
  }
}

/** Plays each fault once, and then faults at random until the time is over. */
async function play(
  cluster: Cluster,
  traffic: Traffic,
  { minutes, any }: { readonly minutes: number; readonly any: Any },
): Promise<readonly Felt[]> {
  const all = (Object.keys(KINDS) as PartKind[]).flatMap((part) => KINDS[part].map((fault: Fault) => ({ part, fault })))
  const endAt = performance.now() + minutes * 60_000
  const felt: Felt[] = []
  const next = () => all[felt.length] ?? (performance.now() < endAt ? any(all) : undefined)
  for (let one = next(); one; one = next()) {
    const at = performance.now()
    const part = await cluster.choose(one.part)
    const mend = part.fail(one.fault)
    await wait(faultMs)
    mend()
    await cluster.settled()
    await wait(restMs)
    const { write, read, slowest } = traffic.gapsSince(at)
    felt.push({ ...one, writesAwayMs: write, readsAwayMs: read, slowestReadMs: slowest })
    process.stderr.write(`${row(felt.at(-1) as Felt).join('  ')}  (${part.name})\n`)
  }
  return felt
}

interface Checks {
  readonly acknowledged: number
  readonly lost: number
  readonly doneTwice: number
  readonly staleAnswers: readonly string[]
  readonly scheduled: number
  readonly notPublishedOnce: number
}

/** Compares the answers that clients got with the database. */
async function check(cluster: Cluster, { acknowledged, scheduled, stale }: Traffic): Promise<Checks> {
  await cluster.settled()
  const client = new Client(await cluster.database())
  await client.connect()
  const numbers = async (text: string) => (await client.query(text)).rows as readonly Record<string, unknown>[]
  while ((await numbers(`select 1 from records where status = 'future'`)).length > 0) await wait(200)
  const found = await numbers(`select id, title_html as title from records where kind = 'event'`)
  const titles = new Map(found.map(({ id, title }) => [Number(id), title]))
  const entries = await numbers(`select item_id, changes from audit where kind = 'event'`)
  await client.end()
  const published = entries.flatMap(({ item_id, changes }) => {
    const { status } = JSON.parse(String(changes))
    return status?.after === 'publish' ? [Number(item_id)] : []
  })
  const times = Map.groupBy(published, (id) => id)
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter(([title, id]) => titles.get(id) !== title).length,
    doneTwice: found.length - new Set(found.map(({ title }) => title)).size,
    staleAnswers: stale,
    scheduled: scheduled.length,
    notPublishedOnce: scheduled.filter((id) => times.get(id)?.length !== 1).length,
  }
}

function report(
  options: Options,
  { felt, checks, statuses }: { felt: readonly Felt[]; checks: Checks; statuses: Traffic['statuses'] },
): void {
  const worst = (field: keyof typeof promised) => Math.max(...felt.map((one) => one[field]))
  const faults = [
    ...(checks.lost > 0 ? [`${checks.lost} acknowledged writes are lost.`] : []),
    ...(checks.doneTwice > 0 ? [`${checks.doneTwice} writes were done twice.`] : []),
    ...checks.staleAnswers,
    ...(checks.notPublishedOnce > 0 ? [`${checks.notPublishedOnce} scheduled events were not published once.`] : []),
    ...(worst('writesAwayMs') > promised.writesAwayMs
      ? [`Writes were away for ${seconds(worst('writesAwayMs'))}.`]
      : []),
    ...(worst('readsAwayMs') > promised.readsAwayMs ? [`Reads were away for ${seconds(worst('readsAwayMs'))}.`] : []),
  ]
  const head = ['part', 'fault', 'no write for', 'no read for', 'slowest read']
  const said = [
    table(head, felt.map(row)),
    `${checks.acknowledged} acknowledged writes, ${checks.scheduled} scheduled events. Answers: ${JSON.stringify(statuses)}`,
    faults.length === 0 ? 'Nothing was lost, stale or done twice.' : faults.join('\n'),
  ]
  printResult(options, { felt, ...checks, statuses, faults }, said.join('\n\n'))
  if (faults.length > 0) process.exitCode = EXIT.failed
}

function row({ part, fault, writesAwayMs, readsAwayMs, slowestReadMs }: Felt): readonly string[] {
  return [part, fault, ...[writesAwayMs, readsAwayMs, slowestReadMs].map(seconds)]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
