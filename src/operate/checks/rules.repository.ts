import { type RawBuilder, sql } from 'kysely'
import { ATTENDANCES, EVENT_STATUSES, VIRTUAL_ACCESSES } from '../../calendar/events/model/state.ts'
import { listWrongDates, wrongFollowers, wrongSeries } from '../../calendar/series/series.check.repository.ts'
import type { IntegrityCheck } from './check.ts'

/** A check in one statement, which selects the `place` of each violation. */
function rule(name: string, holds: string, broken: RawBuilder<{ readonly place: string | number }>): IntegrityCheck {
  return {
    name,
    holds,
    find: async function* ({ db }) {
      const { rows } = await broken.execute(db)
      for (const { place } of rows) yield String(place)
    },
  }
}

type ViolationRow = { readonly place: string | number }

/** A record has a row with the fields of its kind, and no row of another kind. */
const kinds = sql<ViolationRow>`
  select kind || ' ' || id as place from records where case kind
    when 'event' then not exists (select 1 from events where record_id = id)
    when 'series' then not exists (select 1 from events where record_id = id)
    when 'venue' then not exists (select 1 from venues where record_id = id)
    when 'organizer' then not exists (select 1 from organizers where record_id = id)
    else not exists (select 1 from media where record_id = id) end
  union all select 'event ' || record_id from events join records on id = record_id
    where kind not in ('event', 'series')
  union all select 'venue ' || record_id from venues join records on id = record_id where kind <> 'venue'
  union all select 'organizer ' || record_id from organizers join records on id = record_id where kind <> 'organizer'
  union all select 'media ' || record_id from media join records on id = record_id where kind <> 'media'`

const references = sql<ViolationRow>`
  select 'venue ' || venue_id || ' of event ' || event_id as place from event_venues
    where not exists (select 1 from events where record_id = event_id)
      or not exists (select 1 from venues where record_id = venue_id)
  union all select 'organizer ' || organizer_id || ' of event ' || event_id from event_organizers
    where not exists (select 1 from events where record_id = event_id)
      or not exists (select 1 from organizers where record_id = organizer_id)
  union all select 'term ' || term_id || ' of event ' || event_id from event_terms
    where not exists (select 1 from events where record_id = event_id)
      or not exists (select 1 from terms where id = term_id)
  union all select 'author of record ' || id from records
    where not exists (select 1 from users where users.id = author_id)
  union all select 'picture of record ' || id from records
    where image_id is not null and not exists (select 1 from media where record_id = image_id)`

const parents = sql<ViolationRow>`
  select taxonomy || ' ' || id as place from terms
  where parent_id <> 0 and (taxonomy <> 'category' or not exists (
    select 1 from terms parent where parent.id = terms.parent_id and parent.taxonomy = terms.taxonomy))
  union all select 'category ' || id from terms where parent_id <> 0 and id not in (
    with recursive below(id) as (select id from terms where parent_id = 0
      union select terms.id from terms join below on terms.parent_id = below.id)
    select id from below)`

/**
 * Counts the versions of a term together. Without the materialized query, every term would be compared with every
 * other.
 */
const counts = sql<ViolationRow>`
  with truth as materialized (
    select coalesce(terms.group_id, terms.id) as term_group,
      count(distinct coalesce(records.group_id, records.id)) as number
    from event_terms join terms on terms.id = term_id join records on records.id = event_id
    where records.kind = 'event' and records.status = 'publish' group by 1)
  select taxonomy || ' ' || terms.id || ' says ' || event_count || ' of ' || coalesce(truth.number, 0) as place
  from terms left join truth on truth.term_group = coalesce(terms.group_id, terms.id)
  where event_count <> coalesce(truth.number, 0)`

/** A term of a published event belongs to all users. */
const introduced = sql<ViolationRow>`
  select taxonomy || ' ' || id as place from terms where introduced_by is not null and event_count > 0`

/**
 * Drafts may share a slug until they are published. A record in the trash has a changed slug (rulings.md 15). Slugs of
 * events and series are one namespace.
 */
const slugs = sql<ViolationRow>`
  select min(kind) || ' ' || slug || ' (' || language || ')' as place from records
  where status not in ('draft', 'pending', 'trash') and kind <> 'media'
  group by case kind when 'series' then 'event' else kind end, language, slug having count(*) > 1
  union all select kind || ' ' || id || ' has none' from records
  where status not in ('draft', 'pending', 'trash') and kind <> 'media' and slug = ''`

const oneOf = (words: readonly string[]) => sql.join(words.map((word) => sql.lit(word)))

/** Scheduled events have no reason, date or earlier starts, and all others have a date. */
const states = sql<ViolationRow>`
  select 'event ' || record_id as place from events
  where event_status not in (${oneOf(EVENT_STATUSES)}) or attendance not in (${oneOf(ATTENDANCES)})
    or virtual_access not in (${oneOf(VIRTUAL_ACCESSES)})
    or case when event_status = 'scheduled'
      then status_reason <> '' or status_at is not null or previous_starts <> '[]'
      else status_at is null end`

const groupsOf = (table: 'records' | 'terms', kind: 'kind' | 'taxonomy') => sql<ViolationRow>`
  select ${sql.ref(kind)} || ' ' || id || ' is of group ' || group_id as place from ${sql.table(table)} version
  where group_id is not null and not exists (
    select 1 from ${sql.table(table)} original where original.id = version.group_id and original.group_id = original.id
      and original.${sql.ref(kind)} = version.${sql.ref(kind)})
  union all select 'group ' || group_id || ' has several in ' || language from ${sql.table(table)}
  where group_id is not null group by group_id, language having count(*) > 1
  union all select 'group ' || group_id || ' has one member' from ${sql.table(table)}
  where group_id is not null group by group_id having count(*) = 1`

const imported = sql<ViolationRow>`
  select source as place from imported_records where record_id is not null and term_id is not null
    or record_id is not null and not exists (select 1 from records where id = record_id)
    or term_id is not null and not exists (select 1 from terms where id = term_id)`

/** Rules on source data come first, since wrong source data also makes the derived data wrong. */
export const rules: readonly IntegrityCheck[] = [
  rule('kinds', 'Every record has the fields of its own kind only.', kinds),
  rule('references', 'Every linked record, author and picture exists.', references),
  rule('parents', 'Every parent category exists, and no category is its own ancestor.', parents),
  rule('slugs', 'No two published records of a kind and language have the same slug, and each has one.', slugs),
  rule('states', 'The state of every event is known and complete.', states),
  rule(
    'record-groups',
    'Translations of a record have the same kind, one language each, and the same original.',
    groupsOf('records', 'kind'),
  ),
  rule(
    'term-groups',
    'Translations of a term have the same taxonomy, one language each, and the same original.',
    groupsOf('terms', 'taxonomy'),
  ),
  rule('imports', 'Every remembered import belongs to a record or term that exists.', imported),
  rule('series', 'Every date belongs to a series and an event, and every series has rules.', wrongSeries),
  rule('followers', 'Every date equals its series, except in the fields that were changed on it.', wrongFollowers),
  {
    name: 'dates',
    holds: 'The dates of every series are those that its rules give.',
    find: ({ db }) => listWrongDates(db),
  },
  rule('counts', 'The count of every term is the number of published events that have it.', counts),
  rule('introduced', 'Terms of published events are public.', introduced),
  rule(
    'stale',
    'No event waits to be indexed.',
    sql<ViolationRow>`select 'event ' || event_id as place from stale_events`,
  ),
  rule(
    'unrecorded',
    'No change waits for its audit entry.',
    sql<ViolationRow>`select distinct subject || ' ' || item_id as place from audit_pending`,
  ),
]

export const sqliteRules: readonly IntegrityCheck[] = [
  rule(
    'file',
    'The database file is intact (PRAGMA integrity_check).',
    sql<ViolationRow>`
    select integrity_check as place from pragma_integrity_check where integrity_check <> 'ok'`,
  ),
  rule(
    'foreign-keys',
    'Every foreign key refers to a row that exists (PRAGMA foreign_key_check).',
    sql<ViolationRow>`
    select "table" || coalesce(' ' || rowid, '') as place from pragma_foreign_key_check`,
  ),
]
