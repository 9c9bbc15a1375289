import fc from 'fast-check'

/** For tests: zones with whole-hour, half-hour and no summer time, west and east, and UTC. */
export const cities = [
  'America/Toronto',
  'America/Vancouver',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
]

const latestSeconds = 4_102_444_800 // 1 January 2100

/**
 * For tests: seconds from 1970 to 2100. Every second value is within two hours of a change of the zone's offset, if it
 * has any.
 */
export function secondsAround(zoneName: string): fc.Arbitrary<number> {
  const anywhere = fc.integer({ min: 1, max: latestSeconds })
  const changes = clockChanges(zoneName)
  if (changes.length === 0) return anywhere
  const nearby = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -7200, max: 7200 }))
  return fc.oneof(
    anywhere,
    nearby.map(([change, distance]) => change + distance),
  )
}

/**
 * Returns the seconds since 1970 of each offset change, as a reading in UTC and as one in local time: both edges of a
 * gap.
 */
function clockChanges(zoneName: string): readonly number[] {
  const changes: number[] = []
  let moment = new Temporal.ZonedDateTime(0n, zoneName).getTimeZoneTransition('next')
  while (moment !== null && moment.epochMilliseconds / 1000 < latestSeconds) {
    const seconds = moment.epochMilliseconds / 1000
    changes.push(seconds, seconds + moment.offsetNanoseconds / 1e9)
    moment = moment.getTimeZoneTransition('next')
  }
  return changes
}
