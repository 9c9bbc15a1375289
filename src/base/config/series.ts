import { setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** The settings of series: what happens again and again. */
export const seriesSettings = {
  seriesMonthsAhead: setting(
    'SERIES_MONTHS_AHEAD',
    '25',
    'Number of months for which the dates of a series without an end are created. The service adds the dates that come into this range every day.',
    wholeNumber(1, 120),
  ),
  seriesMostDates: setting(
    'SERIES_MOST_DATES',
    '800',
    'Maximum number of dates of a series that are still to come, and of those that one write adds. Each date is an event.',
    wholeNumber(1, 2000),
  ),
} as const
