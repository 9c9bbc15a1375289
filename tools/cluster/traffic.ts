import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

export const adminPassword = 'aaaa bbbb cccc dddd eeee ffff'
const authorization = `Basic ${btoa(`admin:${adminPassword}`)}`
const writers = 3
const readers = 4
/** A client of an interface gives up later than HAProxy. */
const patienceMs = 45_000

export interface Traffic {
  /** The ids of events whose creation was acknowledged, by title. */
  readonly acknowledged: ReadonlyMap<string, number>
  /** The ids of events that were scheduled. */
  readonly scheduled: readonly number[]
  /** Acknowledged writes that a later read did not show. */
  readonly stale: readonly string[]
  /** Returns the longest time without an acknowledged write, and without a read, in milliseconds since `at`. */
  readonly gapsSince: (at: number) => { readonly write: number; readonly read: number; readonly slowest: number }
  /** How many answers had each status, such as `GET 200`. */
  readonly statuses: Readonly<Record<string, number>>
  readonly stop: () => Promise<void>
}

/** Sends writes and reads, as many clients at once, until it is stopped. */
export function startTraffic(origin: string): Traffic {
  const api = `${origin}/cal/events/v1`
  const acknowledged = new Map<string, number>()
  const [scheduled, stale]: [number[], string[]] = [[], []]
  const done = { write: [performance.now()], read: [performance.now()] }
  const took: { readonly at: number; readonly ms: number }[] = []
  const statuses: Record<string, number> = {}
  let isStopped = false
  let count = 0

  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    json?: object,
  ) => {
    const [url, signal] = [`${api}${path}`, AbortSignal.timeout(patienceMs)]
    const sent = json ? { body: JSON.stringify(json) } : {}
    const type = { 'content-type': 'application/json' }
    const answer = await fetch(url, { ...{ method, signal }, headers: { ...headers, ...type }, ...sent })
      .then(async (got) => ({ status: got.status, headers: got.headers, body: await got.text() }))
      .catch(() => ({ status: 0, headers: new Headers(), body: '' }))
    const name = `${method} ${answer.status}`
    statuses[name] = (statuses[name] ?? 0) + 1
    return answer
  }
  /** Repeats a write until it is answered, as a careful client does. */
  const create = async (title: string, more: object = {}): Promise<number | undefined> => {
    const key = randomUUID()
    while (!isStopped) {
      const event = { title, start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00', ...more }
      const { status, body } = await ask('POST', '/events', { authorization, 'idempotency-key': key }, event)
      if (status === 201) {
        done.write.push(performance.now())
        return JSON.parse(body).id
      }
      if (status !== 0 && status < 500 && status !== 409) throw new Error(`A write got ${status}: ${body}`)
      await wait(100)
    }
    return undefined
  }
  const write = async () => {
    let cursor = { epoch: '', last: 0 }
    while (!isStopped) {
      const title = `Event ${count++}`
      const id = await create(title)
      if (id === undefined) return
      acknowledged.set(title, id)
      const shown = await ask('GET', `/events/${id}?_fields=title`, { authorization })
      if (shown.status === 404) stale.push(`event ${id} was acknowledged and not found`)
      const list = await ask('GET', '/events?per_page=1&start_date=2027-03-01&_fields=id', { authorization })
      const [epoch = '', last = '0'] = (list.headers.get('x-changes-cursor') ?? '').split('.')
      if (list.status === 200 && epoch === cursor.epoch && Number(last) < cursor.last)
        stale.push(`the cursor went from ${cursor.last} back to ${last}`)
      if (list.status === 200) cursor = { epoch, last: Number(last) }
      await wait(50)
    }
  }
  const read = async () => {
    while (!isStopped) {
      const beganAt = performance.now()
      const page = 1 + Math.floor(Math.random() * 3)
      const { status } = await ask('GET', `/events?per_page=5&page=${page}&start_date=2027-03-01`, {})
      // Before there are three pages, the last ones are not found.
      if (status === 200 || status === 404) {
        done.read.push(performance.now())
        took.push({ at: beganAt, ms: performance.now() - beganAt })
      }
      await wait(25)
    }
  }
  const schedule = async () => {
    while (!isStopped) {
      // The service publishes at once what is due within a minute, and a write may wait for a failover before.
      const due = new Date(Date.now() + 120_000).toISOString().slice(0, 19).replace('T', ' ')
      const id = await create(`Later ${count++}`, { date: due, status: 'publish' })
      if (id !== undefined) scheduled.push(id)
      await wait(1000)
    }
  }
  const all = [...Array.from({ length: writers }, write), ...Array.from({ length: readers }, read), schedule()]
  return {
    ...{ acknowledged, scheduled, stale, statuses },
    gapsSince: (at) => {
      const gap = (times: readonly number[]) => {
        const inside = [...times.filter((time) => time >= at), performance.now()]
        let from = times.findLast((time) => time < at) ?? at
        return inside.reduce((longest, time) => {
          const found = Math.max(longest, time - from)
          from = time
          return found
        }, 0)
      }
      const slowest = took.reduce((most, one) => (one.at >= at ? Math.max(most, one.ms) : most), 0)
      return { write: gap(done.write), read: gap(done.read), slowest }
    },
    stop: async () => {
      isStopped = true
      await Promise.all(all)
    },
  }
}
