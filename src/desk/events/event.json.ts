import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit } from '../../access/auth/policy.ts'
import { htmlToText } from '../../base/text/escape.ts'
import { isStatus, type RecordStatus } from '../../calendar/records/record.ts'
import type { DeskCall } from '../shell/desk.call.ts'

/** A venue, organizer or term, as the interface shows it. */
export interface NamedJson {
  readonly id: number
  readonly venue?: string
  readonly organizer?: string
  readonly name?: string
  readonly city?: string
}

/** The part of an event that the desk reads. */
export interface EventJson {
  readonly id: number
  readonly title: string
  readonly status: string
  readonly author: string
  readonly url: string
  readonly start_date: string
  readonly end_date: string
  readonly all_day: boolean | null
  readonly timezone: string
  readonly venue: NamedJson | readonly NamedJson[]
  readonly organizer: readonly NamedJson[]
  readonly categories: readonly NamedJson[]
  readonly tags: readonly NamedJson[]
  /** The series of which the event is a date. */
  readonly series?: { readonly id: number; readonly text?: string } | undefined
}

export interface EventListJson {
  readonly events: readonly EventJson[]
  readonly total: number
  readonly total_pages: number
}

/** Returns the text of a title, which the interface shows as HTML. */
export function titleOf({ say }: Pick<DeskCall, 'say'>, { title }: Pick<EventJson, 'title'>): string {
  return htmlToText(title).trim() || say('events.untitled')
}

export function nameOf({ venue, organizer, name }: NamedJson): string {
  return htmlToText(venue ?? organizer ?? name ?? '')
}

export function listOf(linked: NamedJson | readonly NamedJson[]): readonly NamedJson[] {
  return Array.isArray(linked) ? linked : [linked as NamedJson]
}

export function statusOf({ status }: Pick<EventJson, 'status'>): RecordStatus {
  return isStatus(status) ? status : 'draft'
}

/** Whether to offer a change. The interface decides about it again. */
export function mayChange(actor: Actor, { author, status }: Pick<EventJson, 'author' | 'status'>): boolean {
  return mayEdit(actor, { authorId: Number(author), status })
}

/** Whether visitors may see the event, so that its page can be shown. */
export function isPublic({ status }: Pick<EventJson, 'status'>): boolean {
  return status === 'publish'
}
