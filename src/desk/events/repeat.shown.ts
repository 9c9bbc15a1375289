/** A date of what repeats, before anything is saved. */
export interface RepeatDate {
  /** The date as the form names it: `2030-01-05` or `2030-01-05 19:00`. */
  readonly date: string
  readonly text: string
  /** The title of another event at the same time in the same place. */
  readonly clash: string | undefined
  readonly isFirst: boolean
}

/** All dates of what repeats, or a text instead of them. */
export interface RepeatDates {
  readonly dates: readonly RepeatDate[]
  readonly total: number
  readonly summary: string
  readonly clash: string | undefined
  readonly text: string | undefined
}
