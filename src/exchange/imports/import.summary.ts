import type { BatchResult } from '../upsert/batches.ts'
import type { ImportText } from './import.texts.ts'
import type { Plan } from './plan.ts'
import type { ImportOutcome } from './record.writer.ts'
import type { ImportRemark, SourceReference, SourceTerm } from './source.ts'

type Counts = Readonly<Record<ImportOutcome | 'failed', number>>

/** The result of one record: what was done, or the reason why it was refused. */
type ImportResult = { readonly done: ImportOutcome } | { readonly refused: ImportText }

/** The result of an import. */
export interface ImportSummary {
  /** The number of events in the files: the sum of their counts. */
  readonly found: number
  readonly events: Counts
  readonly venues: Counts
  readonly organizers: Counts
  readonly categories: Counts
  readonly tags: Counts
  /** Records whose picture was not imported. */
  readonly skippedImages: number
  /** Events with password-protected content. They are refused, and included in the failures. */
  readonly protectedEvents: number
  /** Events that lists do not show. */
  readonly hiddenEvents: number
  /** Elements of descriptions that are not allowed. */
  readonly removedEmbeds: number
  /** Events of the recorded lists that are missing in the files. */
  readonly unrecordedEvents: number
  /** Categories that lose their parent, because it is missing in the files. */
  readonly lostParents: number
  /** Whole days by which new events were moved. */
  readonly shiftDays: number
  readonly failures: readonly ImportRemark[]
  readonly warnings: readonly ImportRemark[]
}

/** Called after each record with the number of completed records and the total. */
export type OnProgress = (done: number, total: number) => void

type Group = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

export interface ImportCounter {
  readonly settle: (
    group: Group,
    record: SourceReference & { readonly remarks?: readonly ImportText[] },
    outcome: ImportResult,
  ) => void
  readonly summary: () => ImportSummary
}

/** Counts the results of the records. */
export function createImportCounter(
  plan: Plan,
  { shiftDays, orphans }: { readonly shiftDays: number; readonly orphans: readonly SourceTerm[] },
  onProgress: OnProgress | undefined,
): ImportCounter {
  // An unreadable file contains an unknown number of events.
  const unread = plan.faults.filter(({ path }) => path !== '')
  const unreadEvents = unread.filter(({ group = 'events' }) => group === 'events').length
  const none = () => ({ created: 0, updated: 0, unchanged: 0, failed: 0 })
  const counts = { events: none(), venues: none(), organizers: none(), categories: none(), tags: none() }
  for (const { group = 'events' } of unread) counts[group].failed += 1
  counts.events.unchanged = plan.repeatedEvents
  const failures: ImportRemark[] = [...plan.faults]
  const warnings: ImportRemark[] = orphans.map(({ file, path, name }) => ({
    ...{ file, path },
    text: { key: 'import.no-parent', values: { name } },
  }))
  const total = plan.terms.length + plan.venues.length + plan.organizers.length + plan.events.length
  let done = 0
  return {
    settle: (group, { file, path, remarks = [] }, outcome) => {
      if ('refused' in outcome) {
        counts[group].failed += 1
        failures.push({ file, path, text: outcome.refused, of: group })
      } else {
        counts[group][outcome.done] += 1
        if (outcome.done !== 'unchanged') warnings.push(...remarks.map((text) => ({ file, path, text })))
      }
      done += 1
      onProgress?.(done, total)
    },
    summary: () => ({
      found: plan.events.length + plan.repeatedEvents + unreadEvents,
      ...counts,
      skippedImages: [...plan.events, ...plan.venues, ...plan.organizers].filter(({ hasImage }) => hasImage).length,
      protectedEvents: plan.faults.filter(({ protectedSource }) => protectedSource !== undefined).length,
      hiddenEvents: plan.events.filter(({ isHidden }) => isHidden).length,
      removedEmbeds: plan.events.reduce((sum, { removedEmbeds }) => sum + removedEmbeds, 0),
      unrecordedEvents: plan.unrecordedEvents,
      lostParents: orphans.length,
      shiftDays,
      failures,
      warnings,
    }),
  }
}

/** Returns the result of a batch, with the reason of a refusal. */
export function explained(outcome: BatchResult<ImportOutcome>): ImportResult {
  return 'done' in outcome ? outcome : { refused: { refused: outcome.refused } }
}
