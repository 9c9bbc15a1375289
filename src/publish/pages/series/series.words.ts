import { capitalised } from '../../../base/languages/dates.js'
import type { TextLanguage } from '../../../base/languages/language.ts'
import { recurrenceText } from '../../../base/languages/texts.ts'
import { endOfDay } from '../../../base/time/local.date.time.ts'
import type { SeriesMembership } from '../../../calendar/occurrences/occurrence.ts'
import { publicSegments } from '../../../calendar/occurrences/public.segments.ts'
import { ruleInWords } from '../../../calendar/recurrence/rule.words.ts'
import { addDays, spanText } from '../date.texts.ts'
import type { PageSeries } from './series.lookup.ts'

/** Returns when the dates of a series are, in words, as a line: those of the part of the series that has this date. */
export function seriesWords(
  language: TextLanguage,
  membership: SeriesMembership | undefined,
  { shown }: Pick<PageSeries, 'shown'>,
): string {
  if (!membership || !shown) return ''
  const { count, first, last } = shown
  const days = () => spanText(language, { start: first, end: last, isAllDay: true })
  return capitalised(ruleWords(membership, language) || recurrenceText(language, 'dates', { count, days: days() }))
}

/**
 * Returns the rule of a date in words, within a sentence; '' if its series has only dates. A rule ends where the next
 * part of the series begins.
 *
 * @param isShort Leaves out the number of dates. A list shows another number beside the words.
 */
export function ruleWords(
  { rules, recurrenceId }: SeriesMembership,
  language: TextLanguage,
  { isShort = false } = {},
): string {
  const place = Math.max(
    0,
    rules.findLastIndex(({ from }) => from <= recurrenceId),
  )
  const [segment] = publicSegments(rules.slice(place, place + 1))
  const rule = segment?.recurrence.rule
  if (!segment || !rule) return ''
  const [next] = publicSegments(rules.slice(place + 1))
  const end = next && endOfDay(addDays(next.from, -1))
  const isEarlier = end !== undefined && (rule.until === undefined || end < rule.until)
  const { count: _, ...uncounted } = rule
  const told = isEarlier ? { ...uncounted, until: end } : isShort ? uncounted : rule
  return ruleInWords({ ...segment.recurrence, rule: told }, { start: segment.start, language })
}
