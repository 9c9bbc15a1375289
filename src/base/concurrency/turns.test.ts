import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStreams } from '../limits/stream.slots.ts'
import { giveWay, nextTurn } from './turns.ts'

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

test('one work continues in each turn of the event loop, however many there are', async (t) => {
  const turns = countTurns()
  t.after(turns.stop)
  const streams = createStreams()
  const continued: number[] = []
  const work = async () => {
    for (let step = 0; step < 3; step += 1) {
      if (step > 0) continued.push(turns.now())
      spin()
      await nextTurn()
    }
  }
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
