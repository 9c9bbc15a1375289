import { id, instant, integer, table, text } from './table.ts'

export const settings = table({ name: text().key(), value: text() })

// What follows is not content: copies and backups omit it.

/** Numbers of writes (`revision.ts`). */
export const revisions = table({ id: integer().key(), number: id() })

/** The program version that produced each schema. Older programs read it, so no later migration may change it. */
export const program_versions = table({ migration: text().key(), version: text() })

/** Which process runs a job on behalf of all processes, and until when (`lease.repository.ts`). */
export const leases = table({ name: text().key(), holder: text(), expires_at: instant() })

/** The languages that the database has been opened with. */
export const content_languages = table({ tag: text().key() })

/** Which bit of `listed_events.shown_alone` represents which preference of lists. Bits that are stored keep their meaning. */
export const list_preferences = table({ place: integer().key(), preference: text().unique() })

/** The number below which all numbers with this count of digits are used, except `slug_gaps`. A stem ends with its dash. */
export const slug_series = table(
  { kind: text(), language: text(), stem: text(), digits: integer(), next: id() },
  { key: ['kind', 'language', 'stem', 'digits'], isClustered: true },
)

/** Released numbers of slugs that a series can assign again. */
export const slug_gaps = table(
  { kind: text(), language: text(), stem: text(), digits: integer(), slug: text() },
  { key: ['kind', 'language', 'stem', 'digits', 'slug'], isClustered: true },
)
