import { auditedEventTables } from '../../calendar/events/event.fields.derived.ts'
import type { AuditedColumns, AuditedTables } from '../../storage/database/audited.tables.ts'

const plain = (...names: readonly string[]): AuditedColumns =>
  Object.fromEntries(names.map((name) => [name, { column: name, format: 'plain' }]))

/** What the audit log shows of every table: no secret, nor what is made of one. */
export const auditedTables: AuditedTables = {
  items: {
    ...auditedEventTables.items,
    venues: {
      ...plain('address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'phone', 'website'),
      show_map: { column: 'show_map', format: 'flag' },
      show_map_link: { column: 'show_map_link', format: 'flag' },
      geo_lat: { column: 'latitude', format: 'plain' },
      geo_lng: { column: 'longitude', format: 'plain' },
    },
    organizers: plain('phone', 'website', 'email'),
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
    account_passwords: { account_password: { column: 'hash', format: 'secret' } },
  },
  parts: {
    ...auditedEventTables.parts,
    application_passwords: { field: 'application_passwords', shownAs: 'labels' },
    sessions: { field: 'sessions', shownAs: 'ids' },
  },
}
