import { setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** The settings of series: what happens again and again. */
export const seriesSettings = {
  seriesMonthsAhead: setting('SERIES_MONTHS_AHEAD', '25', wholeNumber(1, 120)),
  seriesMostDates: setting('SERIES_MOST_DATES', '800', wholeNumber(1, 2000)),
} as const
