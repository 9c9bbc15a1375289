import type { TextLanguage } from '../../base/languages/language.ts'
import type { ImportSummary } from './import.summary.ts'
import { remarkText } from './import.texts.ts'
import type { ImportRemark } from './source.ts'

/** The kinds of records that an import counts. */
export const importGroups = ['events', 'venues', 'organizers', 'categories', 'tags'] as const

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
