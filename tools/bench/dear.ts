import { appendFile } from 'node:fs/promises'
import { createUser } from '../../src/access/auth/user.service.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { Problem } from '../../src/base/problems.ts'
import { openDeps } from '../../src/main.ts'
import { COUNTS } from './dataset.ts'
import { openMeter } from './dear.cost.ts'
import { titleOf } from './dear.kind.ts'
import { kindsOf } from './dear.kinds.ts'
import { type Played, type Player, play, waitBeside } from './dear.play.ts'
import { median } from './load.ts'
import { fixedWorkMs } from './machine.speed.ts'
import { makeReady } from './postgres.ts'
import { newLists } from './queries.ts'
import { authorization, serve } from './server.ts'
import type { Row } from './table.ts'

/** Processor time that one request may take, and how long it may keep a cheap request of another client waiting. */
export function boundsFor(size: number) {
  return { cost: size > 100_000 ? 100 : 50, waitMs: 20 }
}

export interface DearOptions {
  readonly folder: string
  readonly size: number
  /** A database with a copy of the calendar, in place of the file. */
  readonly postgres?: string | undefined
  /** A regular expression: plays only kinds whose request and caller match. */
  readonly matching?: string | undefined
  /** 5 plays every fifth kind. */
  readonly sample?: number
  /** A file to which every kind is written. */
  readonly kindsFile?: string | undefined
}

/** Kinds shown of each order. */
const shown = 10
const author = { name: 'bench-author', role: 'author', secret: 'authorauthorauthorauthor' } as const

/**
 * Plays every kind of request to the service in its default configuration, and returns the dearest ones and those that
 * keep others waiting longest.
 *
 * @param options The folder is written to.
 */
export async function dearRequests(options: DearOptions): Promise<readonly Row[]> {
  const { folder, size, postgres, matching = '', sample = 1, kindsFile } = options
  const environment = postgres === undefined ? {} : { DATABASE_URL: postgres }
  if (postgres !== undefined) await makeReady(folder, size, environment)
  await addAuthor(folder, environment)
  const served = await serve(folder, environment, 'dear.cpu.ts')
  const meter = await openMeter(served.child, postgres)
  const player: Player = {
    origin: served.origin,
    pid: served.pid,
    meter,
    size,
    credentials: {
      visitor: undefined,
      administrator: authorization,
      author: `Basic ${btoa(`${author.name}:${author.secret}`)}`,
    },
  }
  try {
    const kinds = kindsOf({ size, firstEvent: COUNTS.venues + COUNTS.organizers + 1 })
      .filter((kind) => new RegExp(matching).test(`${titleOf(kind)} (${kind.caller})`))
      .filter((_, place) => place % sample === 0)
    await warmUp(player)
    const quiet: number[] = []
    const speeds: number[] = []
    const played: Played[] = []
    for (const kind of kinds) {
      const one = await play(player, kind, boundsFor(size))
      played.push(one)
      if (kindsFile !== undefined) await appendFile(kindsFile, `${lineOf(one, options)}\n`)
      if (played.length % 50 === 0) {
        quiet.push(await waitBeside(player, undefined))
        speeds.push(fixedWorkMs())
        process.stderr.write(`\r  ${played.length} of ${kinds.length} kinds`)
      }
    }
    process.stderr.write('\n')
    speeds.push(fixedWorkMs())
    return rowsOf(played, options, { quietMs: median(quiet), speeds })
  } finally {
    await meter.close()
    await served.stop()
  }
}

async function addAuthor(folder: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const deps = await openDeps(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...environment }))
  try {
    await createUser(deps, author)
  } catch (error) {
    // A database keeps the author of an earlier run.
    if (!(error instanceof Problem && error.code === 'user-exists')) throw error
  } finally {
    await deps.pictures.imageWorker.close()
    await deps.storage.close()
  }
}

/** The first requests of a process compile its code. */
async function warmUp(player: Player): Promise<void> {
  for (let count = 0; count < 20; count += 1) await waitBeside(player, undefined)
  const lists = newLists(5)
  for (let count = 0; count < 300; count += 1)
    await (await fetch(`${player.origin}/cal/events/v1${lists.next().value}`)).arrayBuffer()
}

interface Surroundings {
  /** How long another client waits at most if nobody sends anything dear. */
  readonly quietMs: number
  /** What fixed work took from time to time. */
  readonly speeds: readonly number[]
}

function rowsOf(
  played: readonly Played[],
  { size, postgres }: DearOptions,
  { quietMs, speeds }: Surroundings,
): readonly Row[] {
  const bounds = boundsFor(size)
  const engine = postgres === undefined ? '' : ', PostgreSQL'
  const row = (figures: Pick<Row, 'what' | 'figure' | 'target' | 'isMet'> & Partial<Row>): Row => ({
    section: 'dear',
    events: size,
    ...figures,
    what: `${figures.what}${engine}`,
  })
  const byCost = played.toSorted((a, b) => b.cost.service + b.cost.database - a.cost.service - a.cost.database)
  const byService = played.toSorted((a, b) => b.cost.service - a.cost.service)
  const byWait = played.toSorted((a, b) => b.waitMs - a.waitMs)
  const dearest = byService[0]?.cost.service ?? 0
  const inDatabase = Math.max(...played.map(({ cost }) => cost.database))
  const longest = byWait[0]?.waitMs ?? 0
  const over = played.filter(({ cost }) => cost.service > bounds.cost).length
  const overWait = played.filter(({ waitMs }) => waitMs > bounds.waitMs).length
  const told = (one: Played) => ({
    request: `${titleOf(one.kind)} (${one.kind.caller})`,
    answer: `${one.status}, ${one.bytes.toLocaleString('en')} bytes in ${one.ms.toFixed(0)} ms`,
  })
  return [
    row({
      what: `dearest of ${played.length.toLocaleString('en')} kinds of requests`,
      figure: `${dearest.toFixed(1)} ms of processor time`,
      ratio: `${over} kinds over`,
      target: `≤ ${bounds.cost} ms`,
      isMet: dearest <= bounds.cost,
    }),
    ...(postgres === undefined
      ? []
      : [
          row({
            what: 'dearest for the server of the database',
            figure: `${inDatabase.toFixed(1)} ms of processor time`,
            target: `≤ ${bounds.cost} ms`,
            isMet: inDatabase <= bounds.cost,
          }),
        ]),
    row({
      what: 'longest wait of another client',
      figure: `${longest.toFixed(1)} ms`,
      ratio: `${overWait} kinds over; ${quietMs.toFixed(1)} ms beside none`,
      target: `≤ ${bounds.waitMs} ms`,
      isMet: longest <= bounds.waitMs,
    }),
    row({
      what: 'fixed work of the benchmark, to compare hours',
      figure: `${median(speeds).toFixed(1)} ms of processor time`,
      ratio: `least ${Math.min(...speeds).toFixed(1)} ms`,
      target: '',
      isMet: undefined,
    }),
    ...(postgres === undefined ? byService : byCost).slice(0, shown).map((one) =>
      row({
        what: `dear: ${told(one).request}`,
        figure: costText(one, postgres !== undefined),
        ratio: told(one).answer,
        target: `≤ ${bounds.cost} ms`,
        isMet: one.cost.service <= bounds.cost,
      }),
    ),
    ...byWait.slice(0, shown).map((one) =>
      row({
        what: `wait: ${told(one).request}`,
        figure: `${one.waitMs.toFixed(1)} ms`,
        ratio: told(one).answer,
        target: `≤ ${bounds.waitMs} ms`,
        isMet: one.waitMs <= bounds.waitMs,
      }),
    ),
  ]
}

/** Returns a kind with its figures, for comparisons between versions. */
function lineOf({ kind, ...figures }: Played, { size, postgres }: DearOptions): string {
  const engine = postgres === undefined ? 'sqlite' : 'postgres'
  return JSON.stringify({ engine, events: size, caller: kind.caller, request: titleOf(kind), ...figures })
}

function costText({ cost }: Played, hasDatabase: boolean): string {
  const service = `${cost.service.toFixed(1)} ms`
  return hasDatabase ? `${service}, PostgreSQL ${cost.database.toFixed(1)} ms` : service
}
