import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../../base/config/config.ts'
import { createLimits } from '../../base/limits/limits.ts'
import type { Deps } from '../deps.ts'
import type { Wait, WaitEnd } from '../http/call.ts'
import { answerAfterWaits } from './namespace.serving.ts'

/**
 * A request that waits, with answers that say what was waited for.
 *
 * @param waitFor The end of each wait.
 * @param waits What the answers wait for, one after the other.
 */
function givenWaits(waitFor: (end: WaitEnd) => boolean | Promise<boolean>, waits: readonly (number | undefined)[]) {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const deps = { limits: createLimits(readConfig({})) } as Deps
  const stopping = new AbortController()
  const waited: (number | undefined)[] = []
  const endpoint = { waitFor: async (_deps: Deps, _wait: Wait, end: WaitEnd) => waitFor(end) }
  const answer = () =>
    answerAfterWaits(
      { deps, endpoint, response, client: '192.0.2.1', stopping: stopping.signal },
      async (wait) => {
        waited.push(wait?.forMs)
        return waits[waited.length - 1]
      },
      (forMs) => (forMs === undefined ? undefined : { forMs }),
    )
  return { response, stopping, waited, answer }
}

test('a client that has gone before the wait begins does not wait', async () => {
  const ended: boolean[] = []
  const { response, waited, answer } = givenWaits(({ signal }) => ended.push(signal.aborted) > 1, [30_000, undefined])
  response.destroy()

  await answer()

  assert.deepEqual([ended, waited], [[true], [undefined]])
})

test('a service that stops ends the wait, and what was found before it is the answer', async () => {
  const { stopping, waited, answer } = givenWaits(
    ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(false))),
    [30_000, undefined],
  )
  const answered = answer()
  setImmediate(() => stopping.abort())

  assert.equal(await answered, 30_000)
  assert.deepEqual(waited, [undefined])
})

test('all waits of a request end when the first one would, however long its answers took', async () => {
  const ends: number[] = []
  const { waited, answer } = givenWaits(({ untilMs }) => ends.push(untilMs) > 0, [30_000, 30_000, 30_000, undefined])
  const beganAtMs = performance.now()

  await answer()

  const [end = 0] = ends
  assert.deepEqual([...new Set(ends)], [end])
  assert.ok(end >= beganAtMs + 30_000 && end <= performance.now() + 30_000)
  const left = waited.slice(1).map((forMs) => forMs ?? Number.NaN)
  assert.deepEqual(
    left.map((forMs, place) => forMs <= (left[place - 1] ?? 30_000)),
    [true, true, true],
  )
})

test('what happens at the end of the time is answered without another wait', async () => {
  const { waited, answer } = givenWaits(() => true, [0.000_001, undefined])

  await answer()

  assert.deepEqual(waited, [undefined, 0])
})
