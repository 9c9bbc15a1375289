import { Agent, request as sendRequest } from 'node:http'
import { COUNTS } from './dataset.ts'
import { type Cost, type Meter, readWithheld, withheldSince } from './dear.cost.ts'
import { addressOf, type Kind } from './dear.kind.ts'
import { median } from './load.ts'

/** A kind of request, as it was played. All figures are medians. */
export interface Played {
  readonly kind: Kind
  /** 0 if no answer came in time. */
  readonly status: number
  readonly bytes: number
  /** From the request to the last byte. */
  readonly ms: number
  readonly cost: Cost
  /** How long a cheap request of another client waited at most meanwhile. */
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
const plays = 3
const probeEveryMs = 5

/** Every request has a number of its own, so that its address is never sent twice. */
let turns = 0

/** Plays a kind: once to warm up, then for its processor time, then beside another client. */
export async function play(player: Player, kind: Kind): Promise<Played> {
  await send(player, kind, dearAgent)
  const costs: Awaited<ReturnType<typeof costOf>>[] = []
  while (costs.length < plays) costs.push(await costOf(player, kind))
  const waits: number[] = []
  // The machine is shared and makes anybody wait now and then. What keeps others waiting does so in every play.
  while (waits.length < plays) waits.push(await waitBeside(player, kind))
  const middle = (of: (one: (typeof costs)[number]) => number) => median(costs.map(of))
  return {
    kind,
    status: costs.at(-1)?.status ?? 0,
    bytes: middle(({ bytes }) => bytes),
    ms: middle(({ ms }) => ms),
    cost: { service: middle(({ cost }) => cost.service), database: middle(({ cost }) => cost.database) },
    waitMs: median(waits),
  }
}

/** Sends a request of this kind, and returns what it cost. */
async function costOf(player: Player, kind: Kind): Promise<Answer & { readonly cost: Cost }> {
  const before = await player.meter.read()
  const answer = await send(player, kind, dearAgent)
  const after = await player.meter.read()
  const database = Math.max(0, after.database - before.database)
  return { ...answer, cost: { service: after.service - before.service, database } }
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
  return { caller: 'visitor', path: `/cal/events/v1/events/${id}`, query: {} }
}

function send({ origin, credentials }: Player, kind: Kind, agent: Agent): Promise<Answer> {
  turns += 1
  const authorization = credentials[kind.caller]
  const beganAtMs = performance.now()
  return new Promise((resolve, reject) => {
    const end = (status: number, bytes: number) => {
      clearTimeout(timer)
      resolve({ status, bytes, ms: performance.now() - beganAtMs })
    }
    const headers = { 'accept-encoding': 'identity', ...(authorization === undefined ? {} : { authorization }) }
    const request = sendRequest(`${origin}${addressOf(kind, turns)}`, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('close', () => end(response.statusCode ?? 0, bytes))
    })
    const timer = setTimeout(() => request.destroy(), patienceMs)
    request.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : end(0, 0)))
    request.end()
  })
}
