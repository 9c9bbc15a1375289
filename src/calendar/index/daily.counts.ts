/** Seconds from the first day that can be written to 1970. */
export const epochSeconds = 62_135_596_800
export const daySeconds = 86_400

/** The table `event_tallies`: how many events of the facet of all begin on a day of one of the two clocks. */
export interface DailyCountTable {
  /** 0: their own clock; 1: that of UTC. */
  clock: number
  /** See `localDay` and `utcDay`. */
  day: number
  shown_to: number
  number: number
}

/** The number of a day in local time, as the daily counts have it: 20300115. */
export function localDay(localDateTime: string): number {
  return Number(localDateTime.slice(0, 10).replaceAll('-', ''))
}

/** The number of a day in UTC, as the daily counts have it. */
export function utcDay(seconds: number): number {
  return Math.floor((seconds + epochSeconds) / daySeconds)
}
