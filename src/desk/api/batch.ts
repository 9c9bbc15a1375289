import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import type { BatchResultSchema, BatchSchema } from '../../access/batch/batch.schema.ts'
import { type DeskApi, type Failure, failureIn } from './desk.api.ts'

/** A write of a batch. */
export interface Operation {
  readonly ref?: string
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly if_match?: string
}

type Result = Static<typeof BatchResultSchema>

/** A write that was refused, and why. */
export interface Refused extends Failure {
  readonly place: number
  readonly status: number
  /** Whether the batch as a whole was refused, and not one of its writes. */
  readonly isWhole: boolean
}

interface BatchOptions {
  /** Whether all writes are made or none. */
  readonly isAtomic?: boolean
  /** Whether the writes are only tried. */
  readonly isDry?: boolean
  /** A batch that is sent twice with one key does nothing twice. */
  readonly key?: string | undefined
}

/**
 * Sends writes as one batch. The first refusal of an atomic one says why nothing was done.
 */
export async function sendBatch(
  { api }: { readonly api: DeskApi },
  operations: readonly Operation[],
  { isAtomic = true, isDry = false, key }: BatchOptions = {},
): Promise<{ readonly results: readonly Result[]; readonly refused: readonly Refused[] }> {
  const { status, body, message, faults, code } = await api.service<Partial<Static<typeof BatchSchema>>>({
    ...{ method: 'POST', path: '/batch', query: { dry_run: isDry ? 'true' : undefined } },
    json: { atomic: isAtomic, operations },
    headers: key === undefined ? {} : { 'idempotency-key': `"${key}"` },
  })
  const { results } = body
  if (results === undefined)
    return { results: [], refused: [{ place: 0, isWhole: true, status, message, faults, code }] }
  const refused = results.flatMap((result, place) => {
    const failure = failureIn(result.body ?? {})
    return result.status < 400
      ? []
      : [{ ...failure, place, isWhole: false, status: result.status, message: failure.message || message }]
  })
  return { results, refused }
}

/** Returns the idempotency key of writes: that of the form, for these writes only. */
export function keyFor(key: string, writes: unknown): string {
  return createHash('sha256')
    .update(`${key} ${JSON.stringify(writes)}`)
    .digest('base64url')
}
