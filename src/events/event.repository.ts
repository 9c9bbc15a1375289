import { listEntryVersions } from '../directory/directory.repository.ts'
import { shownEntries } from '../directory/directory.versions.ts'
import { listPictures } from '../media/media.repository.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { recordFromRow } from '../records/record.repository.ts'
import type { RecordId } from '../records/record.ts'
import { listTranslations } from '../records/record.versions.repository.ts'
import { inStatements } from '../storage/rows.ts'
import type { Db, EventRow, EventTable, RecordRow, Tx } from '../storage/tables.ts'
import { listTermsOfEvents } from '../terms/term.service.ts'
import type { Wall } from '../time/wall.ts'
import { parseZone, utcZone } from '../time/zone.ts'
import type { Viewer } from '../translations/viewer.ts'
import { venues } from '../venues/venue.directory.ts'
import type { StoredCost } from './event.cost.ts'
import type { CalendarEvent, EventFields, EventTimes, LinkedEvent } from './event.ts'

type LinkKind = 'venue' | 'organizer'

/** A joined row as an event. */
export function eventFromRow(row: RecordRow & EventRow): CalendarEvent {
  return {
    ...recordFromRow(row),
    start: row.start_local as Wall,
    end: row.end_local as Wall,
    // A zone that a newer time zone database has dropped: the instants are still right.
    zone: parseZone(row.timezone) ?? { ...utcZone, name: row.timezone },
    startUtc: row.start_utc,
    endUtc: row.end_utc,
    isAllDay: row.is_all_day === 1,
    cost: JSON.parse(row.cost) as StoredCost,
    website: row.website ?? undefined,
    showMap: row.show_map === 1,
    showMapLink: row.show_map_link === 1,
    isHidden: row.is_hidden === 1,
    isSticky: row.is_sticky === 1,
    isFeatured: row.is_featured === 1,
    customFields: JSON.parse(row.custom_fields) as CalendarEvent['customFields'],
  }
}

function rowFromFields(
  event: EventTimes & EventFields,
): Omit<EventTable, 'record_id' | 'custom_fields' | 'tickets' | 'has_tickets'> {
  return {
    start_local: event.start,
    end_local: event.end,
    timezone: event.zone.name,
    start_utc: event.startUtc,
    end_utc: event.endUtc,
    is_all_day: event.isAllDay ? 1 : 0,
    cost: JSON.stringify(event.cost),
    website: event.website ?? null,
    show_map: event.showMap ? 1 : 0,
    show_map_link: event.showMapLink ? 1 : 0,
    is_hidden: event.isHidden ? 1 : 0,
    is_sticky: event.isSticky ? 1 : 0,
    is_featured: event.isFeatured ? 1 : 0,
  }
}

/** The event with this id, in whatever status. One query. */
export async function findEvent(db: Db, id: number): Promise<CalendarEvent | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const row = await db
    .selectFrom('records')
    .innerJoin('events', 'events.record_id', 'records.id')
    .selectAll()
    // Not “=”, which makes SQLite plan a join anew for every value.
    .where('records.id', 'in', [id])
    .executeTakeFirst()
  return row && eventFromRow(row)
}

/** The events with all that the viewer is shown with them. A fixed number of queries, however many events there are. */
export async function withLinks(
  db: Db,
  events: readonly CalendarEvent[],
  viewer: Viewer,
): Promise<readonly LinkedEvent[]> {
  const ids = events.map((event) => event.id)
  if (ids.length === 0) return []
  const venueIds = await listLinkIds(db, 'venue', ids)
  const organizerIds = await listLinkIds(db, 'organizer', ids)
  const venueVersions = await listEntryVersions(db, venues, distinct(venueIds))
  const organizerVersions = await listEntryVersions(db, organizers, distinct(organizerIds))
  const terms = await listTermsOfEvents(db, events, viewer)
  const pictures = await listPictures(
    db,
    events.flatMap((event) => event.imageId ?? []),
  )
  const translations = viewer.language === undefined ? undefined : await listTranslations(db, viewer.actor, ids)
  return events.map((event) => ({
    ...event,
    image: pictures.get(event.imageId ?? 0),
    venues: shownEntries(venueVersions, venueIds.get(event.id) ?? [], viewer, event.language),
    organizers: shownEntries(organizerVersions, organizerIds.get(event.id) ?? [], viewer, event.language),
    categories: terms.get(event.id)?.categories ?? [],
    tags: terms.get(event.id)?.tags ?? [],
    ...(translations ? { translations: translations.get(event.id) ?? {} } : {}),
  }))
}

/** Adds the events to records that are there. */
export async function insertEvents(
  tx: Tx,
  events: readonly (EventTimes & EventFields & { readonly id: RecordId })[],
): Promise<void> {
  for (const some of inStatements(events)) {
    const rows = some.map((event) => ({
      record_id: event.id,
      ...rowFromFields(event),
      custom_fields: '{}',
      tickets: '[]',
      has_tickets: 0 as const,
    }))
    await tx.insertInto('events').values(rows).execute()
  }
}

export async function updateEvent(tx: Tx, id: number, event: EventTimes & EventFields): Promise<void> {
  await tx.updateTable('events').set(rowFromFields(event)).where('record_id', '=', id).execute()
}

/** Links the event to these venues or organizers and no others, in this order. */
export async function setLinks(tx: Tx, kind: LinkKind, eventId: number, ids: readonly number[]): Promise<void> {
  if (kind === 'venue') await tx.deleteFrom('event_venues').where('event_id', '=', eventId).execute()
  else await tx.deleteFrom('event_organizers').where('event_id', '=', eventId).execute()
  await insertLinks(tx, kind, [{ eventId, ids }])
}

/** Links events that have no venues, or no organizers, to these, in this order. */
export async function insertLinks(
  tx: Tx,
  kind: LinkKind,
  links: readonly { readonly eventId: number; readonly ids: readonly number[] }[],
): Promise<void> {
  const rows = links.flatMap(({ eventId, ids }) => ids.map((id, position) => ({ event_id: eventId, id, position })))
  for (const some of inStatements(rows)) {
    if (kind === 'venue') {
      const linked = some.map(({ id, ...row }) => ({ ...row, venue_id: id }))
      await tx.insertInto('event_venues').values(linked).execute()
    } else {
      const linked = some.map(({ id, ...row }) => ({ ...row, organizer_id: id }))
      await tx.insertInto('event_organizers').values(linked).execute()
    }
  }
}

/** Ids of the venues or organizers of these events, in their order, by event. One query. */
export async function listLinkIds(
  db: Db,
  kind: LinkKind,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows =
    kind === 'venue'
      ? await db
          .selectFrom('event_venues')
          .select(['event_id', 'venue_id as id'])
          .where('event_id', 'in', eventIds)
          .orderBy('position')
          .orderBy('venue_id')
          .execute()
      : await db
          .selectFrom('event_organizers')
          .select(['event_id', 'organizer_id as id'])
          .where('event_id', 'in', eventIds)
          .orderBy('position')
          .orderBy('organizer_id')
          .execute()
  const links = new Map<number, number[]>()
  for (const { event_id, id } of rows) links.set(event_id, [...(links.get(event_id) ?? []), id])
  return links
}

function distinct(links: ReadonlyMap<number, readonly number[]>): readonly number[] {
  return [...new Set([...links.values()].flat())]
}
