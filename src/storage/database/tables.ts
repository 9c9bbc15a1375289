import type { Generated, Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { Origin } from './origin.ts'
import type { FormerSlugTable, MergedItemTable } from './tables.former.ts'
import type { IdempotencyKeyTable } from './tables.idempotency.ts'
import type { AccessLinkTable } from './tables.links.ts'
import type { OccurrenceTable, RetiredPathTable, SeriesRuleTable, SeriesStateTable } from './tables.series.ts'
import type { ImportedRecordTable, SourceTable } from './tables.sources.ts'
import type { UndoItemTable, UndoTable } from './tables.undos.ts'
import type { SavedViewTable } from './tables.views.ts'

/** The pool, or an open transaction. Sufficient to read. */
export type Db = Kysely<Tables>
/** An open transaction. Required to write. `Db` is not assignable to it. */
export type Tx = Transaction<Tables>

/** A boolean as both engines store it. */
export type Flag = 0 | 1

/** Common columns of events, venues, organizers and pictures. Instants are whole seconds since 1970, UTC. */
export interface RecordTable {
  id: Generated<number>
  /** `series`: the template of the dates of a series. No list shows it, because it is not an event. */
  kind: 'event' | 'venue' | 'organizer' | 'media' | 'series'
  status: string
  status_before_trash: string | null
  slug: string
  title: string
  /** Folded title. Names of venues and organizers are compared by it. */
  title_folded: string
  title_html: string
  content: string
  content_html: string
  excerpt: string
  excerpt_html: string
  author_id: number
  /** Salted digest of the password that opens the record, or null. */
  password: string | null
  image_id: number | null
  parent_id: number | null
  language: string
  /** Id of the group of translations. It is the id of the group's first member. */
  group_id: number | null
  created_at: number
  modified_at: number
  /** Number of changes of the record. */
  change_count: Generated<number>
  /** The publication date. While `is_dated` is 0, the date of the last change. */
  dated_at: number
  /** 0 for a draft or pending record that was never published. Its `date_utc` is then shown as zeros. */
  is_dated: Flag
  /** Folded text for the search. */
  search_text: string
}

export interface EventTable {
  record_id: number
  /** 'YYYY-MM-DD hh:mm:ss', local date and time in `timezone`. */
  start_local: string
  end_local: string
  timezone: string
  start_utc: number
  end_utc: number
  is_all_day: Flag
  /** JSON of a StoredCost. */
  cost: string
  /** Null if never set: the event's own page is then shown. '' if it was cleared. */
  website: string | null
  show_map: Flag
  show_map_link: Flag
  is_hidden: Flag
  is_sticky: Flag
  is_featured: Flag
  /** What happens to the event: see `event.state.ts`. */
  event_status: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online'
  status_reason: string
  /** Null while the event is scheduled. */
  status_at: number | null
  /** JSON list of PreviousStart. */
  previous_starts: string
  attendance: 'offline' | 'online' | 'mixed'
  virtual_url: string
  virtual_source: string
  virtual_access: 'all' | 'registered'
  /** JSON list of Offer. */
  offers: string
  availability: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | ''
  capacity: number | null
  /** JSON object of fields that only the operator sets. */
  custom_fields: string
  /** JSON list of ticket offers. */
  tickets: string
  has_tickets: Flag
}

export interface VenueTable {
  record_id: number
  address: string
  city: string
  country: string
  province: string
  state: string
  stateprovince: string
  zip: string
  phone: string
  website: string
  show_map: Flag
  show_map_link: Flag
  latitude: number | null
  longitude: number | null
}

export interface OrganizerTable {
  record_id: number
  phone: string
  website: string
  email: string
}

export interface EventVenueTable {
  event_id: number
  venue_id: number
  position: number
}

export interface EventOrganizerTable {
  event_id: number
  organizer_id: number
  position: number
}

export interface TermTable {
  id: Generated<number>
  taxonomy: 'category' | 'tag'
  name: string
  /** Folded name. Names are compared and sorted by it. */
  name_folded: string
  slug: string
  description: string
  /** 0 for the top level. */
  parent_id: number
  language: string
  group_id: number | null
  /** Number of published events that have the term itself. Every write that changes the number updates it. */
  event_count: number
  /**
   * Id of the user who first named the term, in a draft and without the right to create it. Null: the term is public.
   */
  introduced_by: Generated<number | null>
  /** The number of changes of the term itself. */
  change_count: Generated<number>
}

export interface EventTermTable {
  event_id: number
  term_id: number
}

export interface MediaTable {
  record_id: number
  /** Path below the uploads folder. */
  file: string
  mime_type: string
  extension: string
  width: number
  height: number
  size_bytes: number
  /** JSON: size name → {file, width, height, mime-type, filesize}. */
  sizes: string
  /** URL that the picture was fetched from, so that the same URL is not fetched twice. */
  source_url: string | null
  /** JSON: language → text that describes the picture. */
  alt_texts: Generated<string>
  /** 1 if the picture is decorative. */
  is_decorative: Generated<number>
}

export interface UserTable {
  id: Generated<number>
  name: string
  /** Lower-case name. Names are compared case-insensitively. */
  name_folded: string
  email: string
  role: string
  created_at: number
  /** Number of the last write that the user requested. 0 on engines without replicas. */
  last_revision: Generated<number>
}

export interface ApplicationPasswordTable {
  id: Generated<number>
  user_id: number
  label: string
  scope: Generated<'read' | 'plan' | 'write'>
  /** SHA-256 of the normalised secret, hex. */
  digest: string
  created_at: number
  /** Null: never. */
  expires_at: Generated<number | null>
  /** Accurate to a few minutes. Null: not used since this is recorded. */
  last_used_at: Generated<number | null>
  /** Digest of the secret before the last rotation, and the time when it expires. */
  previous_digest: Generated<string | null>
  previous_until: Generated<number | null>
  /**
   * Ids of the keys that led to this key, in order, each between blanks: ` 4 12 `. They may be gone. Null: no key did,
   * or this key was made before this was recorded.
   */
  makers: Generated<string | null>
}

/** Password for signing in with a browser. */
export interface AccountPasswordTable {
  user_id: number
  /** PHC string of the password. */
  hash: string
  changed_at: number
}

/** A signed-in session of a browser. */
export interface SessionTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the token that the browser holds, hex. */
  digest: string
  created_at: number
  /** Accurate to a few minutes. */
  last_seen_at: number
  /** Expiry time, regardless of activity. */
  expires_at: number
}

export interface SettingTable {
  name: string
  value: string
}

/** What one write did to one item. Rows are only added, and removed once they are old enough. */
export interface AuditTable {
  id: Generated<number>
  at: number
  via: Origin['via']
  user_id: number | null
  /** Name of the user at that time. */
  user_name: string | null
  /** Kind of the record, the taxonomy, `user`, or `audit` itself. */
  kind: string
  item_id: number
  action: string
  /** JSON object: field → {before, after}, and `cut` if a value is shortened. */
  changes: string
  address: string | null
  request_id: string | null
}

export interface Tables {
  records: RecordTable
  events: EventTable
  venues: VenueTable
  organizers: OrganizerTable
  event_venues: EventVenueTable
  event_organizers: EventOrganizerTable
  terms: TermTable
  event_terms: EventTermTable
  media: MediaTable
  users: UserTable
  application_passwords: ApplicationPasswordTable
  account_passwords: AccountPasswordTable
  sessions: SessionTable
  access_links: AccessLinkTable
  saved_views: SavedViewTable
  settings: SettingTable
  imported_records: ImportedRecordTable
  sources: SourceTable
  idempotency_keys: IdempotencyKeyTable
  undos: UndoTable
  undo_items: UndoItemTable
  series_rules: SeriesRuleTable
  occurrences: OccurrenceTable
  series_state: SeriesStateTable
  retired_paths: RetiredPathTable
  former_slugs: FormerSlugTable
  merged_items: MergedItemTable
  audit: AuditTable
}

export type RecordRow = Selectable<RecordTable>
export type NewRecordRow = Insertable<RecordTable>
export type RecordChanges = Updateable<RecordTable>
export type EventRow = Selectable<EventTable>
export type TermRow = Selectable<TermTable>
export type AuditRow = Selectable<AuditTable>
export type UserRow = Selectable<UserTable>
export type KeyRow = Selectable<ApplicationPasswordTable>
