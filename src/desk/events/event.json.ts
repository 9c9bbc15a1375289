import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit } from '../../access/auth/policy.ts'
import { htmlToText } from '../../base/text/escape.ts'
import { type HtmlValue, html } from '../../base/text/html.ts'
import type { EventJson } from '../../calendar/events/present/event.schema.ts'
import { isStatus, type RecordStatus } from '../../calendar/records/record.ts'
import type { List } from '../api/answers.ts'
import { actorOf, type DeskCall, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { usedBy } from '../shell/shortcuts.ts'

export type { EventJson }

/** Events, as lists of the interface show them. */
export type EventListJson = List<'events', EventJson>

/** A venue, organizer or term, as the interface shows it. */
export interface NamedJson {
  readonly id: number
  readonly venue?: string
  readonly organizer?: string
  readonly name?: string
  readonly city?: string
}

/** One or several of them. */
export type LinkedJson = NamedJson | readonly NamedJson[]

/** Returns the text of a title, which the interface shows as HTML. */
export function titleOf({ say }: Pick<DeskCall, 'say'>, { title }: Pick<EventJson, 'title'>): string {
  return htmlToText(title).trim() || say('events.untitled')
}

export function nameOf({ venue, organizer, name }: NamedJson): string {
  return htmlToText(venue ?? organizer ?? name ?? '')
}

export function listOf(linked: LinkedJson): readonly NamedJson[] {
  return Array.isArray(linked) ? linked : [linked as NamedJson]
}

export function statusOf({ status }: { readonly status: string }): RecordStatus {
  return isStatus(status) ? status : 'draft'
}

/** Whether to offer a change. The interface decides about it again. */
export function mayChange(
  actor: Actor,
  { author, status }: { readonly author: string; readonly status: string },
): boolean {
  return mayEdit(actor, { authorId: Number(author), status })
}

/** Whether visitors may see the event, so that its page can be shown. */
export function isPublic({ status }: { readonly status: string }): boolean {
  return status === 'publish'
}

/** What tells where an event is opened. */
export type Opened = Pick<EventJson, 'id' | 'author' | 'url'> & { readonly status: string }

/** Returns where the user opens an event: in its editor, or on the public page of what others wrote; undefined for the rest. */
export function openPath(call: OwnCall, event: Opened): string | undefined {
  if (event.status !== 'trash' && mayChange(actorOf(call.me), event)) return linkTo(call, `/admin/events/${event.id}/`)
  return isPublic(event) ? event.url : undefined
}

/** Returns the title of an event, which leads there. */
export function titleLink(call: OwnCall, event: Opened & Pick<EventJson, 'title'>): HtmlValue {
  const path = openPath(call, event)
  const title = titleOf(call, event)
  return path === undefined ? title : html`<a href="${path}"${path !== event.url && usedBy('e')}>${title}</a>`
}
