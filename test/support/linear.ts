import assert from 'node:assert/strict'
import { runs } from './long.ts'

const small = runs(25_000, 100_000)
const growth = 4
/** Other programs and the collector of garbage take time too. The least times of several rounds are those of the work. */
const maxRounds = 12
/** Linear work takes `growth` times as long, quadratic work `growth` squared times. This limit is between the two. */
const most = growth * 2.5
/** Processor time below this is too short to compare, and acceptable. */
const negligibleUs = runs(40_000, 100_000)

/**
 * Fails if `work` on a hostile text takes more than linear time. Measures processor time, not elapsed time, until the
 * least times of both lengths are in proportion. Those of quadratic work never are.
 */
export function assertLinear(scrap: string, work: (text: string) => unknown): void {
  const [short, long] = [small, small * growth].map((length) => scrap.repeat(Math.ceil(length / scrap.length))) as [
    string,
    string,
  ]
  const least = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY }
  for (let round = 0; round < maxRounds; round += 1) {
    least.short = Math.min(
      least.short,
      processorTimeUs(() => work(short)),
    )
    least.long = Math.min(
      least.long,
      processorTimeUs(() => work(long)),
    )
    if (least.long < negligibleUs || least.long < most * least.short) return
  }
  assert.fail(`${least.short} µs for ${small}, ${least.long} µs for ${small * growth}`)
}

function processorTimeUs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user
}
