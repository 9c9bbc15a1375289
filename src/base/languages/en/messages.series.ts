/** What can go wrong with series: events that repeat, and their dates. */
export const seriesMessages = {
  'series-not-found': 'No series has this id.',
  'series-date-not-found': 'The series has no date with this id.',
  'series-invalid-rule': 'The rule of the series cannot be used.',
  'series-no-dates': 'The series would have no dates. Send a rule that gives at least one, such as FREQ=WEEKLY.',
  'series-too-many-dates':
    'The series would have too many dates. Send a rule that ends earlier, such as FREQ=WEEKLY;COUNT=52.',
  'series-dates-in-use':
    'Dates that the series would lose have changes or tickets of their own. Send drop=true to move them to the trash.',
  'series-scope':
    'This event is not a date of a series with texts in its language. Leave out scope, or send scope=this.',
  'series-is-in-trash': 'The series is in the trash. Restore it first.',
  'fault.series.too-many':
    '“{name}” gives {count} dates that are new or still to come. A series has at most {most}, such as FREQ=WEEKLY;COUNT=52.',
  'fault.series.segments':
    'The rule has changed at {most} dates already, which is the maximum. Change the whole series with scope=all and past=true.',
  'fault.series.size':
    'Each of the {count} dates has all texts of the series, and together they may have {most} MB. Shorten “{name}” so that the texts have less than {each} KB, or send a rule with fewer dates.',
  'fault.series.sizes':
    'The series of one request may have {most} MB of texts on all of their dates together. Send them in several requests, or shorten “{name}”.',
  'fault.series.this': '“{name}” changes several dates. Send scope=following or scope=all with it.',
  'fault.series.translation': '“{name}” cannot be sent for a translation. Send it for the original event.',
  'fault.series.event':
    '“{name}” must have ids of events of one language that you may change and that are in no series: {part}.',
  'fault.series.fields': '“{name}” must have fields that the date does not share with its series: {allowed}.',
  'fault.series.early':
    '“{name}” must be after {start}. That is the last date before those that you change, and it stays. Change all dates with scope=all and past=true.',
  'fault.series.positions':
    '“{name}” cannot move the rule {part} to this day, because it counts days in months. Send the new rule too, as “recurrence”.',
  'fault.series.date': '“{name}” must be a date that the series does not have yet, such as 2030-01-31 19:00:00.',
} as const
