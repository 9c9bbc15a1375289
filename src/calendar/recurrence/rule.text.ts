import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Zone } from '../../base/time/zone.ts'
import type { RecurrenceRule } from './recurrence.ts'

/** Placeholder until the branch of the rules is merged. */
export function parseRule(
  text: string,
  _context: { readonly zone: Zone; readonly start: LocalDateTime },
): RecurrenceRule {
  throw new Error(`Rules cannot be read yet: ${text}`)
}
