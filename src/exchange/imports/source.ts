import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { EventPatch } from '../../calendar/events/model/event.changes.ts'
import type { EventFields, EventTimes } from '../../calendar/events/model/event.ts'
import type { offerFields } from '../../calendar/events/model/offers.fields.ts'
import type { stateFields } from '../../calendar/events/model/state.fields.ts'
import type { OrganizerFields } from '../../calendar/organizers/organizer.ts'
import type { FieldPatch } from '../../calendar/records/field.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import type { VenueFields } from '../../calendar/venues/venue.ts'
import type { ImportText } from './import.texts.ts'

// Records to import, in a form that does not depend on the source.

/** A location for people: a file and the place in it. */
export interface SourceLocation {
  readonly file: string
  /** `events[12]`; empty for the file as a whole. */
  readonly path: string
}

/** A remark for people, with its location. */
export interface ImportRemark extends SourceLocation {
  readonly text: ImportText
  /** The kind of the record, if it is not an event. */
  readonly of?: ImportFault['group']
}

/** The reason why a record could not be read. */
export interface ImportFault extends ImportRemark {
  /** The kind of the unreadable record; an event by default. */
  readonly group?: 'events' | 'venues' | 'organizers' | 'categories' | 'tags'
  /** Source of an event with password-protected content. */
  readonly protectedSource?: string
}

/** The site that a record comes from, and its location. */
export interface SourceOrigin extends SourceLocation {
  readonly site: string
}

export interface SourceReference extends SourceLocation {
  /** Id of the record, the same for every reader of the site: `host?id=12`. */
  readonly source: string
}

export interface SourceTerm extends SourceReference {
  readonly taxonomy: Taxonomy
  readonly name: string
  readonly slug: string
  readonly description: string
  /** Source of the parent category, if it has one. */
  readonly parent: string | undefined
}

/** What a pulled calendar says about a record, and a recorded answer does not. Ids are those of the other site. */
export interface MovedValues {
  readonly author?: number
  readonly picture?: number
  readonly password?: string
  /** Whether it has a password that nobody can read. */
  readonly isProtected?: boolean
  readonly history?: EventPatch['history']
}

/** Texts, status and dates that events, venues and organizers share. Texts are not sanitised yet. */
interface SourceRecord extends SourceReference {
  readonly slug: string
  readonly description: string
  readonly status: RecordStatus
  /** UTC, `YYYY-MM-DD hh:mm:ss`; undefined if it was never published. */
  readonly dateUtc: LocalDateTime | undefined
  /** The date of a draft, in the local time of the source; undefined if it was published. */
  readonly date: LocalDateTime | undefined
  /** The last change, as text that sorts; empty if unknown. */
  readonly modifiedAt: string
  readonly hasImage: boolean
  /** Only of pulled calendars. */
  readonly moved?: MovedValues
  /** Differences between the original text and the imported value. */
  readonly remarks: readonly ImportText[]
}

export interface SourceEntry<F> extends SourceRecord {
  readonly name: string
  readonly fields: F
}

/** What a source says about the state of an event and its offers. A property that is missing was not recorded. */
export type SourceState = FieldPatch<typeof stateFields & typeof offerFields>

export interface SourceEvent
  extends SourceRecord,
    Pick<EventTimes, 'start' | 'end' | 'zone' | 'isAllDay'>,
    Pick<EventFields, 'cost' | 'showMap' | 'showMapLink' | 'isHidden' | 'isSticky' | 'isFeatured'> {
  readonly title: string
  /** Elements of its description that are not allowed here, such as frames. */
  readonly removedEmbeds: number
  readonly excerpt: string
  /** Undefined if the source shows its own page. */
  readonly website: string | undefined
  readonly state: SourceState
  readonly categories: readonly SourceTerm[]
  readonly tags: readonly SourceTerm[]
  readonly venues: readonly SourceEntry<VenueFields>[]
  readonly organizers: readonly SourceEntry<OrganizerFields>[]
}

/** A recorded list. */
export interface RecordedList {
  /** Identical for all pages of one list. */
  readonly address: string
  /** The number of events in the whole list. */
  readonly total: number
  /** The number of events on this page. */
  readonly count: number
}

/** The contents of one file: the records that could be read, and the faults of the others. */
export interface Recording {
  readonly events: readonly SourceEvent[]
  /** Terms, venues and organizers from lists of their own, even if no event names them. */
  readonly terms: readonly SourceTerm[]
  readonly venues: readonly SourceEntry<VenueFields>[]
  readonly organizers: readonly SourceEntry<OrganizerFields>[]
  readonly faults: readonly ImportFault[]
  readonly lists: readonly RecordedList[]
}

/** A recording without records. */
export const emptyRecording: Recording = {
  ...{ events: [], terms: [], venues: [], organizers: [], faults: [], lists: [] },
}

/**
 * A sequence of recordings, so that not all of them are in memory at once. Each iteration gives the same recordings.
 */
export type Recordings = Iterable<Recording> | AsyncIterable<Recording>
