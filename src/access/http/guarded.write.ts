import type { Config } from '../../base/config/config.ts'
import { fail } from '../../base/problems.ts'
import type { Storage } from '../../storage/database/storage.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { withBeforeWrite, withWrites } from '../../storage/database/writes/before.write.ts'
import type { Actor } from '../auth/actor.ts'
import { mayPublish } from '../auth/policy.ts'
import { countDraftBytes } from '../auth/user.repository.ts'
import { assertPrecondition, preconditionOf, type RecordValidators } from './precondition.ts'

const megabyte = 1024 * 1024

/**
 * Returns the storage for one request, in which users who may not publish store no more than their quota: nobody reads
 * drafts before they fill the disk. What makes them smaller is always possible.
 *
 * @param megabytes The quota. 0: none.
 */
function withContributorQuota(storage: Storage, actor: Actor, megabytes: number): Storage {
  if (megabytes === 0 || actor.kind === 'visitor' || mayPublish(actor)) return storage
  const quota = megabytes * megabyte
  return withWrites(
    storage,
    (write) => (work) =>
      write(async (tx) => {
        const before = await countDraftBytes(tx, actor.id)
        const result = await work(tx)
        const after = await countDraftBytes(tx, actor.id)
        if (after > quota && after > before) fail('quota-exceeded')
        return result
      }),
  )
}

interface WriteRequest {
  readonly actor: Actor
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Returns the version of the record in the path, if the caller may change it; undefined if the path names none. */
  readonly findValidators: ((db: Db) => Promise<RecordValidators | undefined>) | undefined
  /** Whether a record has the slug that the write would give to a new one; undefined if it creates none with a slug. */
  readonly isTaken?: ((tx: Tx) => Promise<boolean>) | undefined
  /** Whether the write was done already, under the same idempotency key. */
  readonly isRepeated: (db: Db) => Promise<boolean>
}

/** Returns the storage for one request: within its precondition, and within the quota of the caller. */
export function guardWrites(storage: Storage, config: GuardSettings, request: WriteRequest): Storage {
  return withPrecondition(withContributorQuota(storage, request.actor, config.contributorQuota), config, request)
}

type GuardSettings = Pick<Config, 'requiresIfMatch' | 'contributorQuota'>

/**
 * Returns the storage for one request, whose writes compare the precondition of the request with the record. They
 * do so within the transaction, so no other write can come between.
 *
 * All other errors of a request come first, except those that only the write finds (RFC 9110, 13.2.1).
 */
function withPrecondition(
  storage: Storage,
  { requiresIfMatch }: GuardSettings,
  { headers, findValidators, isTaken, isRepeated }: WriteRequest,
): Storage {
  // RFC 9110, 13.1.2: “*” is false if a record exists.
  if (isTaken && headers['if-none-match']?.toString().trim() === '*') {
    return withBeforeWrite(storage, async (tx) => {
      if (!(await isRepeated(tx)) && (await isTaken(tx)))
        fail('precondition-failed', { text: 'precondition-failed.exists' })
    })
  }
  const precondition = preconditionOf(headers)
  if (!findValidators || (!precondition && !requiresIfMatch)) return storage
  return withBeforeWrite(storage, async (tx) => {
    const found = await findValidators(tx)
    // The write itself refuses a record that does not exist, or that the caller may not change.
    if (!found || (await isRepeated(tx))) return
    if (precondition) assertPrecondition(precondition, found)
    else fail('precondition-required')
  })
}
