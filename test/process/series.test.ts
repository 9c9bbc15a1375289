import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { randomFrom } from '../../tools/bench/random.ts'
import { type Client, type ClientAnswer, openClient } from '../support/client.ts'
import { givenDatabaseUrl, isOnPostgres } from '../support/database.ts'
import { durabilityEnvironment } from '../support/durability.ts'
import { isLong } from '../support/long.ts'
import { pause } from '../support/pause.ts'
import { adminAuthorization } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'

/** `SERIES_KILLS=50` is a thorough run. */
const kills = Number(process.env.SERIES_KILLS ?? (isLong ? 6 : 2))
const seed = Number(process.env.SERIES_SEED ?? Math.floor(Math.random() * 1e9))
/** The maximum number of dates of a series, as it is set by default. */
const count = 800
const options = { timeout: process.env.SERIES_KILLS === undefined ? 180_000 : 3_600_000 }

async function ended({ child }: Served, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const isOver = once(child, 'exit')
  child.kill(signal)
  await isOver
}

/** A shell, and the environment of its services; undefined on PGlite. */
async function givenShell(t: TestContext) {
  const url = await givenDatabaseUrl(t)
  if (url === undefined && isOnPostgres()) {
    t.skip('PGlite serves one process only.')
    return undefined
  }
  const environment = { ...durabilityEnvironment, ...(url === undefined ? {} : { DATABASE_URL: url }) }
  return { shell: await startShell(t), environment }
}

/** Sends requests to a service, with one connection. */
async function withClient<T>({ api }: Served, work: (client: Client) => Promise<T>): Promise<T> {
  const client = openClient(api, adminAuthorization)
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

interface Dates {
  /** Titles and starts of all dates, without repetition. */
  readonly titles: readonly string[]
  readonly starts: readonly string[]
  readonly ids: readonly number[]
}

async function datesOf(client: Client, series: number): Promise<Dates> {
  const events: { readonly id: number; readonly title: string; readonly start_date: string }[] = []
  for (let page = 1; ; page += 1) {
    const query = `series=${series}&start_date=2020-01-01&end_date=2060-01-01&per_page=50&page=${page}`
    const { status, body } = await client.send('GET', `/events?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    events.push(...body.events)
    if (page >= body.total_pages) break
  }
  const starts = events.map(({ start_date }) => start_date)
  assert.equal(new Set(starts).size, starts.length, 'a date is there twice')
  return { titles: [...new Set(events.map(({ title }) => title))], starts, ids: events.map(({ id }) => id) }
}

test(
  `a write of ${count} dates is there whole or not at all after each of ${kills} kills (seed ${seed})`,
  options,
  async (t) => {
    const given = await givenShell(t)
    if (!given) return
    const { shell, environment } = given
    const random = randomFrom(seed)
    let service = await shell.serve([], environment)
    const first = { title: 'T0', description: 'T0', start_date: '2030-01-01 18:00:00', end_date: '2030-01-01 19:00:00' }
    const beganAt = performance.now()
    const { status, body } = await withClient(service, (client) =>
      client.send('POST', '/events', { ...first, recurrence: { rrule: `FREQ=DAILY;COUNT=${count}` } }),
    )
    assert.equal(status, 201, JSON.stringify(body))
    let longestMs = performance.now() - beganAt
    let known = await withClient(service, (client) => datesOf(client, body.series.id))
    const { ids } = known
    assert.equal(ids.length, count)
    let interrupted = 0

    for (let kill = 1; kill <= kills; kill += 1) {
      const isMoved = kill % 2 === 0
      const title = `T${kill}`
      // All texts, or all times: each date changes, in its row, in the search and in the lists.
      const change = isMoved
        ? { start_date: `2030-01-01 18:0${kill % 10}:00`, end_date: '2030-01-01 20:00:00' }
        : { title, description: title }
      const writing = openClient(service.api, adminAuthorization)
      const answer: Promise<ClientAnswer | undefined> = writing
        .send('POST', `/events/${ids[0]}?scope=all`, change)
        .catch(() => undefined)
      // At a random moment of the write.
      await wait(random() * longestMs)
      await ended(service, 'SIGKILL')
      const acknowledged = await answer
      writing.close()
      if (acknowledged === undefined) interrupted += 1
      else assert.equal(acknowledged.status, 200, JSON.stringify(acknowledged.body))
      service = await shell.serve([], environment)

      const found = await withClient(service, (client) => datesOf(client, body.series.id))
      const expected: Dates = isMoved
        ? { ...known, starts: known.starts.map((start) => `${start.slice(0, 11)}18:0${kill % 10}:00`) }
        : { ...known, titles: [title] }
      if (acknowledged !== undefined || JSON.stringify(found) !== JSON.stringify(known))
        assert.deepEqual(found, expected)
      known = found
      const checked = await shell.run(['check'], environment)
      assert.equal(checked.exitCode, 0, `After kill ${kill}: ${checked.out}${checked.err}`)
      // A write that is not interrupted, so that the next one is compared with another state.
      const again = performance.now()
      const whole = await withClient(service, (client) =>
        client.send('POST', `/events/${ids[0]}?scope=all`, { title: `W${kill}` }),
      )
      assert.equal(whole.status, 200, JSON.stringify(whole.body))
      longestMs = Math.min(longestMs, performance.now() - again)
      known = { ...known, titles: [`W${kill}`] }
    }
    t.diagnostic(`${interrupted} of ${kills} writes were interrupted`)
  },
)

test(
  `of four processes that add the dates of endless series, each date is added once (seed ${seed})`,
  options,
  async (t) => {
    const given = await givenShell(t)
    if (!given) return
    const { shell, environment } = given
    const random = randomFrom(seed)
    const maker = await shell.serve([], { ...environment, SERIES_MONTHS_AHEAD: '1' })
    const today = new Date().toISOString().slice(0, 10)
    const series = await withClient(maker, async (client) => {
      const made: number[] = []
      for (let number = 0; number < 6; number += 1) {
        const { status, body } = await client.send('POST', '/events', {
          ...{ title: `Series ${number}`, start_date: `${today} 18:00:00`, end_date: `${today} 19:00:00` },
          recurrence: { rrule: 'FREQ=DAILY' },
        })
        assert.equal(status, 201, JSON.stringify(body))
        made.push(body.series.id)
      }
      return made
    })
    await ended(maker, 'SIGTERM')

    // Each adds missing dates when it starts.
    const further = { ...environment, SERIES_MONTHS_AHEAD: '13' }
    const nodes: Served[] = [await shell.serve([], further)]
    nodes.push(...(await Promise.all([1, 2, 3].map(() => shell.serve([], further)))))
    const victim = Math.floor(random() * nodes.length)
    await ended(nodes[victim] as Served, 'SIGKILL')
    nodes[victim] = await shell.serve([], further)

    await withClient(nodes[0] as Served, async (client) => {
      for (const id of series) {
        const all = () => datesOf(client, id)
        let dates = await all()
        while (dates.starts.length < 390) {
          await pause()
          dates = await all()
        }
        const first = Date.parse(today)
        const days = dates.starts.map((_, place) => new Date(first + place * 86_400_000).toISOString().slice(0, 10))
        assert.deepEqual(
          dates.starts,
          days.map((day) => `${day} 18:00:00`),
        )
      }
    })
    for (const node of nodes) await ended(node, 'SIGTERM')
    const checked = await shell.run(['check'], environment)
    assert.equal(checked.exitCode, 0, checked.out + checked.err)
    for (const node of nodes) assert.equal(node.errors(), '')
  },
)
