/** An event with its first and its last day, counted from the first day that is shown. */
export interface Span<E> {
  readonly event: E
  readonly start: number
  readonly end: number
}

/** The days of an event within one week, in one of several stacked lanes. */
export interface Bar<E> {
  readonly event: E
  readonly from: number
  readonly to: number
  /** 0 is the top lane. */
  readonly lane: number
  /** Whether the event began before its first day in this week. */
  readonly isBegun: boolean
  /** Whether the event continues after its last day in this week. */
  readonly goesOn: boolean
}

export interface DayLayout<E> {
  /** Bars that begin on this day of the week. */
  readonly bars: readonly Bar<E>[]
  /** Bars that began on an earlier day of the week. */
  readonly passing: readonly Bar<E>[]
  /** The number of lanes to keep free for bars. */
  readonly lanes: number
  readonly lines: readonly E[]
  /** The number of lines for which the cell has room. */
  readonly inCell: number
  readonly total: number
  /** The number of events that are not shown. */
  readonly more: number
}

export const maxBars: number
export const maxLines: number

export function layOutDays<E>(
  spans: readonly Span<E>[],
  grid: { readonly days: number; readonly before?: number; readonly totals?: readonly number[] },
): readonly DayLayout<E>[]
