import type { Deps } from '../../access/deps.ts'
import { hasTombstoneBefore, removeTombstonesBefore } from '../changelog/change.log.repository.ts'

const daySeconds = 86_400
/** Small enough to let other writers run between batches. */
const batchSize = 1000

/** Whether the log has what was deleted before the retention period. Costs one index lookup. */
export async function hasOldTombstones(deps: Deps): Promise<boolean> {
  return hasTombstoneBefore(deps.storage.db, oldestKept(deps))
}

/** Removes a limited number of old tombstones. @returns whether there may be more. */
export async function pruneTombstones(deps: Deps): Promise<boolean> {
  const removed = await deps.storage.writeWithoutRevision((tx) =>
    removeTombstonesBefore(tx, oldestKept(deps), batchSize),
  )
  return removed === batchSize
}

function oldestKept({ config: { changesRetentionDays }, now }: Deps): number {
  return now() - changesRetentionDays * daySeconds
}
