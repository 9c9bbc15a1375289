import type { OwnedRecord } from '../../access/auth/policy.ts'
import type { Language } from '../../base/languages/language.ts'

/** The kinds of records that share one sequence of ids, one life cycle and one set of rights. */
export type RecordKind = 'event' | 'venue' | 'organizer'

/** These kinds, and the templates of series. Slugs of events and series are one namespace. */
export type StoredRecordKind = RecordKind | 'series'

/** The statuses of a record (venues-organizers.md §7). `future`: it will be published at its date. */
export const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const
export type RecordStatus = (typeof STATUSES)[number]

export type RecordId = number & { readonly brand: 'RecordId' }

/** The shown part that events, venues and organizers share. Instants are whole seconds since 1970, UTC. */
export interface RenderedRecord extends OwnedRecord {
  readonly id: RecordId
  readonly kind: RecordKind
  readonly status: RecordStatus
  readonly statusBeforeTrash: RecordStatus | undefined
  readonly slug: string
  readonly titleHtml: string
  readonly contentHtml: string
  readonly excerptHtml: string
  readonly authorId: number
  readonly passwordDigest: string | undefined
  readonly imageId: number | undefined
  readonly parentId: number | undefined
  readonly language: Language
  /** Id of the original of its translations, or its own id if it has none. */
  readonly groupId: number
  readonly modifiedAt: number
  /** How often it was changed. Any change of its shown values increases the number. */
  readonly changeCount: number
  /** The publication date. While `isDated` is false: the date of the last change. */
  readonly datedAt: number
  /** False for a record that was never published. */
  readonly isDated: boolean
}

/** A record with its source texts, which edits start from. */
export interface CalendarRecord extends RenderedRecord {
  readonly title: string
  readonly content: string
  readonly excerpt: string
}

export function isStatus(text: unknown): text is RecordStatus {
  return STATUSES.includes(text as RecordStatus)
}

/** Whether a record is a draft or pending. Such a record needs no slug of its own and has no date. */
export function isUnpublished(status: RecordStatus): boolean {
  return status === 'draft' || status === 'pending'
}
