import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** A group is known by the id of its original: that gets a group with its first translation, and stays in it. */
const isMoved = 'coalesce(new.group_id, new.id) <> coalesce(old.group_id, old.id)'

const note = (events: string) =>
  `insert into stale_events (event_id) select ${events} on conflict (event_id) do nothing`

/**
 * The listings of events say which groups of venues, organizers and terms they are linked to. Until now the first
 * translation of one made them anew for all events of the original, which may be very many, though none had changed.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.dropTrigger(db, { name: 'records_stale_group', table: 'records' })
  await dialect.createTrigger(db, {
    name: 'records_stale_group',
    table: 'records',
    on: 'update',
    columns: ['group_id'],
    when: `new.kind in ('venue', 'organizer') and ${isMoved}`,
    statement: note(
      `event_id from (select event_id from event_venues where venue_id = new.id
        union select event_id from event_organizers where organizer_id = new.id) linked where true`,
    ),
  })
  await dialect.dropTrigger(db, { name: 'terms_stale_group', table: 'terms' })
  await dialect.createTrigger(db, {
    name: 'terms_stale_group',
    table: 'terms',
    on: 'update',
    columns: ['group_id'],
    when: isMoved,
    statement: note('event_id from event_terms where term_id = new.id'),
  })
}
