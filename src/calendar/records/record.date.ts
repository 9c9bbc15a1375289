import { parseDateText } from '../../base/time/date-text.ts'
import { epochSecondsOf, utcZone, type Zone } from '../../base/time/zone.ts'

/** A publication date as texts that clients send. */
export interface SentDates {
  /** On the clock of the site, unless it carries an offset. */
  readonly date: string | undefined
  readonly dateUtc: string | undefined
}

/**
 * The instant of a publication date, in whole seconds since 1970 UTC, or undefined where none was sent. `date` is on
 * the site's clock unless it carries an offset; `dateUtc` is UTC; where both are sent `dateUtc` wins
 * (rulings.md 25).
 */
export function publicationInstant(sent: SentDates, siteZone: Zone, now: number): number | undefined {
  if (sent.dateUtc !== undefined) return instantOf(sent.dateUtc, utcZone, now)
  if (sent.date !== undefined) return instantOf(sent.date, siteZone, now)
  return undefined
}

/** The instant that a date text means where a clock without an offset is one of `zone`. */
function instantOf(text: string, zone: Zone, now: number): number {
  const { localDateTime, offsetSeconds } = parseDateText(text, { nowSeconds: now, zone })
  return offsetSeconds === undefined
    ? epochSecondsOf(localDateTime, zone)
    : epochSecondsOf(localDateTime, utcZone) - offsetSeconds
}
