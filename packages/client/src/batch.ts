import type { Batch, RunBatchInput } from './api.generated.ts'
import { eventToWire } from './events.ts'
import type { ServiceWriteOptions } from './options.ts'
import type { Send } from './send.ts'

/** One write of a batch: its method, its path below the namespace, and its parameters. */
export type BatchOperation = RunBatchInput['operations'][number]

/** Options of a batch. A version belongs to an operation: `if_match`. */
export type BatchOptions = Omit<ServiceWriteOptions, 'ifMatch' | 'language'> & {
  /** Whether nothing is kept if one operation fails. The call then fails with `batch-failed`. */
  readonly atomic?: boolean | undefined
}

/** Sends up to 200 writes, which are done in one transaction. An operation may fail while the others succeed. */
export type SendBatch = (operations: readonly BatchOperation[], options?: BatchOptions) => Promise<Batch>

export function createBatch(send: Send): SendBatch {
  return async (operations, { atomic, ...options } = {}) => {
    const body: RunBatchInput = { operations: operations.map(toWire), atomic }
    return (await send<Batch>({ namespace: 'service', method: 'POST', path: '/batch', body }, options)).body
  }
}

/** Events may have moments, as in other calls. */
function toWire(operation: BatchOperation): BatchOperation {
  const { path, body } = operation
  const isEvent = /^\/(?:sources\/[^/]+\/)?events(?:\/|$)/.test(path)
  return body && isEvent ? { ...operation, body: { ...eventToWire(body) } } : operation
}
