import assert from 'node:assert/strict'
import { runs } from './long.ts'

const small = runs(25_000, 100_000)
const growth = 4
const times = 3
/** Linear work takes `growth` times as long, quadratic work `growth` squared times. This limit is between the two. */
const most = growth * 2.5
/** Processor time below this is too short to compare, and acceptable. */
const negligibleUs = runs(40_000, 100_000)

/** Fails if `work` on a hostile text takes more than linear time. Measures processor time, not elapsed time. */
export function assertLinear(scrap: string, work: (text: string) => unknown): void {
  const textOf = (length: number) => scrap.repeat(Math.ceil(length / scrap.length))
  const [short, long] = [small, small * growth].map((length) => {
    const text = textOf(length)
    return Math.min(...Array.from({ length: times }, () => processorTimeUs(() => work(text))))
  }) as [number, number]
  assert.ok(long < negligibleUs || long < most * short, `${short} µs for ${small}, ${long} µs for ${small * growth}`)
}

function processorTimeUs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user
}
