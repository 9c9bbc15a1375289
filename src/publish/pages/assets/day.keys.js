// Keyboard navigation between days and months: on pages, and in the calendar on other sites.

const daysByKey = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
const monthsByKey = { PageUp: 'prev', PageDown: 'next' }

/**
 * Returns the target of a key: another day that is shown, or the month before or after.
 *
 * @param grid The list of days.
 * @returns `day` is the link of a day, `month` is `prev` or `next`; neither if the key has no target.
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

/** Returns the link of the first day of the month itself. */
export function firstDayLink(root) {
  return root.querySelector('.days > li:not(.outside) .day-link')
}

/**
 * Makes a month a single tab stop: the day that had the focus last, and its events.
 *
 * @param cell That day; by default the chosen day, today, or the first of the month.
 */
export function keepOneStop(grid, cell) {
  const chosen =
    cell ??
    grid.querySelector('.chosen') ??
    grid.querySelector('.today') ??
    firstDayLink(grid.parentElement).closest('li')
  for (const one of grid.children) {
    for (const link of one.querySelectorAll('a, button, summary')) link.tabIndex = one === chosen ? 0 : -1
  }
}

/** Moves the tab stop to the focused day. */
export function followFocus(event) {
  const grid = event.target.closest('.days')
  if (grid)
    keepOneStop(
      grid,
      [...grid.children].find((one) => one.contains(event.target)),
    )
}
