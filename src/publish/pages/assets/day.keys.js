// From day to day and from month to month by keys: on pages, and in the calendar on other sites.

const daysByKey = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
const monthsByKey = { PageUp: 'prev', PageDown: 'next' }

/**
 * Where a key leads from a day: to another day that is shown, or to a month beside it.
 *
 * @param grid The list of days.
 * @returns `day` is the link of a day, `month` is `prev` or `next`; neither where the key leads nowhere.
 */
export function stepByKey(event, grid) {
  const { key, target } = event
  const cell = [...grid.children].find((one) => one.contains(target))
  if (!cell || event.metaKey || event.ctrlKey || event.altKey) return {}
  const own = [...grid.children].filter((one) => !one.matches('.outside'))
  const ends = { Home: own[0], End: own.at(-1) }
  if (![daysByKey, monthsByKey, ends].some((keys) => Object.hasOwn(keys, key))) return {}
  event.preventDefault()
  const day = ends[key] ?? grid.children[[...grid.children].indexOf(cell) + daysByKey[key]]
  return { month: monthsByKey[key], day: day?.querySelector('.day-link') }
}

/** The link of the first day of the month itself. */
export function firstDayLink(root) {
  return root.querySelector('.days > li:not(.outside) .day-link')
}

/**
 * Makes one stop of the Tab key of a month, as of one control: the day that had the focus last, and what is on it.
 *
 * @param cell That day; without one the chosen day, today, or the first of the month.
 */
export function keepOneStop(grid, cell) {
  const chosen =
    cell ??
    grid.querySelector('.chosen') ??
    grid.querySelector('.today') ??
    firstDayLink(grid.parentElement).closest('li')
  for (const one of grid.children) {
    for (const link of one.querySelectorAll('a, button')) link.tabIndex = one === chosen ? 0 : -1
  }
}

/** Follows the focus from day to day. */
export function followFocus(event) {
  const grid = event.target.closest('.days')
  if (grid)
    keepOneStop(
      grid,
      [...grid.children].find((one) => one.contains(event.target)),
    )
}
