import type { KeyedRequest } from '../../idempotency/idempotency.ts'
import { versionHeader } from '../precondition.ts'
import type { EndpointResult } from '../route.ts'
import type { Headers } from './headers.ts'

/** Returns the header fields about the record of an answer, and about a write that was done before. */
export function recordHeadersOf({ version }: EndpointResult, keyed?: KeyedRequest): Headers {
  return {
    ...(version === undefined ? {} : versionHeader(version)),
    ...(keyed?.isReplayed ? { 'Idempotency-Replayed': 'true' } : {}),
  }
}
