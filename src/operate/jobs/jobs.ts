import { hasDueRecords, publishBatch } from '../../calendar/events/event.schedule.ts'
import { hasOldEntries, pruneBatch } from '../audit/audit.service.ts'
import type { Job } from './job.ts'

/**
 * All jobs that one process does for all. Work that each process does for itself stands with what it works on, and is
 * started with `startPeriodic`: what clients have taken of their answers, slow readers, and the sign of life of a
 * temporary folder.
 */
export const jobs: readonly Job[] = [
  {
    name: 'publish-scheduled',
    // Nothing is published later than that.
    intervalMs: 1000,
    isDue: hasDueRecords,
    runBatch: publishBatch,
  },
  {
    name: 'prune-audit',
    intervalMs: 3_600_000,
    isDue: hasOldEntries,
    runBatch: pruneBatch,
  },
]
