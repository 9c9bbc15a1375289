// Local dates and times, `2030-01-22 19:00:00`, are treated as UTC, so no time zone moves them.

import { capitalised, createDateWriter } from '../../../base/languages/dates.js'

const dayMs = 86_400_000
/** A night that ends by this time belongs to the day on which it began. */
const nightEnd = '05:00:00'

const instantOf = (dateTime) => Date.parse(`${dateTime.replace(' ', 'T')}${dateTime.length > 10 ? '' : 'T00:00:00'}Z`)

/** Returns functions that write dates by the rules of a language. */
export function dateWriter(rules) {
  const { text, days, span } = createDateWriter(rules, 'UTC')
  return {
    /** For use within a sentence: “lundi 14 décembre 2030”, “19 h”. */
    text: (style, dateTime) => text(style, instantOf(dateTime)),
    /** The same for the beginning of a line or a heading. */
    line: (style, dateTime) => capitalised(text(style, instantOf(dateTime))),
    /** Hours, or start and end, for use within a sentence. */
    span: ({ start, end, isAllDay }) => (isAllDay ? days : span)(instantOf(start), instantOf(end)),
  }
}

/** Reports if a text is a valid day: `2030-01-31`. */
export function isDay(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(instantOf(text)) && addDays(text, 0) === text
}

export function addDays(day, count) {
  return new Date(instantOf(day) + count * dayMs).toISOString().slice(0, 10)
}

/** Returns the number of days from one day to another. */
export function daysBetween(from, to) {
  return Math.round((instantOf(to) - instantOf(from)) / dayMs)
}

/** Returns the first day of the month that is `count` months later. */
export function addMonths(day, count) {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
}

export function firstOfMonth(day) {
  return `${day.slice(0, 8)}01`
}

export function lastOfMonth(day) {
  return addDays(addMonths(day, 1), -1)
}

/** Sunday is 0. */
export function weekdayOf(day) {
  return new Date(instantOf(day)).getUTCDay()
}

/** Returns the current day in the time zone of the calendar, not of the visitor. */
export function todayIn(zone) {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).formatToParts(new Date())
  const part = (type) => parts.find((one) => one.type === type).value
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** Returns the last day of an event as readers count it. */
export function lastDayOf({ start, end, isAllDay }) {
  const day = end.slice(0, 10)
  return !isAllDay && day > start.slice(0, 10) && end.slice(11) <= nightEnd ? addDays(day, -1) : day
}
