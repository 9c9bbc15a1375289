import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue, type WaitingWork } from './fair.queue.ts'

interface Named extends WaitingWork {
  readonly name: string
}

const work = (name: string, client: string | undefined, bytes = 1): Named => ({ name, client, bytes })
const nobody = () => false

function queueOf(works: readonly Named[], bounds = { maxWaiting: 4, maxBytes: 100 }) {
  const queue = createFairQueue<Named>(bounds)
  const displaced = works.map((one) => queue.add(one)?.name)
  return { queue, displaced }
}

test('clients take turns', () => {
  const { queue } = queueOf([work('a1', 'a'), work('a2', 'a'), work('b1', 'b'), work('u1', undefined)])

  const order = Array.from({ length: 4 }, () => queue.take(nobody)?.name)

  assert.deepEqual(order, ['a1', 'b1', 'u1', 'a2'])
  assert.equal(queue.take(nobody), undefined)
})

test('a client whose work is in progress waits, and an unknown client may be many', () => {
  const { queue } = queueOf([work('a1', 'a'), work('u1', undefined), work('u2', undefined)])
  const isBusy = (client: string) => client === 'a'

  assert.deepEqual([queue.take(isBusy)?.name, queue.take(isBusy)?.name, queue.take(isBusy)], ['u1', 'u2', undefined])
  assert.equal(queue.waiting(), 1)
})

test('in a full queue the client with the most work loses its last, never to one who has as much', () => {
  const full = [work('a1', 'a'), work('a2', 'a'), work('a3', 'a'), work('b1', 'b')]
  const { queue, displaced } = queueOf([...full, work('c1', 'c'), work('c2', 'c'), work('a4', 'a')])

  assert.deepEqual(displaced, [undefined, undefined, undefined, undefined, 'a3', 'c2', 'a4'])
  assert.equal(queue.waiting(), 4)
})

test('the bytes of waiting work are bounded', () => {
  const { displaced } = queueOf([work('a1', 'a', 60), work('b1', 'b', 60), work('b2', 'b', 40)])

  assert.deepEqual(displaced, [undefined, 'b1', undefined])
})

test('removed work frees its room', () => {
  const first = work('a1', 'a', 100)
  const { queue } = queueOf([first])

  queue.remove(first)
  queue.remove(first)

  assert.equal(queue.add(work('a2', 'a', 100)), undefined)
  assert.deepEqual(
    queue.clear().map(({ name }) => name),
    ['a2'],
  )
})
