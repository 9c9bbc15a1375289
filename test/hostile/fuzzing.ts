import { randomFrom } from '../../bench/random.ts'
import { operationsOf } from './document.ts'
import { diceOf, generateRequest } from './generate.ts'
import { minimise } from './minimise.ts'
import type { Target } from './target.ts'
import type { WireRequest } from './wire.ts'

/** A request that the service did not stand, as it is kept in `cases/`. */
export interface Finding {
  /** What was wrong, in a few words. */
  readonly fault: string
  readonly request: WireRequest
  /** Whether it fails on the untouched calendar as well; else it takes what was sent before it. */
  readonly isAlone: boolean
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
  readonly seed: number
  readonly onProgress?: (done: number, found: number) => void
}

/** Enough to work on; the same fault of an operation is not told again. */
const mostFindings = 20

/** Sends requests made from the document, each operation in turn, and keeps the least of those that it did not stand. */
export async function fuzz(target: Target, { requests, seed, onProgress }: FuzzingOptions): Promise<Fuzzing> {
  const operations = operationsOf(await target.document())
  const dice = diceOf(randomFrom(seed))
  const findings = new Map<string, Finding>()
  const statuses: Record<number, number> = {}
  let slowestMs = 0
  let sent = 0
  while (sent < requests && findings.size < mostFindings) {
    const operation = operations[sent++ % operations.length]
    if (!operation) throw new Error('The document has no operations.')
    const request = generateRequest(dice, operation)
    const { fault, answer } = await target.judge(request)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    slowestMs = Math.max(slowestMs, answer.tookMs)
    const key = `${fault} of ${operation.method} ${operation.path}`
    if (fault !== undefined && !findings.has(key)) findings.set(key, await examine(target, request, fault))
    onProgress?.(sent, findings.size)
  }
  return { findings: [...findings.values()], requests: sent, statuses, slowestMs }
}

/** The least request with this fault, and whether it has it on the untouched calendar too. Leaves that one behind. */
async function examine({ judge, restore }: Target, request: WireRequest, fault: string): Promise<Finding> {
  const fails = async (candidate: WireRequest) => (await judge(candidate)).fault === fault
  const least = await minimise(request, fails)
  await restore()
  if (await fails(least)) return { fault, request: least, isAlone: true }
  await restore()
  if (await fails(request)) return { fault, request: await minimise(request, fails), isAlone: true }
  return { fault, request: least, isAlone: false }
}
