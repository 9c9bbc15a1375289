import type { Deps } from '../../../access/deps.ts'
import { type ListPage, totalPages } from '../../../access/http/arguments/paging.ts'
import { fail } from '../../../base/problems.ts'
import type { SeriesMembership } from '../../occurrences/occurrence.ts'
import type { ReadContext, Viewer } from '../../translations/viewer.ts'
import type { LinkedEvent } from '../model/event.ts'
import { isPasswordOf } from '../model/password.ts'
import { eventsOpenedByPassword } from '../read/password.attempts.ts'
import { listEventsByIds } from './ids.repository.ts'
import { type EventKey, listEventKeys } from './keys.repository.ts'
import { planEventList } from './list.plan.ts'
import { listEvents } from './list.repository.ts'
import type { EventQuery } from './query.ts'

/** The reader of a list, with the password to try on its protected events. */
export interface EventListReader {
  readonly deps: Pick<Deps, 'storage' | 'limits'>
  readonly viewer: Viewer
  /** The client that wrong passwords are counted for. Undefined: they are not counted. */
  readonly client: string | undefined
  readonly password: string | undefined
}

type MaybeProtected = Pick<LinkedEvent, 'passwordDigest'>

export interface EventPage extends ListPage<LinkedEvent> {
  /** Whether the reader sees the event without the values that its password protects (events.md §6). */
  readonly isMasked: (event: MaybeProtected) => boolean
}

/** A page of events that the service reads in parts, so that long texts do not fill the memory. */
export interface EventKeyPage extends ListPage<EventKey>, Pick<EventPage, 'isMasked'> {
  /**
   * Returns the events of the page with these ids that the reader may still read. An outline has neither texts nor a
   * picture.
   */
  read(
    ids: readonly number[],
    isOutline: boolean,
    memberships?: ReadonlyMap<number, SeriesMembership>,
  ): Promise<readonly LinkedEvent[]>
}

/**
 * Returns one page of the events that the reader may read.
 *
 * @throws event-archive-page-not-found; rest_too_many_requests
 */
export async function readEventPage(reader: EventListReader, query: EventQuery): Promise<EventPage> {
  const context = contextOf(reader)
  const found = await listEvents(context, await planEventList(context, query))
  return { ...found, isMasked: masksOf(reader, query, found) }
}

/**
 * Returns the same page as keys, with a function that reads the events.
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
    read: (ids, isOutline, memberships) => listEventsByIds(context, { ids, status, isOutline, memberships }),
  }
}

function contextOf({ deps: { storage }, viewer }: EventListReader): ReadContext {
  return { db: storage.db, dialect: storage.dialect, viewer }
}

/** Returns which events of a page are masked for its reader. A page after the last one is an error. */
function masksOf(
  { deps, client, password }: EventListReader,
  { page, perPage }: EventQuery,
  { items, total }: ListPage<MaybeProtected>,
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
