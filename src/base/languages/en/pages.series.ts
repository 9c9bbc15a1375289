import type { Text } from '../plural.ts'

/** The texts of public pages about series: what happens again and again. */
export const pageSeriesTexts = {
  'series.dates': 'All dates',
  'series.all': 'See all dates',
  'series.more': { one: '{count} more date', other: '{count} more dates' },
  'series.count-coming': { one: '{count} upcoming date', other: '{count} upcoming dates' },
  'series.count-past': { zero: 'Past dates', one: '{count} past date', other: '{count} past dates' },
  'series.next': 'Next date',
  'series.last': 'Last date',
  'series.previous': 'Previous date',
  'series.coming': 'More dates',
  'series.earlier': 'Earlier dates',
  'series.show-past': 'Past dates',
  'series.show-coming': 'Upcoming dates',
  'series.nothing-past': 'There are no past dates.',
  'series.neighbours': 'Dates before and after',
  'series.calendar': 'All dates (.ics)',
  'series.instead': 'Instead of {date}',
  'series.gone': 'This date is no longer part of the series.',
  'series.no-date': 'The series has no such date.',
  'series.fold': 'Show each series once',
  'series.unfold': 'Show every date',
} as const satisfies Readonly<Record<string, Text>>
