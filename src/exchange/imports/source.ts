import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Zone } from '../../base/time/zone.ts'
import type { StoredCost } from '../../calendar/events/event.cost.ts'
import type { OrganizerFields } from '../../calendar/organizers/organizer.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import type { VenueFields } from '../../calendar/venues/venue.ts'

// What can be imported, in our own words, whatever it was read from.

/** Where something stands, for people: a file and the place in it. */
export interface SourceLocation {
  readonly file: string
  /** `events[12]`; empty for the file as a whole. */
  readonly path: string
}

/** Something that people should know, and where it comes from. */
export interface ImportRemark extends SourceLocation {
  readonly text: string
}

/** Why something could not be read. */
export interface ImportFault extends ImportRemark {
  /** What could not be read; an event where nothing else is said. */
  readonly group?: 'events' | 'venues' | 'organizers' | 'categories' | 'tags'
  /** Source of an event whose content a password protects. */
  readonly protectedSource?: string
}

/** From which site something was read, and where it stands. */
export interface SourceOrigin extends SourceLocation {
  readonly site: string
}

export interface SourceReference extends SourceLocation {
  /** Id that is the same for every reader of the source: `host?id=12`. */
  readonly source: string
}

export interface SourceTerm extends SourceReference {
  readonly taxonomy: Taxonomy
  readonly name: string
  readonly slug: string
  readonly description: string
  /** Source of the category above, where there is one. */
  readonly parent: string | undefined
}

/** Texts, state and dates, which events, venues and organizers share. Texts are not sanitised yet. */
interface SourceRecord extends SourceReference {
  readonly slug: string
  readonly description: string
  readonly status: RecordStatus
  /** UTC, `YYYY-MM-DD hh:mm:ss`; undefined where it was never published. */
  readonly publishedAt: LocalDateTime | undefined
  /** The date of a draft, on the clock of the source; undefined where it was published. */
  readonly draftedAt: LocalDateTime | undefined
  /** Last change, as text that sorts; empty where it is not known. */
  readonly modifiedAt: string
  readonly hasImage: boolean
  /** What was read otherwise than it was written. */
  readonly remarks: readonly string[]
}

export interface SourceEntry<F> extends SourceRecord {
  readonly name: string
  readonly fields: F
}

export interface SourceEvent extends SourceRecord {
  readonly title: string
  /** Elements in its description that may not be shown here, such as frames. */
  readonly removedEmbeds: number
  readonly excerpt: string
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly zone: Zone
  readonly isAllDay: boolean
  readonly cost: StoredCost
  /** Undefined where the source shows its own page. */
  readonly website: string | undefined
  readonly showMap: boolean
  readonly showMapLink: boolean
  readonly isHidden: boolean
  readonly isSticky: boolean
  readonly isFeatured: boolean
  readonly categories: readonly SourceTerm[]
  readonly tags: readonly SourceTerm[]
  readonly venues: readonly SourceEntry<VenueFields>[]
  readonly organizers: readonly SourceEntry<OrganizerFields>[]
}

/** What a list says of itself. */
export interface RecordedList {
  /** The same for all pages of one list. */
  readonly address: string
  /** How many events the whole list has. */
  readonly total: number
  /** How many of them stand here. */
  readonly count: number
}

/** What one file holds: what could be read, and what is wrong with the rest. */
export interface Recording {
  readonly events: readonly SourceEvent[]
  /** Terms, venues and organizers that stand in lists of their own, whether an event names them or not. */
  readonly terms: readonly SourceTerm[]
  readonly venues: readonly SourceEntry<VenueFields>[]
  readonly organizers: readonly SourceEntry<OrganizerFields>[]
  readonly faults: readonly ImportFault[]
  readonly lists: readonly RecordedList[]
}

/** A recording in which nothing stands. */
export const emptyRecording: Recording = {
  ...{ events: [], terms: [], venues: [], organizers: [], faults: [], lists: [] },
}

/** Recordings one after the other, so that not all are in memory at once. Each reading of them gives the same. */
export type Recordings = Iterable<Recording> | AsyncIterable<Recording>

/** The site of a source: what stands before `?`. */
export function sourceSite(source: string): string {
  return source.slice(0, source.indexOf('?'))
}
