import type { FieldTable } from '../../calendar/directory/field.ts'
import { auditedEventTables } from '../../calendar/events/model/fields.derived.ts'
import { organizerFields } from '../../calendar/organizers/organizer.fields.ts'
import { venueFields } from '../../calendar/venues/venue.fields.ts'
import type { AuditedColumns, AuditedTables } from '../../storage/database/audit/audited.tables.ts'

const plain = (...names: readonly string[]): AuditedColumns =>
  Object.fromEntries(names.map((name) => [name, { column: name, format: 'plain' }]))

function auditedEntryColumns(fields: FieldTable): AuditedColumns {
  return Object.fromEntries(
    Object.values(fields).map(({ name, column, kind }) => [
      name,
      { column, format: kind === 'flag' ? 'flag' : 'plain' },
    ]),
  )
}

/** The fields of every table that the audit log shows: no secret, and no value derived from one. */
export const auditedTables: AuditedTables = {
  items: {
    ...auditedEventTables.items,
    venues: auditedEntryColumns(venueFields),
    organizers: auditedEntryColumns(organizerFields),
    media: {
      ...plain('file', 'mime_type', 'width', 'height'),
      filesize: { column: 'size_bytes', format: 'plain' },
      alt_texts: { column: 'alt_texts', format: 'json' },
      decorative: { column: 'is_decorative', format: 'flag' },
    },
    terms: {
      ...plain('name', 'slug', 'description', 'language', 'introduced_by'),
      parent: { column: 'parent_id', format: 'plain' },
      translation_group: { column: 'group_id', format: 'plain' },
    },
    users: plain('name', 'email', 'role'),
    subscriptions: { subscription: { column: 'subscription', format: 'json' } },
    series_dates: plain('dates_added', 'dates_dropped', 'dates_changed'),
    undos: { undone_at: { column: 'undone_at', format: 'instant' } },
    account_passwords: { account_password: { column: 'hash', format: 'secret' } },
    access_links: { password_link: { column: 'digest', format: 'secret' } },
  },
  parts: {
    ...auditedEventTables.parts,
    series_rules: { field: 'rules', shownAs: 'labels' },
    application_passwords: { field: 'application_passwords', shownAs: 'labels' },
    sessions: { field: 'sessions', shownAs: 'ids' },
    saved_views: { field: 'saved_views', shownAs: 'labels' },
  },
}
