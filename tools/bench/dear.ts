import { createUser } from '../../src/access/auth/user.service.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { Problem } from '../../src/base/problems.ts'
import { openDeps } from '../../src/main.ts'
import { COUNTS } from './dataset.ts'
import { openMeter } from './dear.cost.ts'
import { titleOf } from './dear.kind.ts'
import { kindsOf } from './dear.kinds.ts'
import { type Played, type Player, play, waitBeside } from './dear.play.ts'
import { makeReady } from './postgres.ts'
import { newLists } from './queries.ts'
import { authorization, serve } from './server.ts'
import type { Row } from './table.ts'

/** Processor time that one request may take, and how long it may keep a cheap request of another client waiting. */
function boundsFor({ size, postgres }: DearOptions) {
  return { cost: size > 100_000 ? 1500 : 250, waitMs: postgres === undefined ? 20 : 40 }
}

export interface DearOptions {
  readonly folder: string
  readonly size: number
  /** A database with a copy of the calendar, in place of the file. */
  readonly postgres?: string | undefined
  /** A regular expression: plays only kinds whose request and caller match. */
  readonly matching?: string | undefined
}

/** Kinds shown of each order. */
const shown = 10
const author = { name: 'bench-author', role: 'author', secret: 'authorauthorauthorauthor' } as const

/**
 * Plays the dear kinds of requests to the service in its default configuration, and returns the dearest ones and those
 * that keep others waiting longest.
 *
 * @param options The folder is written to.
 */
export async function dearRequests(options: DearOptions): Promise<readonly Row[]> {
  const { folder, size, postgres, matching = '' } = options
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
    const kinds = kindsOf({ size, firstEvent: COUNTS.venues + COUNTS.organizers + 1 }).filter((kind) =>
      new RegExp(matching).test(titleOf(kind)),
    )
    await warmUp(player)
    const played: Played[] = []
    for (const kind of kinds) {
      played.push(await play(player, kind))
      process.stderr.write(`\r  ${played.length} of ${kinds.length} kinds`)
    }
    process.stderr.write('\n')
    return rowsOf(played, options, await waitBeside(player, undefined))
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

/** @param quietMs How long another client waits at most if nobody sends anything dear. */
function rowsOf(played: readonly Played[], options: DearOptions, quietMs: number): readonly Row[] {
  const { size, postgres } = options
  const bounds = boundsFor(options)
  const engine = postgres === undefined ? '' : ', PostgreSQL'
  const row = (figures: Pick<Row, 'what' | 'figure' | 'target' | 'isMet'> & Partial<Row>): Row => ({
    section: 'dear',
    events: size,
    ...figures,
    what: `${figures.what}${engine}`,
  })
  const costOf = ({ cost }: Played) => cost.service + cost.database
  const byCost = played.toSorted((a, b) => costOf(b) - costOf(a))
  const byWait = played.toSorted((a, b) => b.waitMs - a.waitMs)
  const dearest = byCost[0] ? costOf(byCost[0]) : 0
  const longest = byWait[0]?.waitMs ?? 0
  const over = played.filter((one) => costOf(one) > bounds.cost).length
  const overWait = played.filter(({ waitMs }) => waitMs > bounds.waitMs).length
  const told = (one: Played) => ({
    request: titleOf(one.kind),
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
    row({
      what: 'longest wait of another client',
      figure: `${longest.toFixed(1)} ms`,
      ratio: `${overWait} kinds over; ${quietMs.toFixed(1)} ms beside none`,
      target: `≤ ${bounds.waitMs} ms`,
      isMet: longest <= bounds.waitMs,
    }),
    ...byCost.slice(0, shown).map((one) =>
      row({
        what: `dear: ${told(one).request}`,
        figure: costText(one, postgres !== undefined),
        ratio: told(one).answer,
        target: `≤ ${bounds.cost} ms`,
        isMet: costOf(one) <= bounds.cost,
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

function costText({ cost }: Played, hasDatabase: boolean): string {
  const service = `${cost.service.toFixed(1)} ms`
  return hasDatabase ? `${service}, PostgreSQL ${cost.database.toFixed(1)} ms` : service
}
