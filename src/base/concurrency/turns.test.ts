import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStreams } from '../limits/stream.slots.ts'
import { giveWay, inTurns, nextTurn } from './turns.ts'

/** Counts the turns of the event loop. */
function countTurns(): { now(): number; stop(): void } {
  let count = 0
  const turn = () => {
    count += 1
    timer = setImmediate(turn)
  }
  let timer = setImmediate(turn)
  return { now: () => count, stop: () => clearImmediate(timer) }
}

/** Keeps the thread busy for longer than one work may. */
function spin(): void {
  const untilMs = performance.now() + 6
  while (performance.now() < untilMs);
}

test('long work in steps lets others have their turn, and returns its result', async (t) => {
  const turns = countTurns()
  t.after(turns.stop)
  const beganAtMs = performance.now()
  const result = await inTurns(
    (function* () {
      while (turns.now() < 3 && performance.now() - beganAtMs < 10_000) yield
      return 'done'
    })(),
  )

  assert.equal(result, 'done')
  assert.ok(turns.now() >= 3, String(turns.now()))
})

test('one work continues in each turn of the event loop, however many there are', async (t) => {
  const turns = countTurns()
  t.after(turns.stop)
  const streams = createStreams()
  const continued: number[] = []
  const work = () =>
    inTurns(
      (function* () {
        for (let step = 0; step < 3; step += 1) {
          if (step > 0) continued.push(turns.now())
          spin()
          yield
        }
      })(),
    )
  const waited = async (wait: () => Promise<void>) => {
    await wait()
    continued.push(turns.now())
  }
  await Promise.all([
    work(),
    work(),
    work(),
    waited(streams.nextTurn),
    waited(createStreams().nextTurn),
    waited(nextTurn),
  ])

  assert.equal(continued.length, 9)
  assert.deepEqual(continued, [...new Set(continued)])
})

test('work that gives way waits for a turn only if it has taken long', async (t) => {
  const turns = countTurns()
  t.after(turns.stop)
  spin()
  await giveWay()
  const before = turns.now()
  await giveWay()
  assert.equal(turns.now(), before)
  spin()
  await giveWay()

  assert.ok(turns.now() > before)
})

test('an error of a step is the error of the work', async () => {
  await assert.rejects(
    inTurns(
      (function* () {
        yield
        throw new Error('broken')
      })(),
    ),
    /broken/,
  )
})
