import { parseDateText } from '../../base/time/date-text.ts'
import { epochSecondsOf, utcZone, type Zone } from '../../base/time/zone.ts'

/** A publication date as the texts that clients send. */
export interface SentDates {
  /** In the local time of the site, unless it has an offset. */
  readonly date: string | undefined
  readonly dateUtc: string | undefined
}

/**
 * Returns the instant of a publication date, in whole seconds since 1970 UTC. Undefined if none was sent. `date` is in
 * the local time of the site unless it has an offset. `dateUtc` is UTC and takes precedence over `date` (rulings.md
 * 25).
 */
export function publicationInstant(sent: SentDates, siteZone: Zone, now: number): number | undefined {
  if (sent.dateUtc !== undefined) return instantOf(sent.dateUtc, utcZone, now)
  if (sent.date !== undefined) return instantOf(sent.date, siteZone, now)
  return undefined
}

/** Returns the instant of a date text. A time without an offset is local time in `zone`. */
export function instantOf(text: string, zone: Zone, now: number): number {
  const { localDateTime, offsetSeconds } = parseDateText(text, { nowSeconds: now, zone })
  return offsetSeconds === undefined
    ? epochSecondsOf(localDateTime, zone)
    : epochSecondsOf(localDateTime, utcZone) - offsetSeconds
}
