import type { Owned } from '../../access/auth/policy.ts'
import type { Language } from '../../base/languages/language.ts'

/** The kinds of records that share one sequence of ids, one life cycle and one set of rights. */
export type RecordKind = 'event' | 'venue' | 'organizer'

/** The states of a record (venues-organizers.md §7). `future`: published once its date has come. */
export const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const
export type RecordStatus = (typeof STATUSES)[number]

export type RecordId = number & { readonly brand: 'RecordId' }

/** What events, venues and organizers have in common, as far as it is shown. Instants are whole seconds since 1970, UTC. */
export interface RenderedRecord extends Owned {
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
  /** Id of the original of its translations; its own where it has none. */
  readonly groupId: number
  readonly modifiedAt: number
  /** How often it was changed: what is shown of it after a change has a higher one than before. */
  readonly changeCount: number
  /** The publication date; that of the last change while `isDated` is false. */
  readonly datedAt: number
  /** False for a record that was never published. */
  readonly isDated: boolean
}

/** A record with its texts as they were written: what it is changed from. */
export interface CalendarRecord extends RenderedRecord {
  readonly title: string
  readonly content: string
  readonly excerpt: string
}

export function isStatus(text: unknown): text is RecordStatus {
  return STATUSES.includes(text as RecordStatus)
}

/** Records in the making: they need no slug of their own yet, and have no date. */
export function isUnpublished(status: RecordStatus): boolean {
  return status === 'draft' || status === 'pending'
}
