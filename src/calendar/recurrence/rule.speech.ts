import type { RecurrenceKey } from '../../base/languages/catalogue.ts'
import { utcDates } from '../../base/languages/date.writers.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from '../../base/languages/language.ts'
import { recurrenceText } from '../../base/languages/texts.ts'
import { dayNumber } from '../../base/time/local.date.time.ts'
import { type RuleDay, WEEKDAYS, type Weekday } from './recurrence.ts'

/** The words for days of rules in one language. */
export interface Speech {
  readonly say: (key: RecurrenceKey, values?: Readonly<Record<string, string | number>>) => string
  /** “Tuesday, Friday and Sunday”. */
  readonly and: (texts: readonly string[]) => string
  /** “Saturday or Sunday”, “weekday”, “day”: the days of a rule as one noun. */
  readonly anyOf: (days: readonly RuleDay[]) => string
  readonly weekday: (day: Weekday) => string
  /** “the second Friday”, “the last weekday”. */
  readonly numbered: (position: number, day: string) => string
  /** “the 15th”, “the last day”. */
  readonly monthDay: (number: number) => string
  readonly monthName: (month: number) => string
  /** “of April”. */
  readonly ofMonth: (month: number) => string
  /** “June 18”. */
  readonly date: (month: number, day: number) => string
}

/** The days that English calls weekdays. */
export const workDays: readonly Weekday[] = WEEKDAYS.slice(0, 5)

const daysOfWeek = WEEKDAYS.length
const dayMs = 86_400_000
/** A leap year whose first day is a Monday. */
const sampleYear = 2024

export function speechOf(language: TextLanguage): Speech {
  const tag = TEXT_LANGUAGE_CODES[language]
  const { locale } = catalogueOf(language).dates
  const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' })
  const disjunction = new Intl.ListFormat(locale, { type: 'disjunction' })
  const ordinals = new Intl.PluralRules(tag, { type: 'ordinal' })
  const dates = utcDates(language)
  const say: Speech['say'] = (key, values) => recurrenceText(language, key, values)
  const timeOf = (month: number, day: number) => dayNumber(sampleYear, month, day) * dayMs
  const weekday = (day: Weekday) => dates.text('weekday', timeOf(1, WEEKDAYS.indexOf(day) + 1))
  const monthName = (month: number) => dates.text('monthName', timeOf(month, 1))

  const ordinal = (number: number, kind: 'ordinal' | 'month-day') => {
    const form = ordinals.select(number)
    return say(`${kind}.${form === 'one' || form === 'two' || form === 'few' ? form : 'other'}`, { number })
  }
  const numbered = (position: number, day: string) => {
    const own = ownNumbers.find((one) => one === position)
    if (own !== undefined) return say(`numbered.${own}`, { day })
    const key = position > 0 ? 'numbered.other' : 'numbered.from-end'
    return say(key, { ordinal: ordinal(Math.abs(position), 'ordinal'), day })
  }
  return {
    say,
    and: (texts) => conjunction.format(texts),
    anyOf: (days) => {
      const names = days.map(({ day }) => day)
      if (names.length === daysOfWeek) return say('day.any')
      if (names.join() === workDays.join()) return say('day.weekday')
      return disjunction.format(names.map(weekday))
    },
    weekday,
    numbered,
    monthDay: (number) => (number > 0 ? ordinal(number, 'month-day') : numbered(number, say('day.any'))),
    monthName,
    ofMonth: (month) => {
      const name = monthName(month)
      return say(/^[aeiouy]/i.test(name) ? 'month.vowel' : 'month', { month: name })
    },
    date: (month, day) => dates.text('dayOfMonth', timeOf(month, day)),
  }
}

/** The positions that have a word of their own. */
const ownNumbers = [1, 2, 3, 4, 5, -1, -2] as const
