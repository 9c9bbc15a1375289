import { decodeEntities } from '../../base/text/escape.ts'

// What may differ after a move: docs/how-to/move-from-wordpress.md lists it.

/** Members of records that are not compared, by the reason why. */
const notCompared = {
  'each site gives its own': ['id', 'global_id', 'global_id_lineage', 'rest_url', 'term_group', 'term_taxonomy_id'],
  'they say again what other members say': [
    ...['date', 'modified', 'start_date_details', 'end_date_details', 'utc_start_date_details', 'utc_end_date_details'],
    ...['cost_details', 'timezone_abbr', 'json_ld', 'url', 'is_virtual', 'virtual_event_type', 'ticketed', 'recurring'],
  ],
  'they depend on the site': ['count', 'urls', 'meta', 'filter', 'taxonomy', 'custom_fields'],
} as const

/** The members that are not compared. */
export const ignored: ReadonlySet<string> = new Set<string>(Object.values(notCompared).flat())

/** The two values of a field, and the records that have it. */
export interface Differing {
  readonly kind: string
  readonly field: string
  readonly old: unknown
  readonly new: unknown
  readonly oldRecord: Fields
  readonly newRecord: Fields
}

/** The fields of a record that are compared. */
export type Fields = Readonly<Record<string, unknown>>

const texts = ['title', 'description', 'excerpt', 'venue', 'organizer', 'name', 'cost']

/** The differences that a move makes on purpose, by name. */
export const deviations: Readonly<Record<string, (differing: Differing) => boolean>> = {
  /** The same words, with other markup, quotes or dashes. */
  markup: ({ field, old, new: now }) => texts.includes(field) && words(old) === words(now),
  /** An event that ended before it started ends when it starts. */
  reversed: ({ field, oldRecord: { start_date: start, end_date: end }, newRecord }) =>
    /^(?:utc_)?end_date$/.test(field) && String(end) < String(start) && newRecord.end_date === start,
  /** The second of two equal hours has become the first. */
  'second-hour': ({ field, oldRecord, newRecord }) =>
    /^utc_/.test(field) && oldRecord[field.slice(4)] === newRecord[field.slice(4)],
  /** A venue or an organizer is published, because a published event shows it. */
  published: ({ kind, field, oldRecord, newRecord }) =>
    (kind === 'venues' || kind === 'organizers') &&
    ['status', 'slug', 'date_utc', 'modified_utc'].includes(field) &&
    (oldRecord.status === 'draft' || oldRecord.status === 'pending') &&
    newRecord.status === 'publish',
  /** A venue or an organizer that was not published has a slug. */
  slug: ({ kind, field, old }) => (kind === 'venues' || kind === 'organizers') && field === 'slug' && old === '',
  /** Nothing says when a record in the trash was published. */
  trash: ({ field, newRecord }) => field === 'date_utc' && newRecord.status === 'trash',
  /** What another system has sent to the old calendar does not belong to it here. */
  source: ({ field, new: now }) => field === 'source' && now === undefined,
  /** An address that was typed without its scheme has one. */
  address: ({ field, old, new: now }) => field === 'website' && bare(now) === bare(old),
}

/** Returns what a text says, without its markup. */
function words(text: unknown): string {
  return decodeEntities(String(text ?? '').replace(/<[^>]*>/g, ' '))
    .replace(/[‘’′]/g, "'")
    .replace(/[“”″«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replaceAll('...', '…')
    .replace(/\s+/g, '')
}

function bare(address: unknown): string {
  return decodeEntities(String(address ?? ''))
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
}
