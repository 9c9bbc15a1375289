import type { Text } from '../plural.ts'

/** Why a recurrence is refused. The faults of the parts of a rule have their names. */
export const recurrenceMessages = {
  'fault.recurrence.form':
    '“{name}” must be an object with rrule, dates or both, such as {example}, or lines of iCalendar, such as RRULE:FREQ=WEEKLY;BYDAY=FR.',
  'fault.recurrence.member': '“{name}” has the unknown member “{part}”. Allowed: {allowed}, such as {example}.',
  'fault.recurrence.line':
    'Every line of “{name}” must be an RRULE, RDATE or EXDATE, such as RRULE:FREQ=WEEKLY;BYDAY=FR. This one is not: “{part}”.',
  'fault.recurrence.long': 'The rule in “{name}” must have at most {most} characters, such as FREQ=WEEKLY;BYDAY=FR.',
  'fault.recurrence.two-rules':
    '“{name}” must have one rule, such as FREQ=WEEKLY;BYDAY=TU,FR. Create another series for another rule.',
  'fault.recurrence.part':
    'The rule in “{name}” has the part “{part}”, which is not supported. Allowed: {allowed}, such as FREQ=WEEKLY;BYDAY=FR.',
  'fault.recurrence.twice': 'The rule in “{name}” has {part} twice. Send it once, such as BYDAY=TU,FR.',
  'fault.recurrence.FREQ':
    'FREQ in “{name}” must be DAILY, WEEKLY, MONTHLY or YEARLY, such as FREQ=WEEKLY. Events cannot repeat within a day.',
  'fault.recurrence.INTERVAL':
    'INTERVAL in “{name}” must be a whole number from 1 to 999, such as INTERVAL=2 for every second week.',
  'fault.recurrence.BYMONTH': 'BYMONTH in “{name}” must have numbers of months from 1 to 12, such as BYMONTH=6,7.',
  'fault.recurrence.BYMONTHDAY':
    'BYMONTHDAY in “{name}” must have days from 1 to 31, or from -1 to -31 to count from the end, such as BYMONTHDAY=1,-1.',
  'fault.recurrence.BYDAY':
    'BYDAY in “{name}” must have the weekdays MO, TU, WE, TH, FR, SA or SU, with a number from 1 to 53 or -1 to -53 for one of them, such as BYDAY=TU,FR or BYDAY=-1FR.',
  'fault.recurrence.BYSETPOS':
    'BYSETPOS in “{name}” must have positions from 1 to 366, or from -1 to -366 to count from the end, such as BYSETPOS=-1.',
  'fault.recurrence.COUNT': 'COUNT in “{name}” must be a whole number from 1 to 9999, such as COUNT=10.',
  'fault.recurrence.UNTIL':
    'UNTIL in “{name}” must be a day or a time that exists, such as UNTIL=20300131 or UNTIL=20300131T190000.',
  'fault.recurrence.WKST': 'WKST in “{name}” must be one of MO, TU, WE, TH, FR, SA and SU, such as WKST=SU.',
  'fault.recurrence.count-and-until':
    'The rule in “{name}” must have COUNT or UNTIL, not both, such as FREQ=WEEKLY;COUNT=10.',
  'fault.recurrence.ordinal':
    'BYDAY in “{name}” may number weekdays only with FREQ=MONTHLY or FREQ=YEARLY, such as FREQ=MONTHLY;BYDAY=2FR.',
  'fault.recurrence.weekly-month-day':
    'BYMONTHDAY in “{name}” cannot be used with FREQ=WEEKLY. Send FREQ=MONTHLY, such as FREQ=MONTHLY;BYMONTHDAY=15.',
  'fault.recurrence.position':
    'BYSETPOS in “{name}” needs BYDAY, BYMONTHDAY or BYMONTH, such as FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1.',
  'fault.recurrence.date':
    '“{part}” in “{name}” must be a day or a time that exists, such as 2030-01-31 or 2030-01-31 19:00:00.',
  'fault.recurrence.zone': '“{part}” in “{name}” is not a known time zone. Send one such as America/Toronto.',
  'fault.recurrence.too-many':
    '“{name}” must have at most {most} dates in {part}. Use a rule for more, such as FREQ=WEEKLY.',
  'fault.recurrence.before-start':
    '“{part}” in “{name}” must not be before the start of the event, which is {start}. The start is the first date.',
  'fault.recurrence.too-far':
    '“{part}” in “{name}” must be at most {most} years after the start of the event, {start}. Leave the end of a rule out if there is none.',
  'fault.recurrence.never':
    'The rule in “{name}” gives no date in the {most} years after the start of the event, {start}. Check its days and months, such as FREQ=MONTHLY;BYMONTHDAY=31.',
  'fault.recurrence.no-dates':
    '“{name}” leaves out all of its dates from {start} on. Remove some of the dates in except.',
} as const satisfies Readonly<Record<string, Text>>
