import type { Trigger } from '../dialect.ts'
import { events } from './events.ts'
import { searchedColumns } from './table.ts'

// Triggers that note what derivations must derive again: events in `stale_events`, other items in `stale_items`.

type Row = 'new' | 'old'
type Change = Omit<Trigger, 'name' | 'table' | 'on' | 'statement'>

/** One trigger for each kind of change. `row` is the row after the change, or the deleted one. */
function onEachChange(
  table: string,
  name: string,
  made: (row: Row, on: Trigger['on']) => Change & Pick<Trigger, 'statement'>,
): readonly Trigger[] {
  const rows = { insert: 'new', update: 'new', delete: 'old' } as const
  return (['insert', 'update', 'delete'] as const).map((on) => ({
    ...{ name: `${name}_${on}`, table, on },
    ...made(rows[on], on),
  }))
}

const onUpdate = (table: string, end: string, rest: Omit<Trigger, 'name' | 'table' | 'on'>): Trigger => ({
  ...{ name: `${table}_stale_${end}`, table, on: 'update' },
  ...rest,
})

const staleEvents = (events: string) =>
  `insert into stale_events (event_id) select ${events} on conflict (event_id) do nothing`
const staleEvent = (id: string) => staleEvents(`${id} where true`)

/** The event index and the search index follow from events, their links and the groups of these. */
const eventTriggers: readonly Trigger[] = [
  ...onEachChange('events', 'events_stale', (row, on) => ({
    ...(on === 'update'
      ? { columns: ['start_local', 'end_local', 'start_utc', 'end_utc', 'is_hidden', 'is_featured'] }
      : {}),
    statement: staleEvent(`${row}.record_id`),
  })),
  ...['event_terms', 'event_venues', 'event_organizers', 'occurrences'].flatMap((table) =>
    onEachChange(table, `${table}_stale`, (row) => ({ statement: staleEvent(`${row}.event_id`) })),
  ),
  // Which translation of an event a list shows also depends on which others are hidden.
  onUpdate('events', 'hidden', {
    columns: ['is_hidden'],
    when: 'new.is_hidden <> old.is_hidden',
    statement: staleEvents('id from records where group_id = (select group_id from records where id = new.record_id)'),
  }),
  onUpdate('events', 'tickets', {
    columns: ['has_tickets'],
    when: 'new.has_tickets <> old.has_tickets',
    statement: staleEvent('new.record_id'),
  }),
  onUpdate('events', 'state', {
    columns: ['event_status', 'attendance'],
    when: 'new.event_status <> old.event_status or new.attendance <> old.attendance',
    statement: staleEvent('new.record_id'),
  }),
  onUpdate('records', 'update', {
    columns: ['status', 'language', 'dated_at', 'group_id'],
    when: "new.kind = 'event'",
    statement: staleEvents('id from records where id = new.id or group_id = new.group_id or group_id = old.group_id'),
  }),
  onUpdate('records', 'author', {
    columns: ['author_id'],
    when: "new.kind = 'event' and new.author_id <> old.author_id",
    statement: staleEvent('new.id'),
  }),
  onUpdate('records', 'password', {
    columns: ['password'],
    when: "new.kind = 'event'",
    statement: staleEvent('new.id'),
  }),
  onUpdate('records', 'words', {
    columns: ['search_text', 'password'],
    when: `new.kind = 'event'
      and (new.search_text <> old.search_text or new.password is distinct from old.password)`,
    statement: staleEvent('new.id'),
  }),
  // Writes of records store the text that is searched themselves.
  ...searchedColumns(events).map((column) =>
    onUpdate('events', column, {
      columns: [column],
      when: `new.${column} is distinct from old.${column}`,
      statement: `insert into stale_events (event_id, has_stale_text) values (new.record_id, 1)
        on conflict (event_id) do update set has_stale_text = 1`,
    }),
  ),
]

/** The id of a group is the id of its original, which joins the group with its first translation, and stays in it. */
const isMoved = 'coalesce(new.group_id, new.id) <> coalesce(old.group_id, old.id)'

const groupTriggers: readonly Trigger[] = [
  onUpdate('records', 'group', {
    columns: ['group_id'],
    when: `new.kind in ('venue', 'organizer') and ${isMoved}`,
    statement: staleEvents(`event_id from (select event_id from event_venues where venue_id = new.id
      union select event_id from event_organizers where organizer_id = new.id) linked where true`),
  }),
  onUpdate('terms', 'group', {
    columns: ['group_id'],
    when: isMoved,
    statement: staleEvents('event_id from event_terms where term_id = new.id'),
  }),
]

const staleItems = (kind: string, ids: string) =>
  `insert into stale_items (kind, item_id) select ${kind}, ${ids} on conflict (kind, item_id) do nothing`
const staleItem = (kind: string, id: string) => staleItems(kind, `${id} where true`)

/** The templates of a series. The original of them has the rules of all. */
const templatesOf = (row: Row) =>
  staleItems(
    "'series'",
    `id from records where kind = 'series' and (id = ${row}.series_id or group_id = ${row}.series_id)`,
  )

/** The log of changes follows from all public items. */
const itemTriggers: readonly Trigger[] = [
  onUpdate('records', 'count', {
    columns: ['change_count'],
    when: "new.kind = 'event'",
    statement: staleItem("'event'", 'new.id'),
  }),
  ...onEachChange('records', 'records_stale_item', (row, on) => ({
    ...(on === 'update' ? { columns: ['change_count', 'status', 'slug', 'language'] } : {}),
    when: `${row}.kind in ('venue', 'organizer')`,
    statement: staleItem(`${row}.kind`, `${row}.id`),
  })),
  ...onEachChange('terms', 'terms_stale_item', (row) => ({ statement: staleItem(`${row}.taxonomy`, `${row}.id`) })),
  // The address of a category contains the slugs of its ancestors.
  onUpdate('terms', 'branch', {
    columns: ['slug', 'parent_id'],
    when: 'new.slug <> old.slug or new.parent_id <> old.parent_id',
    statement: staleItem("'branch'", 'new.id'),
  }),
  ...onEachChange('records', 'records_stale_series', (row, on) => ({
    ...(on === 'update' ? { columns: ['change_count', 'status', 'slug', 'language', 'password', 'group_id'] } : {}),
    when: `${row}.kind = 'series'`,
    statement: staleItems(
      "'series'",
      `${row}.id where true union select 'series', id from records
        where kind = 'series' and group_id ${on === 'update' ? 'in (new.group_id, old.group_id)' : `= ${row}.group_id`}`,
    ),
  })),
  ...onEachChange('series_rules', 'series_rules_stale', (row) => ({ statement: templatesOf(row) })),
  { name: 'series_state_stale_update', table: 'series_state', on: 'update', statement: templatesOf('new') },
]

export const staleTriggers: readonly Trigger[] = [...eventTriggers, ...groupTriggers, ...itemTriggers]
