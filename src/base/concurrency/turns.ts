import { setImmediate as wholeTurn } from 'node:timers/promises'

/** How long work keeps others waiting, in milliseconds. */
const turnMs = 5

/** The waiting tasks of the whole thread. They belong to requests, and the request queue limits their number. */
const waiting: (() => void)[] = []

/**
 * Waits for permission to run a synchronous task. Each turn of the event loop permits one, in the order in which they
 * asked, so that many long works together keep others waiting no longer than one does.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeOne)
  })
}

function resumeOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeOne)
}

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

/** How long a commit keeps others waiting between two of its steps. */
const shortTurnMs = 1
let gaveWayAtMs = 0

/**
 * Lets others have a turn if the thread has worked for a millisecond since it last did. For work that must continue in
 * each turn of the event loop, because others wait for its end, such as a commit.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() - gaveWayAtMs < shortTurnMs) return
  await wholeTurn()
  gaveWayAtMs = performance.now()
}
