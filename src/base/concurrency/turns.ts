import { setImmediate as wholeTurn } from 'node:timers/promises'

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
