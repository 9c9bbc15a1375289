import assert from 'node:assert/strict'
import { type Attack, mostProcessorMs, type Target } from './target.ts'

/** Two marks in turn, which a text has to be sorted for: the form of Unicode that is compared has them in another order. */
const marks = (count: number) => `a${'\u0301\u0323'.repeat(count)}`

async function assertCheap(target: Target, title: string, work: () => Promise<unknown>): Promise<void> {
  const ms = await target.processorMs(work)
  assert.ok(ms < mostProcessorMs, `${title} took ${Math.round(ms)} ms of the processor`)
}

export const attacks: readonly Attack[] = [
  {
    title: 'long runs of combining marks in the body of a search keep nobody waiting',
    play: async (target) => {
      for (const path of ['/events', '/venues', '/organizers', '/tags', '/categories']) {
        for (const count of [7000, 40_000, 249_000]) {
          await assertCheap(target, `${path} with ${count} marks`, async () => {
            const { status } = await target.send({ path, json: { search: marks(count) } })
            assert.ok(status === 400 || status === 413, `${path}: ${status}`)
          })
        }
      }
    },
  },
]
