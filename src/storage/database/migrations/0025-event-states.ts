import type { Kysely } from 'kysely'
import { createAuditTriggers } from '../audit.triggers.ts'
import type { Dialect } from '../dialect.ts'

/** Adds what happens to events, apart from their publication, and where people attend them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { text, instant } = dialect
  const texts = {
    ...{ event_status: 'scheduled', status_reason: '', previous_starts: '[]', attendance: 'offline' },
    ...{ virtual_url: '', virtual_source: '', virtual_access: 'all' },
  } as const
  for (const [name, byDefault] of Object.entries(texts)) {
    await db.schema
      .alterTable('events')
      .addColumn(name, text, (column) => column.notNull().defaultTo(byDefault))
      .execute()
  }
  await db.schema.alterTable('events').addColumn('status_at', instant).execute()
  // The sets of the event index follow from them. Events get none now: all are scheduled, and people attend them on site.
  await dialect.createTrigger(db, {
    name: 'events_stale_state',
    table: 'events',
    on: 'update',
    columns: ['event_status', 'attendance'],
    when: 'new.event_status <> old.event_status or new.attendance <> old.attendance',
    statement: `insert into stale_events (event_id) select new.record_id where true on conflict (event_id) do nothing`,
  })
  await createAuditTriggers(db, dialect, { table: 'events', kind: 'event', names: events })
}

const events = {
  ...{ start_date: 'start_local', end_date: 'end_local', timezone: 'timezone', all_day: 'is_all_day', cost: 'cost' },
  ...{ website: 'website', show_map: 'show_map', show_map_link: 'show_map_link', hide_from_listings: 'is_hidden' },
  ...{ sticky: 'is_sticky', featured: 'is_featured', custom_fields: 'custom_fields', tickets: 'tickets' },
  ...{ event_status: 'event_status', event_status_reason: 'status_reason', previous_start_dates: 'previous_starts' },
  ...{ attendance: 'attendance', virtual_url: 'virtual_url', virtual_video_source: 'virtual_source' },
  ...{ virtual_access: 'virtual_access' },
} as const
