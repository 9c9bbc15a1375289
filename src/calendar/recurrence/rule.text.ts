import { dayOf } from '../../base/time/local.date.time.ts'
import { longestRuleText } from './recurrence.limits.ts'
import {
  invalidRule,
  type RecurrenceContext,
  type RecurrenceFault,
  type RecurrenceRule,
  type RuleDay,
} from './recurrence.ts'
import { isRulePart, RULE_PARTS, type RulePart } from './rule.parts.ts'

/** Other calendars send long names of parts; an error shows at most this many characters of them. */
const longestQuote = 40

/**
 * Reads a rule, with or without `RRULE:`, in any letter case. UNTIL may be a day, a local time of the event, or a time in
 * UTC.
 *
 * @see RFC 5545, 3.3.10, in the subset of docs/reference/recurrence.md
 */
export function parseRule(text: string, context: RecurrenceContext): RecurrenceRule | RecurrenceFault {
  if (text.length > longestRuleText) return invalidRule('fault.recurrence.long', { most: String(longestRuleText) })
  const parts = new Map<RulePart, string>()
  const written = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
  if (written.includes('RRULE')) return invalidRule('fault.recurrence.two-rules')
  for (const part of written.replace(/;$/, '').split(';')) {
    const [name = '', ...value] = part.split('=')
    const quoted = { part: name.slice(0, longestQuote) }
    if (!isRulePart(name)) return invalidRule('fault.recurrence.part', { ...quoted, allowed: allowedParts })
    if (parts.has(name)) return invalidRule('fault.recurrence.twice', quoted)
    parts.set(name, value.join('='))
    if (RULE_PARTS[name](parts.get(name) ?? '', context) === undefined) return invalidPart(name)
  }
  return ruleOf(parts, context)
}

const allowedParts = Object.keys(RULE_PARTS).join(', ')

/** A page of a list shows the rules of its dates again and again. */
const texts = new WeakMap<RecurrenceRule, string>()

/** Returns the normal form of a rule, which `parseRule` reads: equal rules have equal texts. */
export function ruleText(rule: RecurrenceRule): string {
  const text = texts.get(rule) ?? written(rule)
  texts.set(rule, text)
  return text
}

function written(rule: RecurrenceRule): string {
  const parts: Readonly<Record<RulePart, string>> = {
    FREQ: rule.frequency,
    INTERVAL: rule.interval === 1 ? '' : String(rule.interval),
    BYMONTH: rule.byMonth.join(),
    BYMONTHDAY: rule.byMonthDay.join(),
    BYDAY: rule.byDay.map(({ day, ordinal }) => `${ordinal ?? ''}${day}`).join(),
    BYSETPOS: rule.bySetPos.join(),
    COUNT: rule.count === undefined ? '' : String(rule.count),
    UNTIL: rule.until === undefined ? '' : dayOf(rule.until).replaceAll('-', ''),
    WKST: rule.weekStart === 'MO' ? '' : rule.weekStart,
  }
  return Object.keys(RULE_PARTS)
    .filter(isRulePart)
    .filter((name) => parts[name] !== '')
    .map((name) => `${name}=${parts[name]}`)
    .join(';')
}

function invalidPart(name: RulePart): RecurrenceFault {
  return invalidRule(`fault.recurrence.${name}`)
}

/** Returns the rule that these valid parts describe together. */
function ruleOf(parts: ReadonlyMap<RulePart, string>, context: RecurrenceContext): RecurrenceRule | RecurrenceFault {
  const read = <Name extends RulePart>(name: Name) => {
    const text = parts.get(name)
    return text === undefined ? undefined : (RULE_PARTS[name](text, context) as ReturnType<(typeof RULE_PARTS)[Name]>)
  }
  const [frequency, count, until] = [read('FREQ'), read('COUNT'), read('UNTIL')]
  if (frequency === undefined) return invalidPart('FREQ')
  const rule: RecurrenceRule = {
    frequency,
    interval: read('INTERVAL') ?? 1,
    ...(count === undefined ? {} : { count }),
    ...(until === undefined ? {} : { until }),
    byDay: read('BYDAY') ?? [],
    byMonthDay: read('BYMONTHDAY') ?? [],
    byMonth: read('BYMONTH') ?? [],
    bySetPos: read('BYSETPOS') ?? [],
    // Only the weeks of a weekly rule have a first day.
    weekStart: (frequency === 'WEEKLY' ? read('WKST') : undefined) ?? 'MO',
  }
  return faultOf(rule) ?? rule
}

/** Returns why the parts of a rule do not go together, if so. */
function faultOf(rule: RecurrenceRule): RecurrenceFault | undefined {
  const { frequency, byDay, byMonthDay, byMonth, bySetPos } = rule
  const hasOrdinal = byDay.some(({ ordinal }: RuleDay) => ordinal !== undefined)
  if (rule.count !== undefined && rule.until !== undefined) return invalidRule('fault.recurrence.count-and-until')
  if (hasOrdinal && (frequency === 'DAILY' || frequency === 'WEEKLY')) return invalidRule('fault.recurrence.ordinal')
  if (byMonthDay.length > 0 && frequency === 'WEEKLY') return invalidRule('fault.recurrence.weekly-month-day')
  const isAlone = [byDay, byMonthDay, byMonth].every(({ length }) => length === 0)
  return bySetPos.length > 0 && isAlone ? invalidRule('fault.recurrence.position') : undefined
}
