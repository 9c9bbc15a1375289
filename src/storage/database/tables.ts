import type { Generated, Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { Origin } from './origin.ts'

/** The pool, or an open transaction: enough to read. */
export type Db = Kysely<Tables>
/** An open transaction: needed to write. `Db` is not assignable to it. */
export type Tx = Transaction<Tables>

/** Truth as both engines store it alike. */
export type Flag = 0 | 1

/** What events, venues, organizers and pictures have in common. Instants are whole seconds since 1970, UTC. */
interface RecordTable {
  id: Generated<number>
  kind: 'event' | 'venue' | 'organizer' | 'media'
  status: string
  status_before_trash: string | null
  slug: string
  title: string
  /** Folded title: what names of venues and organizers are compared by. */
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
  /** Id of the group of translations: that of its first member. */
  group_id: number | null
  created_at: number
  modified_at: number
  /** How often the record was changed. */
  change_count: Generated<number>
  /** The publication date; that of the last change while `is_dated` is 0. */
  dated_at: number
  /** 0 for a draft or pending record that was never published: its `date_utc` is shown as zeros. */
  is_dated: Flag
  /** Folded text that a search looks through. */
  search_text: string
}

export interface EventTable {
  record_id: number
  /** 'YYYY-MM-DD hh:mm:ss' on the clock of `timezone`. */
  start_local: string
  end_local: string
  timezone: string
  start_utc: number
  end_utc: number
  is_all_day: Flag
  /** JSON of a StoredCost. */
  cost: string
  /** Null where none was ever set, which is shown as the event's own page; '' where it was cleared. */
  website: string | null
  show_map: Flag
  show_map_link: Flag
  is_hidden: Flag
  is_sticky: Flag
  is_featured: Flag
  /** JSON object of fields that only the operator sets. */
  custom_fields: string
  /** JSON list of ticket offers. */
  tickets: string
  has_tickets: Flag
}

interface VenueTable {
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

interface OrganizerTable {
  record_id: number
  phone: string
  website: string
  email: string
}

interface EventVenueTable {
  event_id: number
  venue_id: number
  position: number
}

interface EventOrganizerTable {
  event_id: number
  organizer_id: number
  position: number
}

interface TermTable {
  id: Generated<number>
  taxonomy: 'category' | 'tag'
  name: string
  /** Folded name: what names are compared and sorted by. */
  name_folded: string
  slug: string
  description: string
  /** 0 for the top level. */
  parent_id: number
  language: string
  group_id: number | null
  /** How many published events carry the term itself. Kept by every write that changes it. */
  event_count: number
  /** Id of who named it first, in a draft and without the right to make it. Null: it is for everybody. */
  introduced_by: Generated<number | null>
}

interface EventTermTable {
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
  /** Where it was fetched from, so that the same address is not fetched twice. */
  source_url: string | null
  /** JSON: language → what the picture shows, in words. */
  alt_texts: Generated<string>
  /** 1 where the picture says nothing of its own. */
  is_decorative: Generated<number>
}

interface UserTable {
  id: Generated<number>
  name: string
  /** Lower-case name: names are compared without letter case. */
  name_folded: string
  email: string
  role: string
  created_at: number
  /** Number of the last write that the user asked for; 0 on engines that have no replicas. */
  last_revision: Generated<number>
}

interface ApplicationPasswordTable {
  id: Generated<number>
  user_id: number
  label: string
  /** SHA-256 of the normalised secret, hex. */
  digest: string
  created_at: number
  /** Null: never. */
  expires_at: Generated<number | null>
  /** To a few minutes. Null: not since times are noted. */
  last_used_at: Generated<number | null>
  /** That of the secret before the last rotation, and when it ends. */
  previous_digest: Generated<string | null>
  previous_until: Generated<number | null>
  /** Id of the key that asked for it, which may be gone. Null: none did, or it was made before this was noted. */
  /** Ids in order, each between blanks: ` 4 12 `. */
  makers: Generated<string | null>
}

/** What people sign in with in a browser. */
interface AccountPasswordTable {
  user_id: number
  /** PHC string of the password. */
  hash: string
  changed_at: number
}

/** A browser that somebody has signed in with. */
export interface SessionTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of what the browser holds, hex. */
  digest: string
  created_at: number
  /** To a few minutes. */
  last_seen_at: number
  /** When it ends, however busy. */
  expires_at: number
}

interface SettingTable {
  name: string
  value: string
}

/** Where a record or a term was imported from; one of the two ids is set. */
interface ImportedRecordTable {
  kind: 'event' | 'venue' | 'organizer' | 'category' | 'tag'
  /** Id that is the same for every reader of the source. */
  source: string
  record_id: number | null
  term_id: number | null
  /** SHA-256 of what was imported, hex: what has not changed is left alone. */
  digest: string
  /** Whole days by which an event was moved as it was imported. */
  shift_days: number
  imported_at: number
}

/** What one write did to one item. Rows are only added, and removed once they are old enough. */
interface AuditTable {
  id: Generated<number>
  at: number
  via: Origin['via']
  user_id: number | null
  /** As it was then. */
  user_name: string | null
  /** That of the record, of the taxonomy, `user`, or `audit` itself. */
  kind: string
  item_id: number
  action: string
  /** JSON object: field → {before, after}, and `cut` where a value is not whole. */
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
  settings: SettingTable
  imported_records: ImportedRecordTable
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
