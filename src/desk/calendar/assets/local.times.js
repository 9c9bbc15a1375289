// Local times as minutes: a calendar counts them without a time zone.

export const dayMinutes = 1440

/** Returns the minutes of a day or a time: `2030-01-22`, `2030-01-22T19:00`, `2030-01-22 19:00`. */
export function minutesOf(local) {
  return Date.parse(`${local.slice(0, 10)}T${local.slice(11) || '00:00'}Z`) / 60_000
}

/** Returns a time: `2030-01-22T19:00`. */
export function localOf(minutes) {
  return new Date(minutes * 60_000).toISOString().slice(0, 16)
}

/** Returns the minutes since midnight. */
export function clockOf(minutes) {
  return ((minutes % dayMinutes) + dayMinutes) % dayMinutes
}

const { locale } = document.querySelector('[data-calendar]').dataset
const days = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
const times = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })

export function dayText(minutes) {
  return days.format(minutes * 60_000)
}

export function timeText(minutes) {
  return times
    .format(minutes * 60_000)
    .replace(/(?<=\sh)\s00$/, '')
    .replace(/:00(?=\s)/, '')
}
