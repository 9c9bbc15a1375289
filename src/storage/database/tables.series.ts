import type { Generated } from 'kysely'

/** A part of a series with rules of its own. The first date of the next part ends it. */
export interface SeriesRuleTable {
  id: Generated<number>
  /** The original of the translations of the series. */
  series_id: number
  position: number
  /** Dates of this part begin at or after this local time. All of these are 'YYYY-MM-DD hh:mm:ss' in `timezone`. */
  from_local: string
  /** The times of the first date, from which the times of all dates follow. */
  start_local: string
  end_local: string
  timezone: string
  is_all_day: 0 | 1
  /** A rule of RFC 5545 in normal form. '' for dates only. */
  rrule: string
  /** JSON list of further dates. */
  dates: string
  /** JSON list of dates that are left out. */
  except: string
}

/** An event that is a date of a series. */
export interface OccurrenceTable {
  event_id: number
  /** The original of the translations of the series, also for a date in another language. */
  series_id: number
  /** The local start that the rules gave the date. With the series, it identifies the date forever. */
  recurrence_id: string
  /** The end of its address: '{slug of the series}/{YYYY-MM-DD}', or with '/2' for the second date of a day. */
  path: string
  /** JSON list of the arguments that were changed on this date. It does not follow the series in these. */
  own_fields: string
  /** 1 if the series no longer has this date. It is in the trash. */
  is_dropped: 0 | 1
  language: string
}

/** What follows from the rules of a series, and the number of changes of its dates. */
export interface SeriesStateTable {
  series_id: number
  /** Dates until this local time exist. */
  made_until: string
  is_endless: 0 | 1
  /** The number of changes of rules and times, for iCalendar. */
  sequence: number
}

/** The address of a date that was deleted for good. No other date gets it. */
export interface RetiredPathTable {
  path: string
  language: string
}
