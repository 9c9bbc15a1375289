import { parseDateText } from '../../base/time/date-text.ts'
import { epochSecondsOf, utcZone, type Zone } from '../../base/time/zone.ts'

/**
 * The instant of a publication date, in whole seconds since 1970 UTC, or undefined where none was sent. `date` is on
 * the site's clock unless it carries an offset; `date_utc` is UTC; where both are sent `date_utc` wins
 * (rulings.md 25).
 */
export function publicationInstant(
  sent: { readonly date: string | undefined; readonly date_utc: string | undefined },
  siteZone: Zone,
  now: number,
): number | undefined {
  if (sent.date_utc !== undefined) return instantOf(sent.date_utc, utcZone, now)
  if (sent.date !== undefined) return instantOf(sent.date, siteZone, now)
  return undefined
}

/** The instant that a date text means where a clock without an offset is one of `zone`. */
export function instantOf(text: string, zone: Zone, now: number): number {
  const { localDateTime, offsetSeconds } = parseDateText(text, { nowSeconds: now, zone })
  return offsetSeconds === undefined
    ? epochSecondsOf(localDateTime, zone)
    : epochSecondsOf(localDateTime, utcZone) - offsetSeconds
}
