// Where a month shows its events: what lasts over days as one bar in each week, the others on their day. For pages, and
// where the calendar stands on other sites.

/** Bars that lie above each other on one day. */
export const mostBars = 3
/** Events of one day that are named below its bars. */
export const mostLines = 5

/**
 * The days of a month, each with the bars that begin on it, with those that pass over it, and with its own events.
 *
 * Each event is on each of its days exactly once: in a bar, in a line, or counted in `more`.
 *
 * @param spans Events as `{ event, start, end }`, in order; `start` and `end` count days from the first that is shown.
 * @param days How many days are shown.
 * @param before How many days of the first week are not shown.
 * @param totals How many events each day has, where there are others than those in `spans`.
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
    const lines = (linesByDay.get(day) ?? []).slice(0, mostLines)
    const total = totals?.[day] ?? spans.filter(({ start, end }) => start <= day && day <= end).length
    return {
      bars: own.filter(({ from }) => from === day),
      passing: own.filter(({ from }) => from < day),
      lanes: Math.max(0, ...own.map(({ lane }) => lane + 1)),
      lines: lines.map(({ event }) => event),
      total,
      more: total - own.length - lines.length,
    }
  })
}

/**
 * Bars week by week, in lanes: none lies over another. What finds no lane in a week has no bar in it.
 *
 * @returns Bars with the first and the last of their days, `{ event, from, to, lane, isBegun, goesOn }`.
 */
function barsOf(spans, { days, before }) {
  const bars = []
  for (let first = -before; first < days; first += 7) {
    const [begin, end] = [Math.max(first, 0), Math.min(first + 6, days - 1)]
    const lanes = Array.from({ length: mostBars }, () => begin - 1)
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
