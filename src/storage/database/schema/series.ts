import { flag, id, integer, numbered, table, text } from './table.ts'

/** Parts of series with rules of their own. The first date of the next part ends a part. */
export const series_rules = table(
  {
    id: numbered(),
    /** The original of the translations of the series. */
    series_id: id().references('records.id', 'cascade'),
    position: integer(),
    /** Dates of this part begin at or after this local time. All of these are 'YYYY-MM-DD hh:mm:ss' in `timezone`. */
    from_local: text(),
    /** The times of the first date, from which the times of all dates follow. */
    start_local: text(),
    end_local: text(),
    timezone: text(),
    is_all_day: flag(),
    /** A rule of RFC 5545 in normal form. '' for dates only. */
    rrule: text(),
    /** JSON list of further dates. */
    dates: text(),
    /** JSON list of dates that are left out. */
    except: text(),
  },
  { unique: { position: ['series_id', 'position'] } },
)

/** Events that are dates of a series. */
export const occurrences = table(
  {
    event_id: id().key().references('events.record_id', 'cascade'),
    /** The original of the translations of the series, also for a date in another language. */
    series_id: id().references('records.id', 'cascade'),
    /** The local start that the rules gave the date. With the series, it identifies the date forever. */
    recurrence_id: text(),
    /** The end of its address: '{slug of the series}/{YYYY-MM-DD}', or with '/2' for the second date of a day. */
    path: text(),
    /** JSON list of the arguments that were changed on this date. It does not follow the series in these. */
    own_fields: text().default('[]'),
    /** 1 if the series no longer has this date. It is in the trash. */
    is_dropped: flag().default(0),
    language: text(),
  },
  {
    unique: { date: ['series_id', 'recurrence_id', 'language'], path: ['path', 'language'] },
    indexes: { series: '(series_id, event_id)' },
  },
)

/** What follows from the rules of a series, and the number of changes of its dates. */
export const series_state = table(
  {
    series_id: id().key().references('records.id', 'cascade'),
    /** Dates until this local time exist. */
    made_until: text(),
    is_endless: flag(),
    /** The number of changes of rules and times, for iCalendar. */
    sequence: integer(),
  },
  { indexes: { endless: '(made_until, series_id) where is_endless = 1' } },
)

/** The addresses of dates that were deleted for good. No other date gets them. */
export const retired_paths = table({ path: text(), language: text() }, { key: ['path', 'language'], isClustered: true })
