import Type, { type Static } from 'typebox'
import { maxLineCharacters, maxTextBytes } from '../../base/text/bounds.ts'
import type { FieldTable } from '../../calendar/directory/field.ts'
import { organizerFields } from '../../calendar/organizers/organizer.fields.ts'
import { venueFields } from '../../calendar/venues/venue.fields.ts'

// The parts of a recorded list of events that are read. Everything else is ignored. Recordings differ by the version of
// their source, so only essential fields are required, and an empty value may be null or false.

// Texts are recorded as rendered, which is longer than the original.
const maxLineLength = 2 * maxLineCharacters
const maxArticleLength = 4 * maxTextBytes
const maxItems = 1_000

const line = Type.String({ maxLength: maxLineLength })
const optionalLine = Type.Optional(Type.Union([line, Type.Number(), Type.Null(), Type.Literal(false)]))
const article = Type.Optional(
  Type.Union([Type.String({ maxLength: maxArticleLength }), Type.Null(), Type.Literal(false)]),
)
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))
const id = Type.Integer({ minimum: 1 })

/** A category or a tag, in an event or in a list. */
export const TermSchema = Type.Object({
  id,
  name: line,
  slug: optionalLine,
  description: article,
  parent: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  url: optionalLine,
  urls: Type.Optional(Type.Object({ self: optionalLine })),
})

const entry = {
  id,
  global_id: optionalLine,
  url: optionalLine,
  slug: optionalLine,
  description: article,
  status: optionalLine,
  date: optionalLine,
  date_utc: optionalLine,
  modified_utc: optionalLine,
  image: Type.Optional(Type.Unknown()),
}

/** Returns the schema of the fields of a kind in recordings. */
function recordedFields<T extends FieldTable>(table: T) {
  const properties = Object.values(table).map(({ name, kind }) => [name, kind === 'flag' ? flag : optionalLine])
  return Object.fromEntries(properties) as {
    [P in keyof T as T[P]['name']]: T[P]['blank'] extends boolean ? typeof flag : typeof optionalLine
  }
}

export const VenueSchema = Type.Object({ ...entry, venue: optionalLine, ...recordedFields(venueFields) })

export const OrganizerSchema = Type.Object({ ...entry, organizer: optionalLine, ...recordedFields(organizerFields) })

const CostDetailsSchema = Type.Object({
  currency_symbol: optionalLine,
  currency_position: optionalLine,
  values: Type.Array(Type.Union([line, Type.Number()]), { maxItems }),
})

/** An event of a recording, after `venue` and `organizer` are converted to lists. */
export const EventSchema = Type.Object({
  id,
  global_id: optionalLine,
  rest_url: optionalLine,
  url: optionalLine,
  slug: optionalLine,
  status: line,
  date: optionalLine,
  date_utc: optionalLine,
  modified_utc: optionalLine,
  title: line,
  description: article,
  excerpt: article,
  image: Type.Optional(Type.Unknown()),
  all_day: flag,
  start_date: line,
  end_date: line,
  timezone: line,
  cost: optionalLine,
  cost_details: Type.Optional(CostDetailsSchema),
  website: optionalLine,
  show_map: flag,
  show_map_link: flag,
  hide_from_listings: flag,
  sticky: flag,
  featured: flag,
  categories: Type.Optional(Type.Array(TermSchema, { maxItems })),
  tags: Type.Optional(Type.Array(TermSchema, { maxItems })),
  venue: Type.Array(VenueSchema, { maxItems }),
  organizer: Type.Array(OrganizerSchema, { maxItems }),
})

export type TecTerm = Static<typeof TermSchema>
export type TecVenue = Static<typeof VenueSchema>
export type TecOrganizer = Static<typeof OrganizerSchema>
export type TecEvent = Static<typeof EventSchema>
