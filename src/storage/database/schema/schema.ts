import { audit, audit_pending, audit_pruning } from './audit.ts'
import {
  access_links,
  account_passwords,
  application_passwords,
  idempotency_keys,
  saved_views,
  sessions,
  users,
} from './auth.ts'
import { change_log, changes, event_facets, listed_events, search_texts, stale_events, stale_items } from './derived.ts'
import { event_organizers, event_terms, event_venues, events } from './events.ts'
import { former_slugs, media, merged_items, organizers, records, venues } from './records.ts'
import { occurrences, retired_paths, series_rules, series_state } from './series.ts'
import {
  content_languages,
  leases,
  list_preferences,
  program_versions,
  revisions,
  settings,
  slug_gaps,
  slug_series,
} from './service.ts'
import { imported_records, sources } from './sources.ts'
import { terms } from './terms.ts'
import { undo_items, undos } from './undo.ts'

/** Tables with content, which copies and backups have. A row never refers to a row of a later table. */
export const contentTables = {
  settings,
  users,
  application_passwords,
  account_passwords,
  sessions,
  access_links,
  saved_views,
  records,
  media,
  venues,
  organizers,
  events,
  event_venues,
  event_organizers,
  terms,
  event_terms,
  sources,
  imported_records,
  idempotency_keys,
  undos,
  undo_items,
  series_rules,
  occurrences,
  series_state,
  retired_paths,
  former_slugs,
  merged_items,
  audit,
}

/** Internal tables of the database, such as the counter of writes. */
export const internalTables = {
  revisions,
  slug_gaps,
  slug_series,
  audit_pending,
  audit_pruning,
  program_versions,
  content_languages,
  list_preferences,
  leases,
}

/** Tables that only derivations write. */
export const derivedTables = {
  stale_events,
  listed_events,
  event_facets,
  search_texts,
  changes,
  change_log,
  stale_items,
}
