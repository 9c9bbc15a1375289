import { hasExpiredKeys, removeExpiredKeys } from '../../access/idempotency/idempotency.ts'
import { hasOldTombstones, pruneTombstones } from '../../calendar/changes/change.prune.ts'
import { hasDueRecords, publishBatch } from '../../calendar/events/write/schedule.ts'
import { extendBatch, hasShortSeries } from '../../calendar/series/series.extend.service.ts'
import { hasOldUndos, removeOldUndos } from '../../calendar/undo/undo.service.ts'
import { fetchDueSubscription, hasDueSubscriptions } from '../../exchange/calendars/subscription.service.ts'
import { hasOldEntries, pruneBatch } from '../audit/audit.service.ts'
import type { Job } from './job.runner.ts'

/**
 * All jobs that one process runs for all. Periodic tasks of each process are next to the code that they serve, and are
 * started with `startPeriodic`. They check what clients have read of their responses, evict slow readers, and show that
 * a temporary folder is in use.
 */
export const jobs: readonly Job[] = [
  {
    name: 'publish-scheduled',
    // The maximum delay of a publication.
    intervalMs: 1000,
    isDue: hasDueRecords,
    runBatch: publishBatch,
  },
  {
    name: 'extend-series',
    intervalMs: 3_600_000,
    isDue: hasShortSeries,
    runBatch: extendBatch,
  },
  {
    name: 'fetch-calendars',
    intervalMs: 60_000,
    isDue: hasDueSubscriptions,
    runBatch: fetchDueSubscription,
  },
  {
    name: 'prune-audit',
    intervalMs: 3_600_000,
    isDue: hasOldEntries,
    runBatch: pruneBatch,
  },
  {
    name: 'expire-idempotency-keys',
    intervalMs: 3_600_000,
    isDue: hasExpiredKeys,
    runBatch: removeExpiredKeys,
  },
  {
    name: 'prune-undos',
    intervalMs: 3_600_000,
    isDue: hasOldUndos,
    runBatch: removeOldUndos,
  },
  {
    name: 'prune-changes',
    intervalMs: 3_600_000,
    isDue: hasOldTombstones,
    runBatch: pruneTombstones,
  },
]
