import type { ImportSummary } from './import.summary.ts'

/** The kinds of records that an import counts. */
export const importGroups = ['events', 'venues', 'organizers', 'categories', 'tags'] as const

/** Returns the summary of an import for machines. */
export function presentSummary(summary: ImportSummary) {
  const { events, venues, organizers, categories, tags } = summary
  return {
    found: summary.found,
    ...{ events, venues, organizers, categories, tags },
    skipped_images: summary.skippedImages,
    protected_events: summary.protectedEvents,
    hidden_events: summary.hiddenEvents,
    removed_embeds: summary.removedEmbeds,
    unrecorded_events: summary.unrecordedEvents,
    lost_parents: summary.lostParents,
    shift_days: summary.shiftDays,
    failures: summary.failures,
    warnings: summary.warnings,
  }
}
