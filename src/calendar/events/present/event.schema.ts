import Type, { type Static, type TSchema } from 'typebox'
import { listSchema } from '../../../access/http/arguments/paging.schema.ts'
import {
  dateTime,
  id,
  oneOf,
  orEmptyList,
  orFalse,
  orNull,
  recordOf,
  ref,
  schemaKit,
  text,
  url,
  withDescription,
} from '../../../access/http/schema.ts'
import { ImageSchema } from '../../media/media.schema.ts'
import { OrganizerSchema, PersonJsonLdSchema } from '../../organizers/organizer.schema.ts'
import { globalIdProperties, recordMetadataProperties } from '../../records/record.schema.ts'
import { RecordSourceSchema } from '../../sources/source.schema.ts'
import { TermSchema } from '../../terms/term.schema.ts'
import { PlaceJsonLdSchema, VenueSchema } from '../../venues/venue.schema.ts'
import { valueFields } from '../model/event.fields.ts'
import type { EventMember } from '../model/fields.derived.ts'
import { VIRTUAL_TYPES } from '../model/state.ts'

/** The parts of a date. Contract: they are texts (events.md §2). */
export const DateDetailsSchema = Type.Object(
  { year: text(), month: text(), day: text(), hour: text(), minutes: text(), seconds: text() },
  { $id: 'DateDetails', ...withDescription('DateDetails') },
)

/** The parts of the cost of an event (events.md §2 "Cost text"). */
export const CostDetailsSchema = Type.Object(
  {
    currency_symbol: text('CostDetails.currency_symbol'),
    currency_code: text('CostDetails.currency_code'),
    currency_position: oneOf(['prefix', 'postfix', ''], 'CostDetails.currency_position'),
    values: Type.Unsafe<readonly string[]>(Type.Array(Type.String(), withDescription('CostDetails.values'))),
  },
  { $id: 'CostDetails', ...withDescription('CostDetails') },
)

/** The times that an event had before it was rescheduled. */
export const PreviousStartSchema = Type.Object(
  {
    start_date: dateTime('start_date.event'),
    end_date: dateTime('end_date.event'),
    timezone: text('timezone'),
    utc_start_date: dateTime('Event.utc_start_date'),
    utc_end_date: dateTime('Event.utc_end_date'),
    until: dateTime('PreviousStart.until'),
  },
  { $id: 'PreviousStart', ...withDescription('PreviousStart') },
)

/** Where people attend an online event, in schema.org terms. */
export const VirtualLocationJsonLdSchema = Type.Object(
  { '@type': Type.Literal('VirtualLocation'), url: url() },
  { $id: 'VirtualLocationJsonLd', ...withDescription('VirtualLocationJsonLd') },
)

type LocationJsonLd = Static<typeof PlaceJsonLdSchema> | Static<typeof VirtualLocationJsonLdSchema>
const locationJsonLd = [ref(PlaceJsonLdSchema), ref(VirtualLocationJsonLdSchema)]
const Offer = Type.Object({
  '@type': oneOf(['Offer', 'AggregateOffer']),
  name: Type.Optional(text()),
  price: Type.Optional(text()),
  lowPrice: Type.Optional(text()),
  highPrice: Type.Optional(text()),
  priceCurrency: Type.Optional(text()),
  url: url(),
  category: Type.Optional(text()),
  availability: Type.Optional(text()),
  validFrom: Type.Optional(Type.String({ format: 'date-time' })),
  validThrough: Type.Optional(Type.String({ format: 'date-time' })),
})
type OfferJsonLd = Static<typeof Offer>

/** An event in schema.org terms (events.md §2 "json_ld"). */
export const EventJsonLdSchema = Type.Object(
  {
    '@context': url(),
    '@type': Type.Literal('Event'),
    name: text(),
    description: text(),
    image: Type.Optional(url()),
    url: url(),
    eventAttendanceMode: url(),
    eventStatus: url(),
    startDate: Type.String({ format: 'date-time' }),
    endDate: Type.String({ format: 'date-time' }),
    previousStartDate: Type.Optional(
      Type.Unsafe<string | readonly string[]>({
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'array', items: { type: 'string', format: 'date-time' } },
        ],
      }),
    ),
    location: Type.Optional(
      Type.Unsafe<LocationJsonLd | readonly LocationJsonLd[]>({
        anyOf: [...locationJsonLd, { type: 'array', items: { anyOf: locationJsonLd } }],
      }),
    ),
    organizer: Type.Optional(ref(PersonJsonLdSchema)),
    offers: Type.Optional(Type.Unsafe<OfferJsonLd | readonly OfferJsonLd[]>({ anyOf: [Offer, Type.Array(Offer)] })),
    performer: text(),
    superEvent: Type.Optional(Type.Object({ '@type': Type.Literal('EventSeries'), url: url() })),
  },
  { $id: 'EventJsonLd', ...withDescription('EventJsonLd') },
)

/** The series of which an event is a date. Of a protected event, only the first two members are shown. */
export const SeriesOfEventSchema = Type.Object(
  {
    id: id('id.series'),
    recurrence_id: dateTime('SeriesOfEvent.recurrence_id'),
    rest_url: Type.Optional(url('SeriesOfEvent.rest_url')),
    url: Type.Optional(url('SeriesOfEvent.url')),
    all_url: Type.Optional(url('SeriesOfEvent.all_url')),
    is_modified: Type.Optional(Type.Boolean(withDescription('SeriesOfEvent.is_modified'))),
    own_fields: Type.Optional(Type.Array(Type.String(), withDescription('SeriesOfEvent.own_fields'))),
    rrule: Type.Optional(text('SeriesOfEvent.rrule')),
    text: Type.Optional(text('SeriesOfEvent.text')),
    dates_until: Type.Optional(orNull(text('SeriesOfEvent.dates_until'))),
  },
  { $id: 'SeriesOfEvent', ...withDescription('SeriesOfEvent') },
)

const details = ref(DateDetailsSchema)

const VenueOfEvent = Type.Unsafe<Static<typeof VenueSchema> | readonly Static<typeof VenueSchema>[]>({
  anyOf: [ref(VenueSchema), Type.Array(ref(VenueSchema))],
  ...withDescription('Event.venue'),
})

const CustomField = Type.Object({ label: text(), value: Type.Unknown() })

/** An event as clients read it (events.md §2). The flags are null if a password protects them (events.md §6). */
export const EventSchema = Type.Object(
  {
    id: id('id.event'),
    ...globalIdProperties,
    ...recordMetadataProperties,
    rest_url: url('Event.rest_url'),
    title: text('Record.title'),
    description: text('Record.description'),
    excerpt: text('Record.excerpt'),
    slug: text('Record.slug'),
    image: orFalse(ref(ImageSchema), 'Event.image'),
    all_day: orNull(Type.Boolean(withDescription('all_day'))),
    start_date: dateTime('start_date.event'),
    start_date_details: details,
    end_date: dateTime('end_date.event'),
    end_date_details: details,
    utc_start_date: dateTime('Event.utc_start_date'),
    utc_start_date_details: details,
    utc_end_date: dateTime('Event.utc_end_date'),
    utc_end_date_details: details,
    timezone: text('timezone'),
    timezone_abbr: text('Event.timezone_abbr'),
    cost: text('Event.cost'),
    cost_details: ref(CostDetailsSchema),
    ...valueFields.schemas(schemaKit),
    categories: Type.Array(ref(TermSchema), withDescription('Event.categories')),
    tags: Type.Array(ref(TermSchema), withDescription('Event.tags')),
    venue: VenueOfEvent,
    organizer: Type.Array(ref(OrganizerSchema), withDescription('Event.organizer')),
    custom_fields: orEmptyList(recordOf(CustomField), 'Event.custom_fields'),
    recurring: Type.Optional(Type.Boolean(withDescription('Event.recurring'))),
    series: Type.Optional(ref(SeriesOfEventSchema)),
    json_ld: Type.Optional(ref(EventJsonLdSchema, 'Record.json_ld')),
    ...valueFields.optionalSchemas(schemaKit),
    event_status_date: Type.Optional(dateTime('Event.event_status_date')),
    previous_start_dates: Type.Optional(
      Type.Array(ref(PreviousStartSchema), withDescription('Event.previous_start_dates')),
    ),
    source: Type.Optional(ref(RecordSourceSchema)),
    ticketed: Type.Optional(Type.Array(Type.String(), withDescription('Event.ticketed'))),
    is_virtual: Type.Optional(Type.Boolean(withDescription('is_virtual'))),
    virtual_event_type: Type.Optional(oneOf(VIRTUAL_TYPES, 'virtual_event_type')),
  } satisfies Readonly<Record<EventMember, TSchema>>,
  { $id: 'Event', ...withDescription('Event') },
)

/** An event as clients read it. If the request names a language, site-specific members are added. */
export type EventJson = Static<typeof EventSchema>

export const EventListSchema = listSchema('EventList', 'events', EventSchema)
