import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { randomFrom } from '../../tools/bench/random.ts'
import { givenDatabaseUrl } from '../support/database.ts'
import { durabilityEnvironment } from '../support/durability.ts'
import { isLong } from '../support/long.ts'
import { pause } from '../support/pause.ts'
import { adminAuthorization } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'

const sent = process.env.KEYED_WRITES
const count = Number(sent ?? (isLong ? 600 : 150))
const seed = Number(process.env.KEYED_WRITES_SEED ?? Math.floor(Math.random() * 1e9))
const options = { timeout: sent === undefined ? 300_000 : 3_600_000 }
const clients = 8
/** One kill for this number of writes. */
const writesPerKill = 100

/** One write that a client wants, with its key. */
interface Wanted {
  readonly key: string
  readonly path: string
  readonly json: object
}

function wantedWrite(number: number): Wanted {
  const event = { title: `e${number}x`, start_date: '2030-05-01 19:00:00', end_date: '2030-05-01 21:00:00' }
  const key = `key-${number}`
  if (number % 3 === 0) return { key, path: '/cal/events/v1/events', json: event }
  if (number % 3 === 1) return { key, path: '/cal/service/v1/users/me/keys', json: { label: `e${number}x` } }
  return {
    ...{ key, path: '/cal/service/v1/batch' },
    json: { operations: [{ method: 'POST', path: '/events', body: event }] },
  }
}

/** Keys of users are limited to fifty, so the later ones are batches. */
const wantedWrites = Array.from({ length: count }, (_, number) =>
  wantedWrite(number % 3 === 1 && number > 120 ? (count + number) * 3 + 2 : number),
)

/** Sends a write. Returns its status; undefined if the connection broke first, or was broken after `breakAfter` turns. */
function send(
  site: string,
  { key, path, json }: Wanted,
  agent: Agent,
  breakAfter?: number,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = {
      ...{ authorization: adminAuthorization, 'content-type': 'application/json', 'idempotency-key': key },
    }
    const asking = request(`${site}${path}`, { agent, method: 'POST', headers, timeout: 30_000 }, (response) => {
      response.resume()
      response.on('error', () => resolve(undefined))
      response.on('end', () => resolve(response.statusCode))
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(undefined))
    asking.end(JSON.stringify(json))
    if (breakAfter === undefined) return
    let left = breakAfter
    const turn = () => {
      left -= 1
      if (left > 0) setImmediate(turn)
      else asking.destroy()
    }
    setImmediate(turn)
  })
}

test(
  `each of ${count} keys has one effect, through doubles, broken connections and kills (seed ${seed})`,
  options,
  async (t) => {
    const url = await givenDatabaseUrl(t)
    if (url === undefined) return t.skip('PGlite serves one process only.')
    const shell = await startShell(t)
    const environment = { ...durabilityEnvironment, DATABASE_URL: url }
    const random = randomFrom(seed)
    let service: Promise<Served> = shell.serve([], environment)
    const siteOf = async () => new URL((await service).api).origin
    const waiting = [...wantedWrites]
    let answered = 0
    let kills = 0
    let broken = 0

    const disturb = async () => {
      if (answered < (kills + 1) * writesPerKill || answered >= count) return
      kills += 1
      const { child } = await service
      const isOver = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      service = isOver.then(() => shell.serve([], environment))
    }
    const work = async () => {
      const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        for (;;) {
          const site: string = await siteOf()
          const isDouble = random() < 0.3
          const breakAfter = random() < 0.2 ? 1 + Math.floor(random() * 60) : undefined
          const sending: Promise<number | undefined>[] = [send(site, next, agents[0], breakAfter)]
          if (isDouble) sending.push(send(site, next, agents[1]))
          const statuses = (await Promise.all(sending)).filter((status) => status !== undefined)
          broken += sending.length - statuses.length
          for (const status of statuses) assert.ok([200, 201, 503].includes(status), `${next.path}: ${status}`)
          if (statuses.some((status) => status < 300)) break
          await pause()
        }
        answered += 1
        await disturb()
      }
      for (const agent of agents) agent.destroy()
    }
    await Promise.all(Array.from({ length: clients }, work))

    const { api } = await service
    const titles: string[] = []
    const headers = { authorization: adminAuthorization }
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = `status=any&start_date=2030-05-01&end_date=2030-05-02&per_page=50&page=${page}&_fields=events,total_pages`
      // biome-ignore lint/suspicious/noExplicitAny: the answer is checked below.
      const body: any = await (await fetch(`${api}/events?${query}`, { headers })).json()
      pages = body.total_pages
      titles.push(...body.events.map(({ title }: { title: string }) => title))
    }
    // biome-ignore lint/suspicious/noExplicitAny: the answer is checked below.
    const keys: any = await (await fetch(`${new URL(api).origin}/cal/service/v1/users/me/keys`, { headers })).json()
    titles.push(...keys.map(({ label }: { label: string }) => label).filter((label: string) => /^e\d+x$/.test(label)))
    const wanted = wantedWrites.map(({ key }) => `e${key.slice('key-'.length)}x`)
    assert.deepEqual(titles.toSorted(), wanted.toSorted())
    assert.ok(kills > 0 && broken > 0, JSON.stringify({ kills, broken }))
    t.diagnostic(JSON.stringify({ writes: count, kills, broken }))
  },
)
