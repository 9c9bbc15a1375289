import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long work keeps others waiting, in milliseconds. */
const turnMs = 5

/** Does work in steps, and lets other requests have a turn in between. Returns what the last step returns. */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (let beganAtMs = performance.now(); ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - beganAtMs < turnMs) continue
    await nextTurn()
    beganAtMs = performance.now()
  }
}

/** Does work in steps without pauses. Returns what the last step returns. */
export function atOnce<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
