import type { TextLanguage } from '../../base/languages/language.ts'
import { Problem } from '../../base/problems.ts'
import type { UpsertResult } from '../upsert/upsert.service.ts'
import { type ImportText, remarkText } from './import.texts.ts'
import type { Plan } from './plan.ts'
import type { ImportRemark, SourceReference, SourceTerm } from './source.ts'

/** The kinds of records that an import counts. */
export const importGroups = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
type Group = (typeof importGroups)[number]

/** The result of one record: what was done, or the reason why it was refused. */
type ImportResult = { readonly done: UpsertResult } | { readonly refused: Problem | ImportText }

/** The result of an import. */
export type ImportSummary = ReturnType<ImportCounter['summary']>

/** Called after each record with the number of completed records and the total. */
export type OnProgress = (done: number, total: number) => void

export type ImportCounter = ReturnType<typeof createImportCounter>

/** Counts the results of the records. */
export function createImportCounter(
  plan: Plan,
  { shiftDays, orphans }: { readonly shiftDays: number; readonly orphans: readonly SourceTerm[] },
  onProgress: OnProgress | undefined,
) {
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
  let settled = 0
  return {
    settle: (
      group: Group,
      { file, path, remarks = [] }: SourceReference & { readonly remarks?: readonly ImportText[] },
      outcome: ImportResult,
    ) => {
      if ('refused' in outcome) {
        counts[group].failed += 1
        const { refused } = outcome
        failures.push({ file, path, text: refused instanceof Problem ? { refused } : refused, of: group })
      } else {
        const done = outcome.done.outcome === 'changed' ? 'updated' : outcome.done.outcome
        counts[group][done] += 1
        // An editor has changed it, or moved it to the trash.
        if (outcome.done.kept.length > 0) warnings.push({ file, path, text: { key: 'import.kept' } })
        if (done !== 'unchanged') warnings.push(...remarks.map((text) => ({ file, path, text })))
      }
      settled += 1
      onProgress?.(settled, total)
    },
    summary: () => ({
      /** The number of events in the files: the sum of their counts. */
      found: plan.events.length + plan.repeatedEvents + unreadEvents,
      ...counts,
      skippedImages: [...plan.events, ...plan.venues, ...plan.organizers].filter(({ hasImage }) => hasImage).length,
      /** Events with password-protected content. They are refused, and included in the failures. */
      protectedEvents: plan.faults.filter(({ protectedSource }) => protectedSource !== undefined).length,
      hiddenEvents: plan.events.filter(({ isHidden }) => isHidden).length,
      removedEmbeds: plan.events.reduce((sum, { removedEmbeds }) => sum + removedEmbeds, 0),
      /** Events of the recorded lists that are missing in the files. */
      unrecordedEvents: plan.unrecordedEvents,
      /** Categories that lose their parent, because it is missing in the files. */
      lostParents: orphans.length,
      shiftDays,
      ...{ failures, warnings },
    }),
  }
}

/** Returns a remark in a language. */
export function presentRemark(language: TextLanguage, remark: ImportRemark) {
  const { file, path } = remark
  return { file, path, text: remarkText(language, remark) }
}

/** Returns the summary of an import for machines, with its remarks in a language. */
export function presentSummary(summary: ImportSummary, language: TextLanguage) {
  const said = (remarks: readonly ImportRemark[]) => remarks.map((remark) => presentRemark(language, remark))
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
    failures: said(summary.failures),
    warnings: said(summary.warnings),
  }
}
