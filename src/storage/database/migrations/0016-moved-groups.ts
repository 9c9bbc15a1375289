import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * The id of a group is the id of its original. The original joins the group with its first translation, and stays in
 * it.
 */
const isMoved = 'coalesce(new.group_id, new.id) <> coalesce(old.group_id, old.id)'

const note = (events: string) =>
  `insert into stale_events (event_id) select ${events} on conflict (event_id) do nothing`

/**
 * The rows of events in the event index contain the groups of the linked venues, organizers and terms. Until now the
 * first translation of such an item rebuilt these rows for all events of the original, possibly very many, although
 * none had changed.
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
