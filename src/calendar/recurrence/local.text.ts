import {
  isLocalDateTime,
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, utcZone, type Zone } from '../../base/time/zone.ts'

/** A day, at 00:00:00, or a local time. */
export interface LocalText {
  readonly date: LocalDateTime
  readonly hasTime: boolean
}

const form = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d))?(Z|[+-]\d\d:?\d\d)?)?$/i

/**
 * Reads a day or a time, as in ISO 8601 or iCalendar. A time with an offset, or of another zone, becomes the local time in
 * `zone`. Undefined if the text has another form, or the day does not exist.
 *
 * @param ownZone The zone of a time without an offset.
 */
export function readLocalText(text: string, zone: Zone, ownZone: Zone = zone): LocalText | undefined {
  const [all, year, , month, day, hour, minute, second = '00', offset] = form.exec(text.trim()) ?? []
  const local = `${year}-${month}-${day} ${hour ?? '00'}:${minute ?? '00'}:${second}`
  if (all === undefined || !isLocalDateTime(local)) return undefined
  if (hour === undefined) return { date: local, hasTime: false }
  const of = offset === undefined ? ownZone : utcZone
  if (offset === undefined && of.id === zone.id) return { date: local, hasTime: true }
  return { date: localDateTimeAt(epochSecondsOf(withoutOffset(local, offset), of), zone), hasTime: true }
}

/** Returns the time in UTC of a local time with this offset, such as `Z` or `-05:00`. */
function withoutOffset(local: LocalDateTime, offset: string | undefined): LocalDateTime {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset ?? '') ?? []
  const seconds = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60
  return localDateTimeFromSeconds(secondsOfLocalDateTime(local) - (sign === '-' ? -seconds : seconds))
}
