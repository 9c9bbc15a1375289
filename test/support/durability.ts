import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { randomFrom } from '../../tools/bench/random.ts'
import { type Client, openClient } from './client.ts'
import { adminAuthorization, adminPassword } from './service.process.ts'
import type { Served } from './shell.ts'

/** The means to run, kill and check the service, and to kill its database. */
export interface Machine {
  /** Starts the service on the same database as before. */
  serve(): Promise<Served>
  /** Runs `cal-events check`; returns its output. */
  check(): Promise<{ readonly exitCode: number; readonly out: string; readonly err: string }>
  /**
   * Stops the database as a loss of power does, and starts it again. Absent if the database is in the service's own
   * process.
   */
  readonly killDatabase?: () => Promise<void>
}

export interface DurabilityOptions {
  readonly kills: number
  readonly clients: number
  readonly seed: number
  readonly onKill?: (done: number) => void
}

export interface DurabilityReport {
  readonly acknowledged: number
  /** Writes without a response, and how many of them were stored. */
  readonly unanswered: number
  readonly keptUnanswered: number
}

/** The known state of an event: the word that all its parts contain, or that it is in the trash, or does not exist. */
type State = string | 'trash' | undefined

interface KnownState {
  readonly id: number
  readonly state: State
}

/** A write in progress, with the states before and after it. */
interface Attempt {
  /** Undefined for an event that is being created. */
  readonly id: number | undefined
  readonly before: State
  readonly after: State
}

const maxWritesBetweenKills = 60
const maxTurnsBeforeKill = 200
const masterEnvironment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'fatal' } as const

export { masterEnvironment as durabilityEnvironment }

/**
 * Lets clients write, and kills the service (and, alternately, its database) at random moments. After each restart it
 * asserts that every acknowledged write is stored completely, that every other write is stored completely or not at
 * all, and that the database is consistent.
 */
export async function assertDurable(machine: Machine, options: DurabilityOptions): Promise<DurabilityReport> {
  const random = randomFrom(options.seed)
  const writers = Array.from({ length: options.clients }, (_, name) => createWriter(`w${name}`, random))
  let service = await machine.serve()
  for (let kill = 0; kill < options.kills; kill += 1) {
    const isDatabase = machine.killDatabase !== undefined && kill % 2 === 1
    let left = 1 + Math.floor(random() * maxWritesBetweenKills)
    let end: Promise<unknown> | undefined
    const onAcknowledged = () => {
      left -= 1
      if (left > 0 || end) return
      end = turns(Math.floor(random() * maxTurnsBeforeKill)).then(() =>
        isDatabase ? machine.killDatabase?.() : killed(service),
      )
    }
    await Promise.all(writers.map((writer) => writer.writeUntilBroken(service.api, onAcknowledged)))
    await end
    if (!isDatabase) service = await machine.serve()
    const reader = openClient(service.api, adminAuthorization)
    if (isDatabase) await untilAnswered(reader)
    for (const writer of writers) await writer.settle(reader)
    for (const writer of writers) await writer.assertKept(reader)
    reader.close()
    const { exitCode, out, err } = await machine.check()
    assert.equal(exitCode, 0, `After kill ${kill + 1} of seed ${options.seed}: ${out}${err}`)
    options.onKill?.(kill + 1)
  }
  await killed(service)
  const sum = (of: (writer: Writer) => number) => writers.reduce((all, writer) => all + of(writer), 0)
  return {
    acknowledged: sum((writer) => writer.acknowledged()),
    unanswered: sum((writer) => writer.unanswered()),
    keptUnanswered: sum((writer) => writer.keptUnanswered()),
  }
}

/** Waits for a number of turns of the event loop, so that other writes are at different stages. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

async function killed({ child }: Served): Promise<void> {
  const isOver = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await isOver
}

/** Waits until a service that has lost its database responds as before. */
async function untilAnswered(reader: Client): Promise<void> {
  for (;;) {
    const answer = await reader.send('GET', '/events?per_page=1').catch(() => undefined)
    if (answer?.status === 200) return
  }
}

type Writer = ReturnType<typeof createWriter>

/** Creates a client that creates, changes and trashes events, and remembers which of its writes were acknowledged. */
function createWriter(name: string, random: () => number) {
  const known = new Map<number, KnownState>()
  let attempt: Attempt | undefined
  let number = 0
  let acknowledged = 0
  let unanswered = 0
  let keptUnanswered = 0
  const newWord = () => {
    number += 1
    return `${name}x${number}x`
  }
  const drawn = (): Attempt => {
    const kept = [...known.values()].filter(({ state }) => state !== 'trash')
    const chosen = kept[Math.floor(random() * kept.length)]
    if (!chosen || random() < 0.5) return { id: undefined, before: undefined, after: newWord() }
    return { id: chosen.id, before: chosen.state, after: random() < 0.3 ? 'trash' : newWord() }
  }
  /** Returns the ids of events that contain a word. */
  const search = async (reader: Client, word: string): Promise<readonly number[]> => {
    const { body } = await reader.send(
      'GET',
      `/events?status=any&start_date=2030-05-01&end_date=2030-06-01&search=${word}`,
    )
    return body.events.map(({ id }: KnownState) => id)
  }
  /** Returns the current state of the event. */
  const read = async (reader: Client, id: number) => stateOf(await reader.send('GET', `/events/${id}?status=any`))

  return {
    acknowledged: () => acknowledged,
    unanswered: () => unanswered,
    keptUnanswered: () => keptUnanswered,
    /** Writes one event after the other, until a write gets no response or the service refuses it. */
    writeUntilBroken: async (api: string, onAcknowledged: () => void) => {
      const client = openClient(api, adminAuthorization)
      for (;;) {
        attempt = drawn()
        const answer = await sent(client, attempt).catch(() => undefined)
        if (answer === undefined || answer.status === 503) break
        assert.ok(answer.status < 300, `${JSON.stringify(attempt)} is answered with ${JSON.stringify(answer)}`)
        const id = attempt.id ?? answer.body.id
        known.set(id, { id, state: attempt.after })
        attempt = undefined
        acknowledged += 1
        onAcknowledged()
      }
      client.close()
    },
    /** Finds out whether the interrupted write was stored. */
    settle: async (reader: Client) => {
      if (!attempt) return
      const { id, before, after } = attempt
      attempt = undefined
      unanswered += 1
      if (id === undefined) {
        const [made, ...others] = await search(reader, after ?? '')
        assert.deepEqual(others, [], `${after} is there more than once`)
        if (made === undefined) return
        assert.equal(await read(reader, made), after)
        known.set(made, { id: made, state: after })
        keptUnanswered += 1
        return
      }
      const state = await read(reader, id)
      assert.ok(state === before || state === after, `${id} was ${before}, was to be ${after}, and is ${state}`)
      if (state === after) keptUnanswered += 1
      known.set(id, { id, state })
    },
    /** Asserts that all acknowledged writes are unchanged. */
    assertKept: async (reader: Client) => {
      for (const { id, state } of known.values()) assert.equal(await read(reader, id), state, `event ${id}`)
      // Shows that a search for this word can succeed, so that an empty result elsewhere is meaningful.
      const live = known.values().find(({ state }) => state !== 'trash')
      if (live) assert.deepEqual(await search(reader, live.state ?? ''), [live.id])
    },
  }
}

/** Sends one request that creates or changes the event, its venue, its organizer and its terms together. */
function sent(client: Client, { id, after }: Attempt) {
  const path = id === undefined ? '/events' : `/events/${id}`
  if (after === 'trash') return client.send('DELETE', path)
  return client.send('POST', path, {
    title: after,
    description: `About ${after}`,
    start_date: '2030-05-06 19:00',
    end_date: '2030-05-06 21:00',
    venue: { venue: after },
    organizer: [{ organizer: after }],
    categories: [after],
    tags: [after],
  })
}

/** @throws if its parts do not belong together. */
function stateOf({ status, body }: Awaited<ReturnType<Client['send']>>): State {
  if (status === 404) return undefined
  if (body.code === 'event-no-longer-available') return 'trash'
  assert.equal(status, 200, JSON.stringify(body))
  const parts = [
    body.title,
    body.description.replace(/<[^>]*>|About|\s/g, ''),
    body.venue?.venue,
    ...body.organizer.map((organizer: { organizer: string }) => organizer.organizer),
    ...[...body.categories, ...body.tags].map(({ name }: { name: string }) => name),
  ]
  assert.deepEqual(new Set(parts), new Set([body.title]), `half an event: ${JSON.stringify(parts)}`)
  assert.equal(parts.length, 6)
  return body.title
}
