import Type, { type TSchema } from 'typebox'
import { componentPath, id, word } from '../../access/http/schema.ts'
import type { DescriptionKey } from '../../base/languages/en/descriptions.ts'
import { STATUSES } from '../../calendar/records/record.ts'

/** What an argument means: the key of its description, or its name where the contract gives it none. */
export type ArgumentMeaning = DescriptionKey | 'namespace' | 'context' | 'offset'

const anyText = Type.String()
const filledText = Type.String({ minLength: 1 })
const flag = Type.Boolean()
const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const recordId = Type.Integer({ minimum: 1 })
const ids = Type.Array(recordId, { minItems: 1 })
const idsOrNames = Type.Array(Type.Union([recordId, filledText]), { minItems: 1 })
const date = Type.String({ minLength: 1, examples: ['2030-05-01 19:00:00', '2030-05-01', 'tomorrow 10:00'] })
const website = Type.String({ examples: ['https://example.org/'] })
const category = Type.Integer({ minimum: 0 })

const latitude = { minimum: -90, maximum: 90 }
const longitude = { minimum: -180, maximum: 180 }
const degrees = (range: typeof latitude) => Type.Number({ format: 'double', ...range })
const degreesOrNull = (range: typeof latitude) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], format: 'double', ...range })

/** Terms of an event: a list of ids, slugs or names, or these separated by commas. */
const termsOfEvent = Type.Union([Type.Array(Type.Union([recordId, filledText])), recordId, textOrNull])

/** What an event links to: ids, new records, a list of either, or ids separated by commas. */
function links(newRecord: string): TSchema {
  const link = Type.Union([recordId, Type.Object({ id: recordId }), Type.Unsafe({ $ref: componentPath(newRecord) })])
  return Type.Union([link, Type.Array(link), textOrNull])
}

/**
 * The values that each argument takes, by its meaning. What the index tells of them is bound to the contract and often
 * less than true (index-and-doc.md §2.1).
 */
export const ARGUMENT_SCHEMAS: Readonly<Record<ArgumentMeaning, TSchema>> = {
  page: recordId,
  per_page: recordId,
  start_date: date,
  end_date: date,
  starts_before: date,
  starts_after: date,
  ends_before: date,
  ends_after: date,
  strict_dates: flag,
  'search.events': filledText,
  'search.venues': filledText,
  'search.organizers': filledText,
  'search.terms': filledText,
  'categories.filter': idsOrNames,
  'tags.filter': idsOrNames,
  'venue.filter': ids,
  'organizer.filter': ids,
  'featured.filter': flag,
  'status.filter': Type.Array(word([...STATUSES, 'any']), { minItems: 1 }),
  geoloc: flag,
  geoloc_lat: degrees(latitude),
  geoloc_lng: degrees(longitude),
  geoloc_radius: Type.Number({ format: 'double', exclusiveMinimum: 0 }),
  include: ids,
  post_parent: recordId,
  ticketed: flag,
  has_events: flag,
  only_with_upcoming: flag,
  'event.filter': recordId,
  translation_of: Type.Integer({ minimum: 0 }),
  'id.event': recordId,
  'id.venue': recordId,
  'id.organizer': recordId,
  'id.category': recordId,
  'id.tag': recordId,
  'slug.event': filledText,
  'slug.venue': filledText,
  'slug.organizer': filledText,
  'slug.term': filledText,
  'slug.filter': filledText,
  password: Type.String({ minLength: 1, format: 'password' }),
  event_password: Type.String({ maxLength: 255, format: 'password' }),
  author: recordId,
  date,
  date_utc: date,
  title: filledText,
  'description.record': anyText,
  'description.term': anyText,
  excerpt: anyText,
  status: word(STATUSES),
  timezone: Type.String({ examples: ['America/Toronto', 'UTC-5'] }),
  all_day: flag,
  'start_date.event': date,
  'end_date.event': date,
  image: Type.Union([id('Image.id'), Type.String({ examples: ['https://example.org/picture.jpg'] })]),
  cost: Type.Union([Type.Number(), Type.Array(Type.Union([Type.Number(), anyText])), textOrNull]),
  'website.event': Type.Unsafe<string | null>({ ...website, type: ['string', 'null'] }),
  'website.venue': website,
  'website.organizer': website,
  'show_map.event': flag,
  'show_map_link.event': flag,
  'show_map.venue': flag,
  'show_map_link.venue': flag,
  hide_from_listings: flag,
  sticky: flag,
  featured: flag,
  categories: termsOfEvent,
  tags: termsOfEvent,
  'venue.event': links('CreateVenueInput'),
  'organizer.event': links('CreateOrganizerInput'),
  'venue.name': filledText,
  'organizer.name': filledText,
  address: anyText,
  city: anyText,
  country: anyText,
  province: anyText,
  state: anyText,
  stateprovince: anyText,
  zip: anyText,
  phone: anyText,
  email: anyText,
  geo_lat: degreesOrNull(latitude),
  geo_lng: degreesOrNull(longitude),
  exclude: ids,
  'include.terms': ids,
  order: word(['asc', 'desc']),
  orderby: word(['name', 'id', 'term_id', 'slug', 'description', 'count', 'parent', 'term_group', 'none', 'include']),
  hide_empty: flag,
  'parent.filter': category,
  'parent.term': category,
  'term.name': filledText,
  // The settings say which: the argument names them.
  language: Type.String(),
  namespace: filledText,
  context: word(['view', 'embed', 'edit']),
  offset: recordId,
}
