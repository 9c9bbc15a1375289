import { parseZone, type Zone } from '../../base/time/zone.ts'
import type { SentDate, SentRecurrence } from './recurrence.sent.ts'
import { invalidRule, type RecurrenceFault } from './recurrence.ts'

/**
 * Splits lines of iCalendar: RRULE at most once, RDATE and EXDATE any number of times, each with or without TZID. A text
 * without a colon is a rule.
 *
 * @see RFC 5545, 3.1 and 3.8.5
 */
export function splitLines(text: string, zone: Zone): SentRecurrence | RecurrenceFault {
  if (!text.includes(':')) return { rule: text, dates: [], except: [] }
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  let rule: string | undefined
  const [dates, except]: [SentDate[], SentDate[]] = [[], []]
  for (const line of unfolded.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const { name, value, zoneName } = contentLine(line)
    const ownZone = zoneName === undefined ? zone : parseZone(zoneName)
    if (ownZone === undefined) return invalidRule('fault.recurrence.zone', { part: quoted(zoneName ?? '') })
    const sent = () => value.split(',').map((one) => ({ text: one, zone: ownZone }))
    if (name === 'RDATE') dates.push(...sent())
    else if (name === 'EXDATE') except.push(...sent())
    else if (name !== 'RRULE') return invalidRule('fault.recurrence.line', { part: quoted(line) })
    else if (rule !== undefined) return invalidRule('fault.recurrence.two-rules')
    else rule = value
  }
  return { rule, dates, except }
}

/** Others may send anything: an error shows at most this much of a text. */
const longestQuote = 40

/** Returns the beginning of a text, for an error. */
export function quoted(text: string): string {
  return text.slice(0, longestQuote)
}

const parameter = /;([\w-]+)=("[^"]*"|[^";:]*)/g

/** Returns the parts of a line; without a name if it has another form. The value may contain colons. */
function contentLine(line: string): { readonly name: string; readonly value: string; readonly zoneName?: string } {
  const [, name = '', parameters = '', value = ''] =
    /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^";:]*))*):(.*)$/.exec(line) ?? []
  const zoneName = [...parameters.matchAll(parameter)].find(([, key]) => key?.toUpperCase() === 'TZID')?.[2]
  const plain = { name: name.toUpperCase(), value: value.trim() }
  return zoneName === undefined ? plain : { ...plain, zoneName: zoneName.replaceAll('"', '') }
}
