/** An event with its first and its last day, counted from the first day that is shown. */
export interface Span<E> {
  readonly event: E
  readonly start: number
  readonly end: number
}

/** The days of an event within one week, in one of the lanes that lie above each other. */
export interface Bar<E> {
  readonly event: E
  readonly from: number
  readonly to: number
  /** 0 is the uppermost. */
  readonly lane: number
  /** Whether it began before its first day here. */
  readonly isBegun: boolean
  /** Whether it lasts beyond its last day here. */
  readonly goesOn: boolean
}

export interface DayLayout<E> {
  /** Those that begin on this day of the week. */
  readonly bars: readonly Bar<E>[]
  /** Those that began on an earlier day of the week. */
  readonly passing: readonly Bar<E>[]
  /** How many lanes stay free for them. */
  readonly lanes: number
  readonly lines: readonly E[]
  readonly total: number
  /** How many events are not shown. */
  readonly more: number
}

export const mostBars: number
export const mostLines: number

export function layOutDays<E>(
  spans: readonly Span<E>[],
  grid: { readonly days: number; readonly before?: number; readonly totals?: readonly number[] },
): readonly DayLayout<E>[]
