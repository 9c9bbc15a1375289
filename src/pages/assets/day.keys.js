// From day to day and from month to month by keys: on pages, and in the calendar on other sites.

const daysByKey = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
const monthsByKey = { PageUp: 'prev', PageDown: 'next' }

/**
 * Where a key leads from a day: to another day of the same month, or to a month beside it.
 *
 * @param days The elements of all days that are seen, in order.
 * @param day The one that has the focus.
 * @returns `day` is an element, `month` is `prev` or `next`; neither where the key leads nowhere.
 */
export function stepByKey(event, days, day) {
  const { key } = event
  if (event.metaKey || event.ctrlKey || event.altKey) return {}
  const ends = { Home: days[0], End: days.at(-1) }
  if (![daysByKey, monthsByKey, ends].some((keys) => Object.hasOwn(keys, key))) return {}
  event.preventDefault()
  return { month: monthsByKey[key], day: ends[key] ?? days[days.indexOf(day) + daysByKey[key]] }
}
