// The table `event_tallies` says how many events of the facet of all begin on a day, by one of two clocks: 0 is their own,
// 1 that of UTC.

/** Seconds from the first day that can be written to 1970. */
export const epochSeconds = 62_135_596_800
export const daySeconds = 86_400

/** The number of a day in local time, as the daily counts have it: 20300115. */
export function localDay(localDateTime: string): number {
  return Number(localDateTime.slice(0, 10).replaceAll('-', ''))
}

/** The number of a day in UTC, as the daily counts have it. */
export function utcDay(seconds: number): number {
  return Math.floor((seconds + epochSeconds) / daySeconds)
}
