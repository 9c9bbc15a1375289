import { hash } from 'node:crypto'
import type { RawParameters } from '../../access/http/arguments/argument.ts'
import type { MessageKey } from '../../base/languages/catalogue.ts'
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
export interface ForeignSeries {
  readonly externalId: string
  /** Returns what is sent of a date by its id; undefined if the series does not have it. */
  readonly dateOf: (externalId: string) => ForeignRecord | undefined
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
