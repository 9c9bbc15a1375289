// Places events in a month: one bar a week for an event of several days, a line for the rest. Used on pages and on
// other sites.

/** The maximum number of stacked bars on a day. */
export const maxBars = 3
/** The maximum number of events listed below the bars of a day. */
export const maxLines = 5
/** The number of rows in a cell: bars, lines, and the number of the rest. */
const rows = 4

/**
 * Returns the days of a month, each with the bars that begin on it, those that continue on it, and its own events.
 *
 * Each event is on each of its days exactly once: in a bar, in a line, or counted in `more`.
 *
 * @param spans Events as `{ event, start, end }`, in order; `start` and `end` count days from the first that is shown.
 * @param days The number of days shown.
 * @param before The number of days of the first week that are not shown.
 * @param totals The number of events of each day, if there are others than those in `spans`.
 */
export function layOutDays(spans, { days, before = 0, totals }) {
  const bars = barsOf(
    spans.filter(({ start, end }) => end > start),
    { days, before },
  )
  const linesByDay = Map.groupBy(
    spans.filter(({ start, end }) => start === end),
    ({ start }) => start,
  )
  return Array.from({ length: days }, (_, day) => {
    const own = bars.filter(({ from, to }) => from <= day && day <= to)
    const lines = (linesByDay.get(day) ?? []).slice(0, maxLines)
    const lanes = Math.max(0, ...own.map(({ lane }) => lane + 1))
    const total = totals?.[day] ?? spans.filter(({ start, end }) => start <= day && day <= end).length
    return {
      bars: own.filter(({ from }) => from === day),
      passing: own.filter(({ from }) => from < day),
      lanes,
      lines: lines.map(({ event }) => event),
      inCell: Math.min(lines.length, total - own.length > rows - lanes ? rows - lanes - 1 : rows),
      total,
      more: total - own.length - lines.length,
    }
  })
}

/**
 * Returns bars week by week, in lanes without overlap. An event without a free lane has no bar that week.
 *
 * @returns Bars with their first and last day, `{ event, from, to, lane, isBegun, goesOn }`.
 */
function barsOf(spans, { days, before }) {
  const bars = []
  for (let first = -before; first < days; first += 7) {
    const [begin, end] = [Math.max(first, 0), Math.min(first + 6, days - 1)]
    const lanes = Array.from({ length: maxBars }, () => begin - 1)
    const own = spans
      .filter((span) => span.start <= end && span.end >= begin)
      .map((span) => ({ span, from: Math.max(span.start, begin), to: Math.min(span.end, end) }))
      .toSorted((one, other) => one.from - other.from || one.span.start - other.span.start || other.to - one.to)
    for (const { span, from, to } of own) {
      const lane = lanes.findIndex((taken) => taken < from)
      if (lane === -1) continue
      lanes[lane] = to
      bars.push({ event: span.event, from, to, lane, isBegun: span.start < from, goesOn: span.end > to })
    }
  }
  return bars
}
