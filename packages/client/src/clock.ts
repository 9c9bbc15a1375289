const minuteMs = 60_000
/** By how much clocks are put back, in all zones of today. */
const puttingsBack = [60 * minuteMs, 30 * minuteMs]

/**
 * What a clock on the wall shows at a moment, as the service reads it: `2030-05-01 19:00:00`.
 *
 * @param zone An IANA name, or an offset such as `UTC-5` or `UTC+5.5`.
 * @throws RangeError, where there is no such zone; or where the clock shows the same for the second time, after it was
 * put back: the service would take the first
 */
export function wallClock(moment: Date, zone: string): string {
  const shown = shownBy(zone)
  const text = shown(moment.getTime())
  if (puttingsBack.some((ms) => shown(moment.getTime() - ms) === text)) {
    throw new RangeError(`Clocks in ${zone} show ${text} twice; a zone such as UTC-5 tells which is meant.`)
  }
  return text
}

function shownBy(zone: string): (ms: number) => string {
  const offset = /^UTC([+-]\d{1,2}(?:\.\d+)?)$/.exec(zone)?.[1]
  if (offset !== undefined) {
    return (ms) => textOf(new Date(ms + Number(offset) * 60 * minuteMs).toISOString().split(/\D/))
  }
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    return textOf((['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((type) => parts.get(type) ?? ''))
  }
}

function textOf([year, month, day, hour, minute, second]: readonly string[]): string {
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}
