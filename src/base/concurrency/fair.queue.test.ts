import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFairQueue } from './fair.queue.ts'

test('clients take turns, each with its own items in their order, and who just had a turn is last', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item)
  const taken = [queue.take()]

  queue.add('b', 'b1')
  queue.add('b', 'b2')
  taken.push(queue.take(), queue.take())
  queue.add('c', 'c1')
  while (queue.size() > 0) taken.push(queue.take())

  assert.deepEqual(taken, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3'])
})

test('a client that may not have its turn keeps its place', () => {
  const queue = createFairQueue<string>()
  for (const client of ['a', 'b', 'c']) queue.add(client, client)

  assert.equal(
    queue.take((client) => client !== 'a'),
    'b',
  )
  assert.equal(
    queue.take(() => false),
    undefined,
  )
  queue.remove('c', 'c')
  queue.remove('c', 'never added')

  assert.deepEqual([queue.size(), queue.countOf('a'), queue.countOf('c'), queue.take()], [1, 1, 0, 'a'])
})

test('nobody waits for more than one item of each other client', () => {
  const clients = fc.constantFrom('a', 'b', 'c', 'd')
  const steps = fc.array(fc.oneof(clients, fc.constant(undefined)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (all) => {
      const queue = createFairQueue<number>()
      const waiting = new Map<number, { client: string; passed: string[] }>()
      for (const [number, client] of all.entries()) {
        if (client !== undefined) {
          queue.add(client, number)
          waiting.set(number, { client, passed: [] })
          continue
        }
        const taken = queue.take()
        assert.equal(taken === undefined, waiting.size === 0)
        if (taken === undefined) continue
        const by = waiting.get(taken)?.client ?? ''
        waiting.delete(taken)
        const ofBy = [...waiting].filter(([, other]) => other.client === by)
        assert.ok(
          ofBy.every(([other]) => other > taken),
          'out of order',
        )
        const first = new Set<string>()
        for (const { client: other, passed } of waiting.values()) {
          if (other === by || first.has(other)) continue
          first.add(other)
          assert.ok(!passed.includes(by), `${other} waited for ${by} twice`)
          passed.push(by)
        }
      }
    }),
  )
})
