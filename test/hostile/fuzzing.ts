import { randomFrom } from '../../tools/bench/random.ts'
import type { Operation } from './document.ts'
import { diceOf, generateRequest } from './generate.ts'
import { leastOf, minimise } from './minimise.ts'
import type { Target } from './target.ts'
import type { WireRequest } from './wire.ts'

/** A failure of the service, as stored in `cases/`. */
export interface Finding {
  /** A short description of the fault. */
  readonly fault: string
  /** Requests to send to the initial calendar one after the other. The last one fails. */
  readonly requests: readonly WireRequest[]
  /** False if sending the same requests again did not fail. */
  readonly isRepeatable: boolean
  /** The seed by which to repeat the round. */
  readonly seed: number
  readonly form: string
}

export interface Fuzzing {
  readonly findings: readonly Finding[]
  readonly requests: number
  /** The number of responses with each status. */
  readonly statuses: Readonly<Record<number, number>>
  readonly slowestMs: number
  /** The most processor time of a request. */
  readonly maxProcessorMs: number
}

export interface FuzzingOptions {
  readonly requests: number
  /** The seed of the first round. Each later round adds one. */
  readonly seed: number
  /** Stops after this many findings. */
  readonly maxFindings?: number
  readonly onProgress?: (done: number, found: number) => void
}

/** Enough to work on. The same fault of an operation is reported once. */
const usualFindings = 20
/**
 * The calendar is reset after this many requests, so that the requests that lead to a failure can be repeated in
 * reasonable time.
 */
export const requestsOfRound = 2500
/** How often the calendar is checked within a round. */
const requestsOfWalk = 1250
const triesAlone = 400
/** With a history, each try needs a new calendar and all writes to it. */
const triesWithHistory = 120

interface Tally {
  readonly findings: Map<string, Finding>
  readonly statuses: Record<number, number>
  sent: number
  slowestMs: number
  maxProcessorMs: number
}

/**
 * Sends requests made from the document in rounds, to each target one after the other. Keeps the minimised requests
 * that failed.
 */
export async function fuzz(targets: readonly Target[], options: FuzzingOptions): Promise<Fuzzing> {
  const tally: Tally = { findings: new Map(), statuses: {}, sent: 0, slowestMs: 0, maxProcessorMs: 0 }
  for (
    let round = 0;
    tally.sent < options.requests && tally.findings.size < (options.maxFindings ?? usualFindings);
    round++
  ) {
    const target = targets[round % targets.length]
    if (!target) throw new Error('There is nothing to ask.')
    await playRound(target, options, options.seed + round, tally)
  }
  return { ...tally, findings: [...tally.findings.values()], requests: tally.sent }
}

async function playRound(target: Target, options: FuzzingOptions, seed: number, tally: Tally): Promise<void> {
  const operations = await target.operations()
  const dice = diceOf(randomFrom(seed))
  const last = Math.min(options.requests, tally.sent + requestsOfRound)
  const keep = (key: string, finding: Pick<Finding, 'fault' | 'requests' | 'isRepeatable'>) =>
    tally.findings.set(key, { ...finding, seed, form: target.form })
  await target.restore()
  // All requests that have written something. Refused requests have not, even if the engine counts a change.
  let history: WireRequest[] = []
  for (let place = seed; tally.sent < last && tally.findings.size < (options.maxFindings ?? usualFindings); place++) {
    const operation = operations[place % operations.length] as Operation
    const request = target.spelt(generateRequest(dice, operation))
    const { fault, answer, hasWritten } = await target.judge(request)
    tally.sent++
    tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1
    tally.slowestMs = Math.max(tally.slowestMs, answer.tookMs)
    tally.maxProcessorMs = Math.max(tally.maxProcessorMs, answer.processorMs)
    if (hasWritten && answer.status < 400) history.push(request)
    const key = `${fault} of ${operation.method} ${operation.path}`
    if (fault !== undefined && !tally.findings.has(key)) {
      keep(key, await examine(target, history, request, fault))
      history = []
    }
    if (tally.sent % requestsOfWalk === 0 || tally.sent === last) {
      const [broken] = await target.walk()
      if (broken !== undefined) {
        keep(broken.title, await examineCalendar(target, history, broken.title))
        history = []
      }
    }
    options.onProgress?.(tally.sent, tally.findings.size)
  }
}

/**
 * Returns the smallest request with this fault: alone, else with as few of the earlier writes as possible. Leaves the
 * initial calendar behind.
 */
async function examine(
  target: Target,
  history: readonly WireRequest[],
  request: WireRequest,
  fault: string,
): Promise<Pick<Finding, 'fault' | 'requests' | 'isRepeatable'>> {
  const fails = async (candidate: WireRequest) => (await target.judge(candidate)).fault === fault
  const failsAfter = async (before: readonly WireRequest[], candidate: WireRequest) => {
    await replay(target, before)
    return fails(candidate)
  }
  try {
    if (await failsAfter([], request)) {
      const least = await minimise(request, fails, { tries: triesAlone })
      // Earlier tries may have written the data that the failure needs.
      return { fault, requests: [(await failsAfter([], least)) ? least : request], isRepeatable: true }
    }
    const before = history.filter((earlier) => earlier !== request)
    if (!(await failsAfter(before, request))) return { fault, requests: [...before, request], isRepeatable: false }
    const patience = { tries: triesWithHistory }
    const attempt = (shorter: readonly WireRequest[]) => {
      patience.tries--
      return failsAfter(shorter, request)
    }
    const least = await leastOf(before, attempt, patience)
    const last = await minimise(request, (candidate) => failsAfter(least, candidate), { tries: triesWithHistory })
    return { fault, requests: [...least, last], isRepeatable: true }
  } finally {
    await target.restore()
  }
}

/** Returns the fewest requests that leave a calendar with this fault. Leaves the initial calendar behind. */
async function examineCalendar(
  target: Target,
  history: readonly WireRequest[],
  fault: string,
): Promise<Pick<Finding, 'fault' | 'requests' | 'isRepeatable'>> {
  const patience = { tries: triesWithHistory }
  const fails = async (shorter: readonly WireRequest[]) => {
    patience.tries--
    await replay(target, shorter)
    return (await target.walk()).some(({ title }) => title === fault)
  }
  try {
    if (!(await fails(history))) return { fault, requests: history, isRepeatable: false }
    return { fault, requests: await leastOf(history, fails, patience), isRepeatable: true }
  } finally {
    await target.restore()
  }
}

/** Restores the initial calendar, and sends all these requests to it. */
export async function replay(target: Target, requests: readonly WireRequest[]): Promise<void> {
  await target.restore()
  for (const request of requests) await target.judge(request)
}
