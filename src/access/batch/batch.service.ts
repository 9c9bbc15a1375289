import { setImmediate as nextTurn } from 'node:timers/promises'
import { fail, Problem } from '../../base/problems.ts'
import { refreshAll } from '../../storage/database/derivation.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { inSavepoint, storageWithin } from '../../storage/database/writes/held.write.ts'
import type { Call } from '../http/call.ts'
import type { WireResponse } from '../http/wire.ts'
import { type BatchedNamespaces, callOperation, refusedOperation } from './operation.call.ts'
import { type Operation, replacePathReferences, replaceReferences } from './operation.ts'

export interface OperationResult {
  readonly ref?: string
  readonly status: number
  /** Id of the record that it wrote. */
  readonly id?: number
  readonly headers: Readonly<Record<string, string>>
  /** Left out if there is none, if the answers together are too large, and when a batch is repeated. */
  readonly body?: unknown
}

/** An operation of an atomic batch has failed, so all of them are rolled back. */
export class BatchFailed extends Error {
  readonly results: readonly OperationResult[]

  constructor(results: readonly OperationResult[]) {
    super('An operation of the batch has failed.')
    this.results = results
  }
}

export interface BatchOptions {
  readonly operations: readonly Operation[]
  /** Whether all are rolled back if one fails. */
  readonly isAtomic: boolean
  readonly namespaces: BatchedNamespaces
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number
}

/** The part of the time of a batch that is for its operations. The rest is for the entries of the audit and the commit. */
const operationsShare = 0.8
/** Operations that took so long since the last time have changed much that others are derived from. */
const derivedEveryMs = 250
/** What the bodies of all answers may have together: a change of a large record needs only a few bytes. */
const maxAnswerCharacters = 4 * 1024 * 1024
const shownHeaders = /^(?:X-Record-Version|X-Series-Changed|Location|Retry-After|X-(?:Ignored|Adjusted)-Parameters)$/i

export const hasSucceeded = ({ status }: Pick<OperationResult, 'status'>): boolean => status < 400

/**
 * Runs the operations in their order, each between two savepoints of the transaction. Other requests are answered
 * between them. An operation begins only if there is time for one as long as the longest so far. What is derived counts as
 * part of the operations, and not only at the end.
 *
 * @throws BatchFailed if one fails and the batch is atomic.
 */
export async function runBatch(
  call: Call,
  tx: Tx,
  { operations, isAtomic, namespaces, clock = () => performance.now() }: BatchOptions,
): Promise<readonly OperationResult[]> {
  const storage = storageWithin(call.deps.storage, tx)
  // The server of somebody else may be slow, and a lock is held.
  const fetchOutbound = async () => fail('picture-not-fetched')
  const batch = { ...call, deps: { ...call.deps, storage, fetchOutbound } }
  const maxMs = call.deps.config.batchSeconds * 1000 * operationsShare
  const beganAtMs = clock()
  let derivedAtMs = beganAtMs
  let longestSoFarMs = 0
  const ids = new Map<string, number | undefined>()
  const results: OperationResult[] = []
  let characters = 0
  for (const operation of operations) {
    const startedAtMs = clock()
    const isLate = startedAtMs - beganAtMs + longestSoFarMs > maxMs
    const answer = isLate
      ? refusedOperation(call, namespaces.service, new Problem('batch-too-long', { headers: { 'Retry-After': '1' } }))
      : await inSavepoint(
          tx,
          async () => {
            const known = resolved(operation, ids)
            if (!known) return refusedOperation(call, namespaces.service, new Problem('batch-reference-failed'))
            return callOperation(batch, namespaces, { ...operation, ...known })
          },
          hasSucceeded,
        )
    const text = answer.body.toString()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const id = idIn(body)
    const { ref } = operation
    characters += text.length
    if (ref !== undefined) ids.set(ref, hasSucceeded(answer) ? id : undefined)
    results.push({
      ...(ref === undefined ? {} : { ref }),
      status: answer.status,
      ...(id !== undefined && hasSucceeded(answer) ? { id } : {}),
      headers: headersOf(answer),
      ...(body === undefined || (characters > maxAnswerCharacters && hasSucceeded(answer)) ? {} : { body }),
    })
    if (isAtomic && !hasSucceeded(answer)) throw new BatchFailed(results)
    if (clock() - derivedAtMs > derivedEveryMs) {
      await refreshAll(storage.derivations, tx, storage.dialect)
      derivedAtMs = clock()
    }
    longestSoFarMs = Math.max(longestSoFarMs, clock() - startedAtMs)
    await nextTurn()
  }
  return results
}

/** Returns the path and the body with the ids that they refer to; undefined if there is none for a reference. */
function resolved(
  { path, body }: Operation,
  ids: ReadonlyMap<string, number | undefined>,
): Pick<Operation, 'path' | 'body'> | undefined {
  let isComplete = true
  const idOf = (ref: string) => {
    const id = ids.get(ref)
    if (id === undefined) isComplete = false
    return id
  }
  const known = { path: replacePathReferences(path, idOf), body: replaceReferences(body, idOf) as Operation['body'] }
  return isComplete ? known : undefined
}

function idIn(body: unknown): number | undefined {
  const id = body !== null && typeof body === 'object' && 'id' in body ? body.id : undefined
  return typeof id === 'number' ? id : undefined
}

/** The headers that say something about the operation. The version is also given in the form of a validator. */
function headersOf({ headers, status }: WireResponse): OperationResult['headers'] {
  const shown = Object.fromEntries(Object.entries(headers).filter(([name]) => shownHeaders.test(name)))
  const version = shown['X-Record-Version']
  return version === undefined || status >= 400 ? shown : { ...shown, ETag: `"${version}"` }
}
