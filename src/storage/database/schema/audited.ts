import type { Dialect, Trigger } from '../dialect.ts'
import { contentTables } from './schema.ts'
import type { Table } from './table.ts'

// Triggers of the audit log. They note each row before and after a change in `audit_pending`, under the names of its columns
// in the interface (`Column.audited`). A migration that adds an audited column creates the triggers of its table again.

type TableName = keyof typeof contentTables
type Row = 'new' | 'old'

/** A table whose rows are items, or have further columns of items. */
interface Item {
  readonly subject: 'record' | 'term' | 'user' | 'cancellation'
  /** Which rows are items. By default all. */
  readonly when?: (row: Row) => string
  readonly id: 'id' | 'record_id' | 'user_id'
  /** SQL of the item’s kind, from the row. */
  readonly kind: (row: Row) => string
  /**
   * What is noted of a new row: a new item, which shows its fields itself; the fields that an existing item gets; nothing,
   * because the record of the row is noted.
   */
  readonly created: 'item' | 'fields' | 'nothing'
  /** Further columns whose changes are noted, without being among the names. */
  readonly alsoOn?: readonly string[]
}

const literal = (kind: string) => () => `'${kind}'`
const ofUser = { subject: 'user', id: 'user_id', kind: literal('user'), created: 'fields' } as const
const ofRecord = (kind: string) =>
  ({ subject: 'record', id: 'record_id', kind: literal(kind), created: 'nothing' }) as const

const items: { readonly [T in TableName]?: Item } = {
  records: {
    ...{ subject: 'record', id: 'id', kind: (row) => `${row}.kind`, created: 'item', alsoOn: ['modified_at'] },
  },
  events: ofRecord('event'),
  venues: ofRecord('venue'),
  organizers: ofRecord('organizer'),
  media: ofRecord('media'),
  terms: { subject: 'term', id: 'id', kind: (row) => `${row}.taxonomy`, created: 'item' },
  users: { subject: 'user', id: 'id', kind: literal('user'), created: 'item' },
  account_passwords: ofUser,
  access_links: ofUser,
  // Merges are in the entries of what they merged.
  undos: {
    ...{ subject: 'cancellation', id: 'id', kind: literal('cancellation'), created: 'item' },
    when: (row) => `${row}.operation = 'cancel'`,
  },
}

/** A table whose rows are parts of an item, of which it has several. */
interface Part {
  readonly subject: Item['subject']
  readonly item: string
  /** '' if a change is not a change of the item itself. */
  readonly kind: string
  readonly part: string
  /** The columns that are noted: one as it is, several as JSON. */
  readonly values: readonly string[]
  /** The columns whose changes are noted. By default none, because such rows are only added and removed. */
  readonly updates?: readonly string[] | 'all'
}

const ofEvent = { subject: 'record', item: 'event_id', kind: '' } as const
const partOfUser = { subject: 'user', item: 'user_id', kind: 'user', part: 'id' } as const
const rule = ['from_local', 'start_local', 'end_local', 'timezone', 'is_all_day', 'rrule', 'dates', 'except'] as const

const parts: { readonly [T in TableName]?: Part } = {
  event_venues: { ...ofEvent, part: 'venue_id', values: ['position'] },
  event_organizers: { ...ofEvent, part: 'organizer_id', values: ['position'] },
  event_terms: { ...ofEvent, part: 'term_id', values: ['term_id'] },
  application_passwords: { ...partOfUser, values: ['label'], updates: ['label', 'digest', 'expires_at'] },
  sessions: { ...partOfUser, values: ['id'] },
  saved_views: { ...partOfUser, values: ['name'], updates: ['name', 'query'] },
  series_rules: { subject: 'record', item: 'series_id', kind: 'series', part: 'id', values: rule, updates: 'all' },
}

export function auditTriggers(dialect: Dialect): readonly Trigger[] {
  return [
    ...Object.entries(items).flatMap(([table, item]) => itemTriggers(dialect, table as TableName, item)),
    ...Object.entries(parts).flatMap(([table, part]) => partTriggers(dialect, table, part)),
  ]
}

function itemTriggers(dialect: Dialect, table: TableName, item: Item): readonly Trigger[] {
  const { subject, id, kind, created, alsoOn = [], when } = item
  const names = auditedNames(contentTables[table])
  const json = (row: Row) => jsonOf(dialect, row, names)
  const note = (row: Row, was: string, became: string) =>
    noteOf({ subject, item: `${row}.${id}`, area: table, part: '0', kind: kind(row), was, became })
  const trigger = (on: Trigger['on'], statement: string) => ({
    ...{ name: `${table}_audit_${on}`, table, on, statement },
    ...(when ? { when: when(on === 'delete' ? 'old' : 'new') } : {}),
  })
  const changed = note('new', json('old'), json('new'))
  const columns = [...Object.values(names), ...alsoOn].filter((column) => column !== 'group_id')
  // Joining a group also updates its first member, for which nothing may have changed.
  const group: Trigger = {
    ...{ ...trigger('update', changed), name: `${table}_audit_group`, columns: ['group_id'] },
    when: 'new.group_id is distinct from old.group_id',
  }
  return [
    ...(created === 'nothing'
      ? []
      : [trigger('insert', note('new', 'null', created === 'item' ? `'{}'` : json('new')))]),
    trigger('delete', note('old', json('old'), 'null')),
    { ...trigger('update', changed), columns },
    ...('translation_group' in names ? [group] : []),
  ]
}

function partTriggers(dialect: Dialect, table: string, definition: Part): readonly Trigger[] {
  const { subject, item, kind, part, values, updates } = definition
  const [first = ''] = values
  const value = (row: Row) =>
    values.length === 1
      ? `cast(${row}.${first} as text)`
      : jsonOf(dialect, row, Object.fromEntries(values.map((column) => [column, `"${column}"`])))
  const note = (row: Row, was: string, became: string) =>
    noteOf({ subject, item: `${row}.${item}`, area: table, part: `${row}.${part}`, kind: `'${kind}'`, was, became })
  const trigger = (on: Trigger['on'], statement: string) => ({ name: `${table}_audit_${on}`, table, on, statement })
  const update = trigger('update', note('new', value('old'), value('new')))
  return [
    trigger('insert', note('new', 'null', value('new'))),
    trigger('delete', note('old', value('old'), 'null')),
    ...(updates === undefined ? [] : [updates === 'all' ? update : { ...update, columns: updates }]),
  ]
}

function auditedNames({ columns }: Table): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, { details }]) =>
      details.auditedAs === undefined ? [] : [[details.auditedAs, column]],
    ),
  )
}

function jsonOf({ jsonObject }: Dialect, row: Row, columns: Readonly<Record<string, string>>): string {
  return `cast(${jsonObject}(${Object.entries(columns).map(([name, column]) => `'${name}', ${row}.${column}`)}) as text)`
}

interface Note extends Pick<Item, 'subject'> {
  readonly item: string
  readonly area: string
  readonly part: string
  readonly kind: string
  readonly was: string
  readonly became: string
}

/** Returns SQL that notes the row after a change. The state before is noted only by the first change in a write. */
function noteOf({ subject, item, area, part, kind, was, became }: Note): string {
  return `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
    values ('${subject}', ${item}, '${area}', ${part}, ${kind}, ${was}, ${became})
    on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
}
