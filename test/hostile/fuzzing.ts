import { randomFrom } from '../../bench/random.ts'
import type { Operation } from './document.ts'
import { diceOf, generateRequest } from './generate.ts'
import { leastOf, minimise } from './minimise.ts'
import type { Target } from './target.ts'
import type { WireRequest } from './wire.ts'

/** What the service did not stand, as it is kept in `cases/`. */
export interface Finding {
  /** What was wrong, in a few words. */
  readonly fault: string
  /** On the calendar as it was at first: one after the other, the last of which fails. */
  readonly requests: readonly WireRequest[]
  /** False where it did not come again when the same was sent again. */
  readonly isRepeatable: boolean
  /** How the round is played again in which it was found. */
  readonly seed: number
  readonly form: string
}

export interface Fuzzing {
  readonly findings: readonly Finding[]
  readonly requests: number
  /** How many answers there were of each status. */
  readonly statuses: Readonly<Record<number, number>>
  readonly slowestMs: number
}

export interface FuzzingOptions {
  readonly requests: number
  /** Of the first round; each one after it has the next. */
  readonly seed: number
  /** After so many it ends. */
  readonly mostFindings?: number
  readonly onProgress?: (done: number, found: number) => void
}

/** Enough to work on; the same fault of an operation is not told again. */
const usualFindings = 20
/** After so many requests the calendar is as it was at first: what it takes for a failure can be sent again in time. */
export const requestsOfRound = 2500
/** How often it is walked within a round. */
const requestsOfWalk = 1250
const triesAlone = 400
/** With a history each try is a whole calendar, and all that was written to it. */
const triesWithHistory = 120

interface Tally {
  readonly findings: Map<string, Finding>
  readonly statuses: Record<number, number>
  sent: number
  slowestMs: number
}

/** Sends requests made from the document in rounds, to each target in turn, and keeps the least of what they did not stand. */
export async function fuzz(targets: readonly Target[], options: FuzzingOptions): Promise<Fuzzing> {
  const tally: Tally = { findings: new Map(), statuses: {}, sent: 0, slowestMs: 0 }
  for (
    let round = 0;
    tally.sent < options.requests && tally.findings.size < (options.mostFindings ?? usualFindings);
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
  // All that has written something. What was refused has not, though the engine may count it.
  let history: WireRequest[] = []
  for (let place = seed; tally.sent < last && tally.findings.size < (options.mostFindings ?? usualFindings); place++) {
    const operation = operations[place % operations.length] as Operation
    const request = target.spelt(generateRequest(dice, operation))
    const { fault, answer, hasWritten } = await target.judge(request)
    tally.sent++
    tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1
    tally.slowestMs = Math.max(tally.slowestMs, answer.tookMs)
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

/** The least request with this fault: alone, else with the least of what was written before it. Leaves the first calendar behind. */
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
      // What was tried may itself have written what it takes.
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

/** The least that leaves a calendar with this fault. Leaves the first calendar behind. */
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

/** The first calendar, and all of this sent to it. */
export async function replay(target: Target, requests: readonly WireRequest[]): Promise<void> {
  await target.restore()
  for (const request of requests) await target.judge(request)
}
