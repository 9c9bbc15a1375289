/** The texts of series: events that repeat. */
export const seriesTexts = {
  'id.series': 'Id of the series.',
  'Event.recurring': 'Whether the event is a date of a series. Missing otherwise.',
  SeriesOfEvent:
    'The series of which an event is a date. If a password protects the event, only the first two members are shown.',
  'SeriesOfEvent.recurrence_id':
    'The local start that the rule gave the date. With the series, it identifies the date, even if the date is moved.',
  'SeriesOfEvent.rest_url': 'The series in the interface.',
  'SeriesOfEvent.url': 'The page of the series.',
  'SeriesOfEvent.all_url': 'The page with all dates of the series.',
  'SeriesOfEvent.is_modified': 'Whether the date differs from the series.',
  'SeriesOfEvent.own_fields': 'The fields in which the date does not follow the series.',
  'SeriesOfEvent.rrule': 'The rule (RFC 5545). Empty if the series only has dates.',
  'SeriesOfEvent.text': 'The rule in words.',
  'SeriesOfEvent.dates_until': 'The day until when the dates of a series without an end exist. Null if it has an end.',
} as const
