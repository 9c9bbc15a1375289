import { fail } from '../../base/problems.ts'
import type { Storage } from '../../storage/database/storage.ts'
import { withWrites } from '../../storage/database/writes/before.write.ts'
import type { Actor } from './actor.ts'
import { mayPublish } from './policy.ts'
import { countDraftBytes } from './user.repository.ts'

const megabyte = 1024 * 1024

/**
 * Returns the storage for one request, in which users who may not publish store no more than their quota: nobody reads
 * drafts before they fill the disk. What makes them smaller is always possible.
 *
 * @param megabytes The quota. 0: none.
 */
export function withContributorQuota(storage: Storage, actor: Actor, megabytes: number): Storage {
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
