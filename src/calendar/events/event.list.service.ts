import type { Deps } from '../../access/deps.ts'
import { type Page, totalPages } from '../../access/http/paging.ts'
import { fail } from '../../base/problems.ts'
import type { ReadContext, Viewer } from '../translations/viewer.ts'
import { listEventsByIds } from './event.ids.repository.ts'
import { planEventList } from './event.list.plan.ts'
import { type EventKey, listEventKeys, listEvents } from './event.list.repository.ts'
import { eventsOpenedByPassword } from './event.password.attempts.ts'
import { isPasswordOf } from './event.password.ts'
import type { EventQuery } from './event.query.ts'
import type { LinkedEvent } from './event.ts'

/** Who reads a list, with the password that is tried on its protected events. */
export interface EventListReader {
  readonly deps: Pick<Deps, 'storage' | 'limits'>
  readonly viewer: Viewer
  /** Whose wrong passwords are counted; undefined where nobody's are. */
  readonly client: string | undefined
  readonly password: string | undefined
}

/** An event that may have a password. */
type MaybeProtected = Pick<LinkedEvent, 'passwordDigest'>

/** A page of events. */
export interface EventPage extends Page<LinkedEvent> {
  /** Whether the reader is shown the event without what its password protects (events.md §6). */
  readonly isMasked: (event: MaybeProtected) => boolean
}

/** A page of events that are read as they are needed, however much they say. */
export interface EventKeyPage extends Page<EventKey>, Pick<EventPage, 'isMasked'> {
  /** Events of the page by their ids: those that the reader may still read. An outline has neither texts nor picture. */
  read(ids: readonly number[], isOutline: boolean): Promise<readonly LinkedEvent[]>
}

/**
 * One page of the events that the reader may read.
 *
 * @throws event-archive-page-not-found; rest_too_many_requests
 */
export async function readEventPage(reader: EventListReader, query: EventQuery): Promise<EventPage> {
  const context = contextOf(reader)
  const found = await listEvents(context, await planEventList(context, query))
  return { ...found, isMasked: masksOf(reader, query, found) }
}

/**
 * The same events without what they say: which they are, and how they are read.
 *
 * @throws what `readEventPage` throws
 */
export async function readEventKeyPage(reader: EventListReader, query: EventQuery): Promise<EventKeyPage> {
  const context = contextOf(reader)
  const found = await listEventKeys(context, await planEventList(context, query))
  const { status } = query
  return {
    ...found,
    isMasked: masksOf(reader, query, found),
    read: (ids, isOutline) => listEventsByIds(context, { ids, status, isOutline }),
  }
}

function contextOf({ deps: { storage }, viewer }: EventListReader): ReadContext {
  return { db: storage.db, dialect: storage.dialect, viewer }
}

/** Which events of a page are masked for its reader. A page after the last one is none. */
function masksOf(
  { deps, client, password }: EventListReader,
  { page, perPage }: EventQuery,
  { items, total }: Page<MaybeProtected>,
): EventPage['isMasked'] {
  if (page > 1 && page > totalPages(total, perPage)) fail('event-archive-page-not-found')
  const events = items.filter(({ passwordDigest }) => passwordDigest !== undefined)
  // Contract: the password of the list request is tried on each protected event (events.md §6).
  const opened = eventsOpenedByPassword({ deps, client }, { password, events, isOpened })
  const digests = new Set([...opened].map(({ passwordDigest }) => passwordDigest))
  return ({ passwordDigest }) => passwordDigest !== undefined && !digests.has(passwordDigest)
}

function isOpened({ passwordDigest }: MaybeProtected, password: string): boolean {
  return passwordDigest !== undefined && isPasswordOf(passwordDigest, password)
}
