import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Creates the audit log: who wrote what, and when. Triggers note the changes of a write to each row, before and after,
 * under the field names of the interface. The end of the write combines all changes of one item into one row of
 * `audit`.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, numbered, id, text, instant } = dialect
  await finish(
    numbered(db.schema.createTable('audit'))
      .addColumn('at', instant, (c) => c.notNull())
      .addColumn('via', text, (c) => c.notNull())
      // No foreign key: the entries of a user outlive the user.
      .addColumn('user_id', id)
      .addColumn('user_name', text)
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('item_id', id, (c) => c.notNull())
      .addColumn('action', text, (c) => c.notNull())
      .addColumn('changes', text, (c) => c.notNull())
      .addColumn('address', text)
      .addColumn('request_id', text),
  ).execute()
  await db.schema.createIndex('audit_at').on('audit').columns(['at', 'id']).execute()
  await db.schema.createIndex('audit_item').on('audit').columns(['kind', 'item_id', 'at', 'id']).execute()
  for (const column of ['user_id', 'user_name'] as const) {
    // Imports have no user and must stay cheap, so a partial index skips their entries.
    await db.schema
      .createIndex(`audit_${column}`)
      .on('audit')
      .columns([column, 'at', 'id'])
      .where(sql.ref('user_id'), '>', sql.lit(0))
      .execute()
  }
  // Has one row during the removal of old entries. It says which of them may be removed.
  await finish(
    db.schema
      .createTable('audit_pruning')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('before_at', instant, (c) => c.notNull()),
  ).execute()
  await dialect.appendOnly(db, 'audit', 'exists (select 1 from audit_pruning where old.at < before_at)')
  await finish(
    db.schema
      .createTable('audit_pending')
      .addColumn('subject', text, (c) => c.notNull())
      .addColumn('item_id', id, (c) => c.notNull())
      .addColumn('area', text, (c) => c.notNull())
      .addColumn('part_id', id, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('was', text)
      .addColumn('became', text)
      .addPrimaryKeyConstraint('audit_pending_key', ['subject', 'item_id', 'area', 'part_id']),
    { isClustered: true },
  ).execute()
  await noteItems(db, dialect)
  await noteLinks(db, dialect)
}

const records = {
  ...{ status: 'status', slug: 'slug', title: 'title', description: 'content', excerpt: 'excerpt' },
  ...{ author: 'author_id', event_password: 'password', image: 'image_id', parent: 'parent_id', date_utc: 'dated_at' },
  ...{ language: 'language', translation_group: 'group_id' },
} as const

const events = {
  ...{ start_date: 'start_local', end_date: 'end_local', timezone: 'timezone', all_day: 'is_all_day', cost: 'cost' },
  ...{ website: 'website', show_map: 'show_map', show_map_link: 'show_map_link', hide_from_listings: 'is_hidden' },
  ...{ sticky: 'is_sticky', featured: 'is_featured', custom_fields: 'custom_fields', tickets: 'tickets' },
} as const

const venues = {
  ...{ address: 'address', city: 'city', country: 'country', province: 'province', state: 'state' },
  ...{ stateprovince: 'stateprovince', zip: 'zip', phone: 'phone', website: 'website', show_map: 'show_map' },
  ...{ show_map_link: 'show_map_link', geo_lat: 'latitude', geo_lng: 'longitude' },
} as const

const organizers = { phone: 'phone', website: 'website', email: 'email' } as const

const media = {
  file: 'file',
  mime_type: 'mime_type',
  width: 'width',
  height: 'height',
  filesize: 'size_bytes',
} as const

const terms = {
  ...{ name: 'name', slug: 'slug', description: 'description', parent: 'parent_id', language: 'language' },
  ...{ translation_group: 'group_id' },
} as const

const users = { name: 'name', email: 'email', role: 'role' } as const

const passwords = { account_password: 'hash' } as const

type Names = Readonly<Record<string, string>>

interface Item {
  readonly table: string
  readonly subject: 'record' | 'term' | 'user'
  readonly id: 'id' | 'record_id' | 'user_id'
  /** SQL of the item's kind, from the row. */
  readonly kind: (row: 'new' | 'old') => string
  readonly names: Names
  /** Whether a new row needs no note of its own, because its record is noted. */
  readonly isDetail?: boolean
  /** Whether a new row changes an existing item. */
  readonly isPart?: boolean
  /** Further columns whose changes are noted, without being among the names. */
  readonly alsoOn?: readonly string[]
}

const items: readonly Item[] = [
  {
    table: 'records',
    subject: 'record',
    id: 'id',
    kind: (row) => `${row}.kind`,
    names: records,
    alsoOn: ['modified_at'],
  },
  ...Object.entries({ event: events, venue: venues, organizer: organizers }).map(
    ([kind, names]): Item => ({
      ...{ table: `${kind}s`, subject: 'record', id: 'record_id', kind: () => `'${kind}'`, names, isDetail: true },
    }),
  ),
  { table: 'media', subject: 'record', id: 'record_id', kind: () => `'media'`, names: media, isDetail: true },
  { table: 'terms', subject: 'term', id: 'id', kind: (row) => `${row}.taxonomy`, names: terms },
  { table: 'users', subject: 'user', id: 'id', kind: () => `'user'`, names: users },
  { table: 'account_passwords', subject: 'user', id: 'user_id', kind: () => `'user'`, names: passwords, isPart: true },
]

async function noteItems(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const { table, subject, id, kind, names, isDetail = false, isPart = false, alsoOn = [] } of items) {
    const json = (row: 'new' | 'old') =>
      `cast(${dialect.jsonObject}(${Object.entries(names).map(([name, column]) => `'${name}', ${row}.${column}`)}) as text)`
    const note = (row: 'new' | 'old', was: string, became: string) =>
      noteOf({ subject: `'${subject}'`, item: `${row}.${id}`, area: table, part: '0', kind: kind(row), was, became })
    const trigger = { name: `${table}_audit`, table }
    if (!isDetail) {
      // The fields of a new item are not noted, because the item itself shows them.
      const statement = note('new', 'null', isPart ? json('new') : `'{}'`)
      await dialect.createTrigger(db, { ...trigger, name: `${table}_audit_insert`, on: 'insert', statement })
    }
    await dialect.createTrigger(db, {
      ...{ name: `${table}_audit_delete`, table, on: 'delete' },
      statement: note('old', json('old'), 'null'),
    })
    const columns = [...Object.values(names), ...alsoOn].filter((column) => column !== 'group_id')
    const statement = note('new', json('old'), json('new'))
    await dialect.createTrigger(db, { ...{ name: `${table}_audit_update`, table, on: 'update', columns }, statement })
    if (!('translation_group' in names)) continue
    // Joining a group also updates its first member, for which nothing may have changed.
    await dialect.createTrigger(db, {
      ...{ name: `${table}_audit_group`, table, on: 'update', columns: ['group_id'] },
      when: 'new.group_id is distinct from old.group_id',
      statement,
    })
  }
}

/** Notes the links of an event and the credentials of a user. Each row of these tables is a part of an item. */
async function noteLinks(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const event = { subject: 'record', item: 'event_id', kind: '', columns: undefined }
  const user = { subject: 'user', item: 'user_id', kind: 'user', part: 'id' }
  for (const { table, subject, item, kind, part, value, columns } of [
    { ...event, table: 'event_venues', part: 'venue_id', value: 'position' },
    { ...event, table: 'event_organizers', part: 'organizer_id', value: 'position' },
    { ...event, table: 'event_terms', part: 'term_id', value: 'term_id' },
    { ...user, table: 'application_passwords', value: 'label', columns: ['label', 'digest', 'expires_at'] },
    { ...user, table: 'sessions', value: 'id', columns: undefined },
  ]) {
    const note = (row: 'new' | 'old', was: string, became: string) =>
      noteOf({
        ...{ subject: `'${subject}'`, item: `${row}.${item}`, area: table, part: `${row}.${part}`, kind: `'${kind}'` },
        ...{ was, became },
      })
    const text = (row: 'new' | 'old') => `cast(${row}.${value} as text)`
    const trigger = (on: 'insert' | 'delete' | 'update', statement: string) => ({
      ...{ name: `${table}_audit_${on}`, table, on, statement },
    })
    await dialect.createTrigger(db, trigger('insert', note('new', 'null', text('new'))))
    await dialect.createTrigger(db, trigger('delete', note('old', text('old'), 'null')))
    if (!columns) continue
    await dialect.createTrigger(db, { ...trigger('update', note('new', text('old'), text('new'))), columns })
  }
}

interface Note {
  readonly subject: string
  readonly item: string
  readonly area: string
  readonly part: string
  readonly kind: string
  readonly was: string
  readonly became: string
}

/**
 * Returns SQL that notes the row after the change. The state before is noted only by the first change in this write.
 */
function noteOf({ subject, item, area, part, kind, was, became }: Note): string {
  return `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
    values (${subject}, ${item}, '${area}', ${part}, ${kind}, ${was}, ${became})
    on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
}
