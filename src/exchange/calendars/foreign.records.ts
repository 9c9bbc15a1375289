import { hash } from 'node:crypto'
import type { RawParameters } from '../../access/http/arguments/argument.ts'
import type { MessageKey } from '../../base/languages/catalogue.ts'
import { addSeconds, dayOf, type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import { localDateTimeAt, type Zone } from '../../base/time/zone.ts'
import type { Recurrence } from '../../calendar/recurrence/recurrence.ts'
import { datesOf } from '../../calendar/recurrence/rule.dates.ts'
import type { SourceRecordKind } from '../upsert/source.kinds.ts'

// What was read of the calendar of others, before it is written under the ids that it has there.

/** A record of another calendar. */
export interface ForeignRecord {
  /** Its number in the file, from 1. */
  readonly place: number
  readonly kind: SourceRecordKind
  readonly externalId: string
  /** What is sent of it, as in a line of an import. */
  readonly sent: RawParameters
  /** Why it cannot be sent, for people. */
  readonly fault?: string
}

/** What a person should know about a calendar that was read otherwise than it is written. */
export interface CalendarNote {
  readonly key: MessageKey
  readonly values: Readonly<Record<string, string | number>>
}

/** A series of another calendar, by which dates that differ no longer get the values of the series again. */
export interface ForeignSeries extends Pick<ForeignRecord, 'place' | 'externalId' | 'sent'> {
  readonly zone: Zone
  readonly isAllDay: boolean
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly recurrence: Recurrence
}

/** Returns what is sent of a date of a series by its id; undefined if the series does not have it. */
export function dateOfSeries(series: ForeignSeries, externalId: string): ForeignRecord | undefined {
  const { zone, isAllDay, start, end, recurrence, place, sent } = series
  const stamp = externalId.slice(series.externalId.length + 1)
  const instant = Math.floor(Date.parse(stamp) / 1000)
  if (Number.isNaN(instant)) return undefined
  const isDay = isAllDay || stamp.length === 10
  const date = (isDay ? `${stamp.slice(0, 10)}${start.slice(10)}` : localDateTimeAt(instant, zone)) as LocalDateTime
  const { dates } = datesOf(recurrence, { start, through: date, from: date, limit: 1 })
  if (!dates.includes(date)) return undefined
  const at = (local: LocalDateTime) => (isAllDay ? dayOf(local) : local)
  const length = secondsOfLocalDateTime(end) - secondsOfLocalDateTime(start)
  const own = {
    ...{ timezone: zone.name, all_day: isAllDay, start_date: at(date), end_date: at(addSeconds(date, length)) },
    ...{ recurrence_of: series.externalId, recurrence_id: date },
  }
  return { place, kind: 'event', externalId, sent: { ...sent, ...own } }
}

/** The records of another calendar in the order in which they are written. Events name the records before them. */
export interface ForeignCalendar {
  readonly name: string
  /** How many components the file has. */
  readonly found: number
  readonly directory: readonly ForeignRecord[]
  readonly events: readonly ForeignRecord[]
  /** Dates of series that differ. */
  readonly dates: readonly ForeignRecord[]
  readonly series: readonly ForeignSeries[]
  readonly notes: readonly CalendarNote[]
  /** Whether all pages of a site were read; missing if it is one file. Events of the others are not missing. */
  readonly pages?: 'all' | 'some'
}

const longestId = 200

/** Returns an external id made of texts of others: as it is, or its digest if it is too long. */
export function externalIdFrom(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return plain !== '' && plain.length <= longestId ? plain : hash('sha256', text)
}

/** The venues and organizers that the events of a calendar name. */
export function directoryOf(place: () => number) {
  const records = new Map<string, ForeignRecord>()
  const named = (kind: 'venue' | 'organizer', key: string, sent: RawParameters) => {
    const externalId = externalIdFrom(`${kind} ${key}`)
    const name = `${kind} ${externalId}`
    if (!records.has(name)) records.set(name, { place: place(), kind, externalId, sent })
    return { external_id: externalId }
  }
  return { named, records: () => [...records.values()] }
}
