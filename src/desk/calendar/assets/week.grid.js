import { clockOf, dayMinutes, minutesOf, timeText } from './local.times.js'

/** The scale begins at this hour, or at the first event. */
const usualFirst = 8 * 60
/** An event is at least as high as a finger. */
const shortest = 60

/** With more events at a time, columns are too narrow for words. Each event then begins below the title of its neighbour. */
const maxColumns = 2

/** Wide enough for seven days side by side, with a mouse, as in the style sheet. */
const wide = matchMedia('(min-width: 64rem) and (not (pointer: coarse))')

/** Returns the events of a day in columns, so that none covers another: `{ item, from, length, column, columns }`. */
export function inColumns(spans) {
  const placed = []
  let group = []
  let end = -1
  const close = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column + 1))
    placed.push(...group.map((one) => ({ ...one, columns })))
    group = []
  }
  for (const span of spans.toSorted((one, other) => one.from - other.from || other.length - one.length)) {
    if (span.from >= end) close()
    const taken = group.filter((one) => one.from + one.length > span.from).map(({ column }) => column)
    const column = Array.from({ length: taken.length + 1 }, (_, place) => place).find((one) => !taken.includes(one))
    group.push({ ...span, column })
    end = Math.max(group.length === 1 ? -1 : end, span.from + span.length)
  }
  close()
  return placed
}

function spanOf(item) {
  const [start, end] = [minutesOf(item.dataset.start), minutesOf(item.dataset.end)]
  const from = clockOf(start)
  return { item, from, length: Math.min(Math.max(end - start, shortest), dayMinutes - from) }
}

function place(element, { from, length, column = 0, columns = 1 }) {
  for (const [name, value] of Object.entries({ from, length, column, columns })) {
    element.style.setProperty(`--${name}`, String(value))
  }
  element.classList.toggle('stairs', columns > maxColumns)
}

/** Draws the hours beside the first day. Screen readers read the times of the events. */
function hourLabels(first) {
  const labels = document.createElement('div')
  labels.className = 'hour-labels'
  labels.setAttribute('aria-hidden', 'true')
  for (let from = first; from < dayMinutes; from += 60) {
    const label = document.createElement('span')
    label.textContent = timeText(from)
    place(label, { from, length: 60 })
    labels.append(label)
  }
  return labels
}

/**
 * Places the events of a week on a scale of hours. On narrow screens they stay a list.
 *
 * @returns The scale; undefined without a week.
 */
export function scaleWeek(week) {
  if (!week) return undefined
  const areas = [...week.querySelectorAll('.hours')]
  const spans = areas.map((area) => [...area.querySelectorAll('[data-start]')].map(spanOf))
  const earliest = Math.min(usualFirst, ...spans.flat().map(({ from }) => from))
  const first = Math.floor(earliest / 60) * 60
  week.style.setProperty('--first', String(first))
  for (const span of spans.flatMap(inColumns)) place(span.item, span)
  for (const { dataset, style } of week.querySelectorAll('[data-lane]')) {
    for (const name of ['lane', 'days']) style.setProperty(`--${name}`, dataset[name])
  }
  areas[0].append(hourLabels(first))
  week.classList.add('scaled')
  const ghost = document.createElement('div')
  ghost.className = 'ghost'
  ghost.setAttribute('aria-hidden', 'true')
  return {
    first,
    isShown: () => wide.matches,
    /** Returns the minutes since midnight at a height of the page; undefined above the hours of the day. */
    timeAt: (day, y) => {
      if (!wide.matches) return undefined
      const { top, height } = day.querySelector('.hours').getBoundingClientRect()
      return y < top ? undefined : first + ((y - top) / height) * (dayMinutes - first)
    },
    /** Shows where an event would be; nowhere without a day. */
    showGhost: (day, minutes, length = 60) => {
      if (!day || !wide.matches) return ghost.remove()
      const from = Math.max(first, clockOf(minutes))
      place(ghost, { from, length: Math.min(Math.max(length, shortest), dayMinutes - from) })
      ghost.textContent = timeText(minutes)
      day.querySelector('.hours').append(ghost)
    },
  }
}
