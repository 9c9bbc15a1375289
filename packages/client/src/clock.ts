const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Returns the local time at a moment. Both are milliseconds since 1970, with the local time read as if it were UTC. */
type Clock = (moment: number) => number

/**
 * Returns the local time at a moment, in the format of the service: `2030-05-01 19:00:00`.
 *
 * @param zone An IANA name, or an offset such as `UTC-5` or `UTC+5.5`.
 * @throws RangeError, if the zone does not exist; or if the local time occurs for the second time, after the clocks
 * were put back: the service would take the first
 */
export function localTimeIn(moment: Date, zone: string): string {
  const clock = clockIn(zone)
  const second = Math.floor(moment.getTime() / 1000) * 1000
  const shown = clock(second)
  const text = new Date(shown).toISOString().slice(0, 19).replace('T', ' ')
  const putBackMs = clock(second - dayMs) + dayMs - shown
  if (putBackMs > 0 && clock(second - putBackMs) === shown) {
    throw new RangeError(`Clocks in ${zone} show ${text} twice; a zone such as UTC-5 tells which is meant.`)
  }
  return text
}

function clockIn(zone: string): Clock {
  const offset = /^UTC([+-]\d{1,2}(?:\.\d+)?)$/.exec(zone)?.[1]
  if (offset !== undefined) return (moment) => moment + Number(offset) * hourMs
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  }
}
