import { dayNumber, type LocalDateTime, partsOfLocalDateTime, weekdayOf } from '../../base/time/local.date.time.ts'
import { type Frequency, type RecurrenceRule, type RuleDay, WEEKDAYS } from './recurrence.ts'
import { type Speech, workDays } from './rule.speech.ts'

/** Returns a rule in words, without its end: “the last Friday of every month”. */
export function rulePhrase(sent: RecurrenceRule, start: LocalDateTime, speech: Speech): string {
  const rule = withStartDays(simplified(sent), start)
  const days = phraseDays[rule.frequency](rule, speech)
  const { say, and } = speech
  const positioned = arePositionsSaid(rule)
    ? days
    : say(`positions.${rule.frequency}`, { rule: days, days: and(positionsOf(rule, say('day.any'), speech)) })
  const isOfMonths = rule.frequency === 'YEARLY' || rule.byMonth.length === 0
  return isOfMonths
    ? positioned
    : say('only.months', { rule: positioned, months: and(rule.byMonth.map(speech.monthName)) })
}

type SayRule = (rule: RecurrenceRule, speech: Speech) => string

const phraseDays: Readonly<Record<Frequency, SayRule>> = {
  DAILY: (rule, speech) => {
    const phrase = speech.say(`DAILY.${pace(rule)}`, { count: rule.interval })
    return onlyOn(onlyOn(phrase, rule.byMonthDay.map(speech.monthDay), speech), weekdayLimits(rule, speech), speech)
  },
  WEEKLY: (rule, speech) => {
    const { say, and } = speech
    const names = rule.byDay.map(({ day }) => speech.weekday(day))
    const isOne = names.length === 1
    if (pace(rule) === 'second' && isOne) return say('WEEKLY.second-day', { day: names[0] ?? '' })
    if (pace(rule) !== 'every') {
      const days = and(names.map((day) => say('day', { day })))
      return say(`WEEKLY.${pace(rule)}`, { count: rule.interval, days })
    }
    if (rule.byDay.map(({ day }) => day).join() === workDays.join()) return say('WEEKLY.weekdays')
    return say('WEEKLY.every', { days: and(names.map((day) => say('day.all', { day }))) })
  },
  MONTHLY: (rule, speech) => {
    const days = rule.byMonthDay.length > 0 ? rule.byMonthDay.map(speech.monthDay) : weekdayElements(rule, speech)
    const phrase = speech.say(`MONTHLY.${pace(rule)}`, { count: rule.interval, days: speech.and(days) })
    return rule.byMonthDay.length > 0 ? onlyOn(phrase, weekdayLimits(rule, speech), speech) : phrase
  },
  YEARLY: (rule, speech) => {
    const hasMonthDays = rule.byMonthDay.length > 0
    const days = hasMonthDays ? datesInYear(rule, speech) : weekdaysInYear(rule, speech)
    const phrase = speech.say(`YEARLY.${pace(rule)}`, { count: rule.interval, days })
    return hasMonthDays ? onlyOn(phrase, weekdayLimits(rule, speech), speech) : phrase
  },
}

function pace({ interval }: RecurrenceRule): 'every' | 'second' | 'nth' {
  if (interval === 1) return 'every'
  return interval === 2 ? 'second' : 'nth'
}

function onlyOn(rule: string, days: readonly string[], { say, and }: Speech): string {
  return days.length === 0 ? rule : say('only.days', { rule, days: and(days) })
}

/** The weekdays of a rule that only lets days on them pass. */
function weekdayLimits({ byDay }: RecurrenceRule, speech: Speech): readonly string[] {
  return byDay.map((one) => weekdayElement(one, 'day', speech))
}

/** The weekdays of a month or a year: those at positions, or each on its own. */
function weekdayElements(rule: RecurrenceRule, speech: Speech): readonly string[] {
  const isPositioned = rule.bySetPos.length > 0 && arePositionsSaid(rule)
  if (isPositioned) return positionsOf(rule, speech.anyOf(rule.byDay), speech)
  return rule.byDay.map((one) => weekdayElement(one, 'day.each', speech))
}

function weekdayElement({ day, ordinal }: RuleDay, plain: 'day' | 'day.each', speech: Speech): string {
  const name = speech.weekday(day)
  return ordinal === undefined ? speech.say(plain, { day: name }) : speech.numbered(ordinal, name)
}

function positionsOf({ bySetPos }: RecurrenceRule, day: string, { numbered }: Speech): readonly string[] {
  return bySetPos.map((position) => numbered(position, day))
}

/** Whether positions are part of the days, as in “the last weekday”. Otherwise, they follow as a limit. */
function arePositionsSaid({ frequency, byDay, byMonthDay, byMonth, bySetPos }: RecurrenceRule): boolean {
  if (bySetPos.length === 0) return true
  const isOfPlainDays =
    byMonthDay.length === 0 && byDay.length > 0 && byDay.every(({ ordinal }) => ordinal === undefined)
  return isOfPlainDays && (frequency === 'MONTHLY' || (frequency === 'YEARLY' && byMonth.length <= 1))
}

/** “the fourth Thursday of November”, “the 20th Monday of the year”. */
function weekdaysInYear(rule: RecurrenceRule, speech: Speech): string {
  const place = rule.byMonth.length > 0 ? speech.and(rule.byMonth.map(speech.ofMonth)) : speech.say('year')
  return `${speech.and(weekdayElements(rule, speech))} ${place}`
}

/** More dates than these are said by days and by months. */
const maxDates = 4

/** “June 18 and July 18”, or “the 1st and the last day of June and of July”. */
function datesInYear({ byMonth, byMonthDay }: RecurrenceRule, { say, and, date, monthDay, ofMonth }: Speech): string {
  if (byMonth.length === 0) return `${and(byMonthDay.map(monthDay))} ${say('month.every')}`
  const areDates = byMonthDay.every((day) => day > 0 && byMonth.every((month) => day <= lengthOfMonth(month)))
  if (areDates && byMonth.length * byMonthDay.length <= maxDates) {
    return and(byMonth.flatMap((month) => byMonthDay.map((day) => say('day', { day: date(month, day) }))))
  }
  return `${and(byMonthDay.map(monthDay))} ${and(byMonth.map(ofMonth))}`
}

function lengthOfMonth(month: number): number {
  const leapYear = 2028
  return dayNumber(leapYear, month + 1, 1) - dayNumber(leapYear, month, 1)
}

/** Adds the days that the start sets because the rule names none. */
function withStartDays(rule: RecurrenceRule, start: LocalDateTime): RecurrenceRule {
  if (rule.byDay.length > 0 || rule.byMonthDay.length > 0 || rule.frequency === 'DAILY') return rule
  const { year, month, day } = partsOfLocalDateTime(start)
  if (rule.frequency === 'WEEKLY') {
    return { ...rule, byDay: [{ day: WEEKDAYS[weekdayOf(dayNumber(year, month, day))] ?? 'MO' }] }
  }
  const byMonth = rule.frequency === 'YEARLY' && rule.byMonth.length === 0 ? [month] : rule.byMonth
  return { ...rule, byMonth, byMonthDay: [day] }
}

/** Returns the most usual rule with the same dates, because calendar programs write one thing in several ways. */
function simplified(rule: RecurrenceRule): RecurrenceRule {
  const { frequency, interval, byDay, byMonthDay, byMonth, bySetPos } = rule
  if (interval > 1 || bySetPos.length > 0) return rule
  const arePlain = byDay.every(({ ordinal }) => ordinal === undefined)
  if (byMonthDay.length === 0 && byDay.length > 0 && arePlain) {
    const isEveryDay = byDay.length === WEEKDAYS.length
    return { ...rule, frequency: isEveryDay ? 'DAILY' : 'WEEKLY', byDay: isEveryDay ? [] : byDay }
  }
  if (frequency === 'MONTHLY' && byMonth.length > 0) return { ...rule, frequency: 'YEARLY' }
  if (byMonthDay.length === 0 || !arePlain || frequency === 'WEEKLY') return rule
  return { ...rule, frequency: byMonth.length > 0 ? 'YEARLY' : 'MONTHLY' }
}
