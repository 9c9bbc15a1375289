import type { TextLanguage } from '../../base/languages/language.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Recurrence } from './recurrence.ts'

/** Returns a recurrence in words: “every second Friday until June 18, 2027”. */
export function ruleInWords(
  _recurrence: Recurrence,
  _options: { readonly start: LocalDateTime; readonly isAllDay: boolean; readonly language: TextLanguage },
): string {
  throw new Error('unfinished')
}
