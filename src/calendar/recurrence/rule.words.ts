import { utcDates } from '../../base/languages/date.writers.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { recurrenceText } from '../../base/languages/texts.ts'
import { type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Recurrence } from './recurrence.ts'
import { rulePhrase } from './rule.phrases.ts'
import { speechOf } from './rule.speech.ts'

/**
 * Returns a recurrence in words, within a sentence: “every second Friday until June 18, 2027, except 3 dates”, or “on 5
 * dates, June 1 – August 30, 2027”. Says no times of the day.
 */
export function ruleInWords(
  { rule, dates, except }: Recurrence,
  { start, language }: { readonly start: LocalDateTime; readonly language: TextLanguage },
): string {
  if (rule === undefined) return datesInWords({ dates, except, start, language })
  const phrase = rulePhrase(rule, start, speechOf(language))
  const more = dates.filter((date) => !except.includes(date)).length
  const suffixes = [
    rule.until && (['until', { date: utcDates(language).text('dayRange', at(rule.until)) }] as const),
    rule.count !== undefined && (['times', { count: rule.count }] as const),
    more > 0 && (['more', { count: more }] as const),
    except.length > 0 && (['except', { count: except.length }] as const),
  ]
  return suffixes.reduce<string>(
    (text, suffix) => (suffix ? recurrenceText(language, suffix[0], { rule: text, ...suffix[1] }) : text),
    phrase,
  )
}

interface DatesOnly {
  readonly dates: readonly LocalDateTime[]
  readonly except: readonly LocalDateTime[]
  readonly start: LocalDateTime
  readonly language: TextLanguage
}

function datesInWords({ dates, except, start, language }: DatesOnly): string {
  const all = [...new Set([start, ...dates])].filter((date) => !except.includes(date)).sort()
  const days = utcDates(language).days(at(all[0] ?? start), at(all.at(-1) ?? start))
  if (all.length === 1) return recurrenceText(language, 'date', { date: days })
  return recurrenceText(language, 'dates', { count: all.length, days })
}

function at(date: LocalDateTime): number {
  return secondsOfLocalDateTime(date) * 1000
}
