import type { Kysely } from 'kysely'
import { createAuditTriggers } from '../audit.triggers.ts'
import type { Dialect } from '../dialect.ts'

/** Adds what it takes to attend an event: offers, and how many people can. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { text } = dialect
  for (const [name, byDefault] of Object.entries({ offers: '[]', availability: '' })) {
    await db.schema
      .alterTable('events')
      .addColumn(name, text, (column) => column.notNull().defaultTo(byDefault))
      .execute()
  }
  await db.schema.alterTable('events').addColumn('capacity', 'integer').execute()
  await createAuditTriggers(db, dialect, { table: 'events', kind: 'event', names: events })
}

const events = {
  ...{ start_date: 'start_local', end_date: 'end_local', timezone: 'timezone', all_day: 'is_all_day', cost: 'cost' },
  ...{ website: 'website', show_map: 'show_map', show_map_link: 'show_map_link', hide_from_listings: 'is_hidden' },
  ...{ sticky: 'is_sticky', featured: 'is_featured', custom_fields: 'custom_fields', tickets: 'tickets' },
  ...{ event_status: 'event_status', event_status_reason: 'status_reason', previous_start_dates: 'previous_starts' },
  ...{ attendance: 'attendance', virtual_url: 'virtual_url', virtual_video_source: 'virtual_source' },
  ...{ virtual_access: 'virtual_access', offers: 'offers', availability: 'availability', capacity: 'capacity' },
} as const
