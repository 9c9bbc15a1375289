import { accepted, refused, urlOf } from '../../../access/http/arguments/argument.rules.ts'
import { websiteSchema } from '../../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule } from '../../../access/http/arguments/argument.ts'
import type { SchemaKit } from '../../../access/http/schema.ts'
import { escapeHtml } from '../../../base/text/escape.ts'
import type { AuditFormat } from '../../../storage/database/audit/audited.tables.ts'
import { fieldTable, flagField, valueField } from '../../records/field.ts'
import { offerFields } from './offers.fields.ts'
import { stateFields } from './state.fields.ts'

// Defines every field of an event once. An entry of `valueFields` is the complete definition of its field. Fields in
// `codedFields` have code of their own, and that code compiles only if it covers all their names.

const websiteSchemes = ['http:', 'https:', 'ftp:', 'mailto:']

/** An address, or `''` for none (`"" null 0 false`). */
const websiteRule: ArgumentRule<string | undefined> = (raw) => {
  if (raw === null || raw === '' || raw === '0' || raw === 0 || raw === false) return accepted('')
  const url = typeof raw === 'string' ? urlOf(raw, websiteSchemes) : undefined
  return url === undefined ? refused('fault.url', { schemes: 'http, https, ftp, mailto' }) : accepted(url)
}

/** Fields with one plain value, in the order of the arguments, the JSON and the table `events`. */
export const valueFields = fieldTable({
  /** Undefined if no website was ever set: the event then shows its own page. `''` if the website was cleared. */
  website: valueField('website', {
    argument: {
      read: websiteRule,
      description: 'website.event',
      schema: { ...websiteSchema, type: ['string', 'null'] },
      default: null,
    },
    column: 'website',
    fromStored: (stored: string | null): string | undefined => stored ?? undefined,
    toStored: (website): string | null => website ?? null,
    blank: undefined,
    isLong: true,
    schema: ({ text }: SchemaKit) => text('Event.website'),
    present: (website, { url }) => (website === undefined ? url : escapeHtml(website)),
    masked: '',
    isShared: false,
    auditedAs: 'plain',
    cell: (website) => website ?? '',
  }),
  showMap: flagField('show_map', { column: 'show_map', description: 'show_map.event', isShared: true }),
  showMapLink: flagField('show_map_link', {
    column: 'show_map_link',
    description: 'show_map_link.event',
    isShared: true,
  }),
  isHidden: flagField('hide_from_listings', {
    column: 'is_hidden',
    description: 'hide_from_listings',
    isShared: true,
  }),
  isSticky: flagField('sticky', { column: 'is_sticky', description: 'sticky', isShared: true }),
  isFeatured: flagField('featured', { column: 'is_featured', description: 'featured', isShared: true }),
  ...stateFields,
  ...offerFields,
})

/** The name of a column in the audit log, and the format of its values there. */
type Audited = readonly [name: string, format: AuditFormat]

/** A field with code of its own, or several fields that the same code handles. */
export interface CodedField {
  /** The property of `EventPatch` for each argument. */
  readonly arguments: Readonly<Record<string, string>>
  /** Columns by table. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, Audited | 'unaudited'>>>>
  readonly members: readonly string[]
  /**
   * The values that its members show while a password protects the event. A member that is missing here shows its
   * value.
   */
  readonly masked: Readonly<Record<string, unknown>>
  /** Whether all translations have the same value. */
  readonly isShared: boolean
  readonly csv: readonly string[]
}

const nothing = {
  arguments: {},
  columns: {},
  members: [],
  masked: {},
  isShared: false,
  csv: [],
} as const

/** Fields with code of their own. The fields of one table are in the order of the audit log. */
export const codedFields = {
  id: { ...nothing, members: ['id', 'global_id', 'global_id_lineage', 'rest_url'], csv: ['id'] },
  status: {
    ...nothing,
    arguments: { status: 'status' },
    columns: { records: { status: ['status', 'plain'], status_before_trash: 'unaudited' } },
    members: ['status'],
    csv: ['status'],
  },
  slug: {
    ...nothing,
    arguments: { slug: 'slug' },
    columns: { records: { slug: ['slug', 'plain'] } },
    members: ['slug', 'url'],
    csv: ['url'],
  },
  title: {
    ...nothing,
    arguments: { title: 'title' },
    columns: { records: { title: ['title', 'plain'], title_folded: 'unaudited', title_html: 'unaudited' } },
    members: ['title'],
    csv: ['title'],
  },
  content: {
    ...nothing,
    arguments: { description: 'content' },
    columns: { records: { content: ['description', 'plain'], content_html: 'unaudited' } },
    members: ['description'],
    masked: { description: '' },
    csv: ['description'],
  },
  excerpt: {
    ...nothing,
    arguments: { excerpt: 'excerpt' },
    columns: { records: { excerpt: ['excerpt', 'plain'], excerpt_html: 'unaudited' } },
    members: ['excerpt'],
    masked: { excerpt: '' },
    csv: ['excerpt'],
  },
  author: {
    ...nothing,
    arguments: { author: 'authorId' },
    columns: { records: { author_id: ['author', 'plain'] } },
    members: ['author'],
  },
  password: {
    ...nothing,
    arguments: { event_password: 'password' },
    columns: { records: { password: ['event_password', 'secret'] } },
  },
  image: {
    ...nothing,
    arguments: { image: 'imageId' },
    columns: { records: { image_id: ['image', 'plain'] } },
    members: ['image'],
    masked: { image: false },
    isShared: true,
    csv: ['image', 'image_alt'],
  },
  parent: { ...nothing, columns: { records: { parent_id: ['parent', 'plain'] } } },
  date: {
    ...nothing,
    arguments: { date: 'date', date_utc: 'dateUtc' },
    columns: { records: { dated_at: ['date_utc', 'instant'], is_dated: 'unaudited' } },
    members: ['date', 'date_utc'],
  },
  language: {
    ...nothing,
    columns: { records: { language: ['language', 'plain'], group_id: ['translation_group', 'plain'] } },
    csv: ['language'],
  },
  modified: { ...nothing, columns: { records: { modified_at: 'unaudited' } }, members: ['modified', 'modified_utc'] },
  times: {
    ...nothing,
    arguments: { timezone: 'zone', all_day: 'isAllDay', start_date: 'start', end_date: 'end' },
    columns: {
      events: {
        start_local: ['start_date', 'plain'],
        end_local: ['end_date', 'plain'],
        timezone: ['timezone', 'plain'],
        is_all_day: ['all_day', 'flag'],
        start_utc: 'unaudited',
        end_utc: 'unaudited',
      },
    },
    members: [
      ...(['all_day', 'start_date', 'start_date_details', 'end_date', 'end_date_details'] as const),
      ...(['utc_start_date', 'utc_start_date_details', 'utc_end_date', 'utc_end_date_details'] as const),
      ...(['timezone', 'timezone_abbr'] as const),
    ],
    masked: { all_day: null },
    isShared: true,
    csv: ['start_date', 'end_date', 'timezone', 'all_day', 'utc_start_date', 'utc_end_date'],
  },
  /** Follow from the other fields of the state. */
  state: {
    ...nothing,
    columns: { events: { status_at: 'unaudited', previous_starts: ['previous_start_dates', 'json'] } },
    members: ['event_status_date', 'previous_start_dates'],
    masked: {},
  },
  /** Other names of the attendance, those of the reference. */
  virtual: {
    ...nothing,
    arguments: { is_virtual: 'isVirtual', virtual_event_type: 'virtualType' },
    members: ['is_virtual', 'virtual_event_type'],
  },
  /** Follows from the offers. */
  ticketed: { ...nothing, members: ['ticketed'] },
  cost: {
    ...nothing,
    arguments: { cost: 'cost' },
    columns: { events: { cost: ['cost', 'json'] } },
    members: ['cost', 'cost_details'],
    masked: {
      cost: '',
      cost_details: { currency_symbol: '', currency_position: '', currency_code: '', values: [] },
    },
    csv: ['cost'],
  },
  venues: {
    ...nothing,
    arguments: { venue: 'venues' },
    columns: { event_venues: { venue_id: ['venue', 'plain'] } },
    members: ['venue'],
    masked: { venue: [] },
    isShared: true,
    csv: ['venue', 'address', 'city', 'stateprovince', 'zip', 'country', 'geo_lat', 'geo_lng'],
  },
  organizers: {
    ...nothing,
    arguments: { organizer: 'organizers' },
    columns: { event_organizers: { organizer_id: ['organizer', 'plain'] } },
    members: ['organizer'],
    masked: { organizer: [] },
    isShared: true,
    csv: ['organizer'],
  },
  terms: {
    ...nothing,
    arguments: { categories: 'categories', tags: 'tags' },
    columns: { event_terms: { term_id: ['terms', 'plain'] } },
    members: ['categories', 'tags'],
    masked: { categories: [], tags: [] },
    isShared: true,
    csv: ['categories', 'tags'],
  },
  /** Only the operator sets these. */
  customFields: {
    ...nothing,
    columns: {
      events: { custom_fields: ['custom_fields', 'json'], tickets: ['tickets', 'json'], has_tickets: 'unaudited' },
    },
    members: ['custom_fields'],
    masked: { custom_fields: [] },
  },
  /** Which series the event is a date of, if any. It has code of its own for protected events. */
  series: { ...nothing, members: ['recurring', 'series'] },
  /** Shown only to those who may edit the event. */
  source: { ...nothing, members: ['source'] },
  /** Left out of the JSON if a password protects the event. */
  jsonLd: { ...nothing, members: ['json_ld'] },
} as const satisfies Readonly<Record<string, CodedField>>
