import { Agent, request as sendRequest } from 'node:http'
import { COUNTS } from './dataset.ts'
import { type Cost, type Meter, readWithheld, withheldSince } from './dear.cost.ts'
import { addressOf, type Kind } from './dear.kind.ts'
import { median } from './load.ts'

/** A kind of request, as it was played. */
export interface Played {
  readonly kind: Kind
  /** 0 if no answer came in time. */
  readonly status: number
  readonly bytes: number
  /** From the request to the last byte. */
  readonly ms: number
  readonly cost: Cost
  /** How long a cheap request of another client waited at most meanwhile, in the middle one of the plays; 0 if not asked. */
  readonly waitMs: number
}

export interface Player {
  readonly origin: string
  /** Of the process of the service. */
  readonly pid: number
  readonly meter: Meter
  /** The `Authorization` of each caller. */
  readonly credentials: Readonly<Record<Kind['caller'], string | undefined>>
  readonly size: number
}

interface Answer {
  readonly status: number
  readonly bytes: number
  readonly ms: number
}

const patienceMs = 60_000
const usualPlays = 3
/** A kind below this share of a bound is not played again. */
const sureShare = 0.4
/** A kind that takes more than its bound is played so many times again. */
const morePlays = 7
/** Unless it takes this many times its bound. */
const dearTimes = 20
const probeEveryMs = 5

/** Every request has a number of its own, so that its address is never sent twice. */
let turns = 0

/**
 * Plays a kind a few times: first to warm up, then for its processor time, then beside another client. If the first
 * time, with code that is not compiled yet, takes far less processor time than another client may wait, once is enough.
 * A kind that seems to be over its bound is played again, because threads still compile what few requests need. Only
 * the later plays count then.
 */
export async function play(
  player: Player,
  kind: Kind,
  bounds: { readonly cost: number; readonly waitMs: number },
): Promise<Played> {
  const first = await costOf(player, kind)
  if (totalOf(first.cost) <= bounds.waitMs * sureShare) return { kind, ...first.answer, cost: first.cost, waitMs: 0 }
  const isDear = totalOf(first.cost) > bounds.cost * dearTimes
  // What only the first request of a process does, such as making a document, is not what a request costs.
  const costs = [await costOf(player, kind)]
  const waits = [await waitBeside(player, kind)]
  while (!isDear && costs.length < usualPlays && (costs[0]?.cost.service ?? 0) > bounds.cost * sureShare)
    costs.push(await costOf(player, kind))
  if (!isDear && isOver(costs, bounds.cost)) {
    costs.length = 0
    while (costs.length < morePlays) costs.push(await costOf(player, kind))
  }
  while (!isDear && waits.length < usualPlays && (waits[0] ?? 0) > bounds.waitMs * sureShare)
    waits.push(await waitBeside(player, kind))
  const { status, bytes } = (costs.at(-1) ?? first).answer
  return {
    ...{ kind, status, bytes },
    ms: median(costs.map(({ answer }) => answer.ms)),
    cost: medianCost(costs),
    // The machine is shared and makes anybody wait now and then. What keeps others waiting does so in every play.
    waitMs: median(waits),
  }
}

interface CostOfPlay {
  readonly cost: Cost
}

function medianCost(plays: readonly CostOfPlay[]): Cost {
  return {
    service: median(plays.map(({ cost }) => cost.service)),
    database: median(plays.map(({ cost }) => cost.database)),
  }
}

function isOver(plays: readonly CostOfPlay[], bound: number): boolean {
  const { service, database } = medianCost(plays)
  return Math.max(service, database) > bound
}

function totalOf({ service, database }: Cost): number {
  return service + database
}

/** Sends a request of this kind, and returns what it cost. */
async function costOf(player: Player, kind: Kind): Promise<{ readonly answer: Answer; readonly cost: Cost }> {
  const before = await player.meter.read()
  const answer = await send(player, kind, dearAgent)
  const after = await player.meter.read()
  return {
    answer,
    cost: {
      service: after.service - before.service,
      database: Math.max(0, after.database - before.database),
    },
  }
}

const dearAgent = new Agent({ keepAlive: true, maxSockets: 1 })
const probeAgent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * Returns how long another client waits at most for one event, while a request of this kind is answered. Time for which
 * the machine had no processor for the service does not count.
 */
export async function waitBeside(player: Player, kind: Kind | undefined): Promise<number> {
  let isOver = false
  let most = 0
  const probe = async () => {
    const before = readWithheld(player.pid)
    const { status, ms } = await send(player, oneEvent(player), probeAgent)
    if (status !== 200) throw new Error(`One event is answered with ${status}.`)
    most = Math.max(most, ms - withheldSince(before, player.pid))
  }
  await probe()
  most = 0
  const probing = (async () => {
    while (!isOver) {
      await probe()
      await new Promise((resolve) => setTimeout(resolve, probeEveryMs))
    }
  })()
  await new Promise((resolve) => setTimeout(resolve, probeEveryMs))
  if (kind) await send(player, kind, dearAgent)
  isOver = true
  await probing
  return most
}

/** One event that was not asked for before, far from the others. */
function oneEvent({ size }: Player): Kind {
  const id = COUNTS.venues + COUNTS.organizers + 1 + ((turns * 7919) % size)
  return { caller: 'visitor', method: 'GET', path: `/cal/events/v1/events/${id}`, query: [] }
}

function send({ origin, credentials }: Player, kind: Kind, agent: Agent): Promise<Answer> {
  turns += 1
  const body = kind.body === undefined ? undefined : Buffer.from(JSON.stringify(kind.body))
  const authorization = credentials[kind.caller]
  const beganAtMs = performance.now()
  return new Promise((resolve, reject) => {
    const end = (status: number, bytes: number) => {
      clearTimeout(timer)
      resolve({ status, bytes, ms: performance.now() - beganAtMs })
    }
    const request = sendRequest(
      addressOf(kind, turns, origin),
      {
        method: kind.method,
        agent,
        headers: {
          'accept-encoding': 'identity',
          ...kind.headers,
          ...(authorization === undefined ? {} : { authorization }),
          ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
        },
      },
      (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on('close', () => end(response.statusCode ?? 0, bytes))
      },
    )
    const timer = setTimeout(() => request.destroy(), patienceMs)
    // The service may close the connection while it refuses a long body.
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
      else end(0, 0)
    })
    request.end(body)
  })
}
