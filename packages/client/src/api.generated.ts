// Generated from the OpenAPI document of the service by `npm run client-types`, which overwrites manual changes.

/** A date and a time of day: `2030-05-01 19:00:00`. */
export type DateTime = `${number}-${number}-${number} ${number}:${number}:${number}`

/** What may be done with a record, and who sees it. */
export type Status = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash'

/** The languages of records. */
export type Language = 'en' | 'en-CA' | 'fr-CA'

/** What a user may do. */
export type Role = 'subscriber' | 'contributor' | 'author' | 'editor' | 'administrator'

/** A picture in one of its sizes. */
export interface PictureSize {
  /** The width, in pixels. */
  readonly width: number
  /** The height, in pixels. */
  readonly height: number
  /** The media type, such as image/jpeg. */
  readonly 'mime-type': string
  /** The size of the file, in bytes. */
  readonly filesize: number
  /** The URL of the picture. */
  readonly url: string
}

/** The parts of a cost. */
export interface CostDetails {
  /** The currency sign that was sent with the cost; empty if there was none. */
  readonly currency_symbol: string
  /** Always empty. */
  readonly currency_code: string
  /** Where the sign goes: before or after the number. */
  readonly currency_position: 'prefix' | 'postfix' | ''
  /** The numbers in the cost, lowest first, as text; a word such as `free` if there are none. */
  readonly values: readonly string[]
}

/** A category or tag as an event shows it. */
export interface Term {
  /** The name of the term; `&` is written `&amp;`. */
  readonly name: string
  /** The slug of the term. */
  readonly slug: string
  /** Always 0. */
  readonly term_group: number
  /** The same as the id. */
  readonly term_taxonomy_id: number
  /** The kind of term: `cal_events_cat` for categories, `post_tag` for tags. */
  readonly taxonomy: string
  /** The description, as stored. */
  readonly description: string
  /** The id of the parent category; 0 at the top level. */
  readonly parent: number
  /** How many published events have this very term. */
  readonly count: number
  /** Always `raw`. */
  readonly filter: string
  /** The id of the term. */
  readonly id: number
  readonly urls: TermUrls
  /** The language of this version; only if a language was requested. */
  readonly ml_language?: Language
  /** Ids of the versions that the caller may read, by language. */
  readonly ml_translations?: Readonly<Record<string, number>>
}

/** A picture. */
export interface Picture {
  /** The URL of the picture. */
  readonly url: string
  /** The id of the picture. */
  readonly id: number
  /** The file extension, such as jpg. */
  readonly extension: string
  /** The width, in pixels. */
  readonly width: number
  /** The height, in pixels. */
  readonly height: number
  /** The size of the file, in bytes. */
  readonly filesize: number
  /** The same picture in smaller sizes, by name; absent if there are none. */
  readonly sizes?: Readonly<Record<string, PictureSize>>
  /** What the picture shows, for readers who cannot see it; absent if nobody has written it. */
  readonly alt?: string
}

/** The parts of a date, as text with leading zeros. */
export interface DateDetails {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string
  readonly minutes: string
  readonly seconds: string
}

/** An event. In lists, one with a password hides what the password protects: texts are empty, flags are null. */
export interface CalendarEvent {
  /** The id of the event. */
  readonly id: number
  /** An id that is unique across sites. */
  readonly global_id: string
  /** All global ids that the record has had. */
  readonly global_id_lineage: readonly string[]
  /** The id of the user who owns the record, as text. */
  readonly author: string
  /** The status of the record. */
  readonly status: Status
  /** When the record was published, in the time zone of the site. */
  readonly date: DateTime
  /** When the record was published, in UTC; all zeros if it never was. */
  readonly date_utc: DateTime
  /** When the record was last changed, in the time zone of the site. */
  readonly modified: DateTime
  /** When the record was last changed, in UTC. */
  readonly modified_utc: DateTime
  /** The public page of the record. */
  readonly url: string
  /** The URL of the event in this API. */
  readonly rest_url: string
  /** The title, as HTML. */
  readonly title: string
  /** The description, as HTML. */
  readonly description: string
  /** A short summary, as HTML. */
  readonly excerpt: string
  /** The name of the record in URLs; a draft may have none. */
  readonly slug: string
  /** The picture; false if there is none. */
  readonly image: Picture | false
  /** Whether the event lasts all day. */
  readonly all_day: boolean | null
  /** When the event starts, in its time zone. */
  readonly start_date: DateTime
  readonly start_date_details: DateDetails
  /** When the event ends, in its time zone. */
  readonly end_date: DateTime
  readonly end_date_details: DateDetails
  /** When the event starts, in UTC. */
  readonly utc_start_date: DateTime
  readonly utc_start_date_details: DateDetails
  /** When the event ends, in UTC. */
  readonly utc_end_date: DateTime
  readonly utc_end_date_details: DateDetails
  /** The time zone of the event. */
  readonly timezone: string
  /** The short name of the time zone when the event starts, such as EST. */
  readonly timezone_abbr: string
  /** What it costs to attend, as shown to readers. */
  readonly cost: string
  readonly cost_details: CostDetails
  /** The URL of the event’s own website; its public page if none was ever given. */
  readonly website: string
  /** Whether a map is shown with the event. */
  readonly show_map: boolean | null
  /** Whether a link to a map is shown with the event. */
  readonly show_map_link: boolean | null
  /** Whether the event is left out of lists. */
  readonly hide_from_listings: boolean | null
  /** Whether the event stands out in the calendar. */
  readonly sticky: boolean | null
  /** Whether the event is featured. */
  readonly featured: boolean | null
  /** The categories of the event, by name. */
  readonly categories: readonly Term[]
  /** The tags of the event, by name. */
  readonly tags: readonly Term[]
  /** The venue. An empty list if there is none, a list if there are several. */
  readonly venue: Venue | readonly Venue[]
  /** The organizers, in order. */
  readonly organizer: readonly Organizer[]
  /** Further fields by name, each with label and value; an empty list if there are none. */
  readonly custom_fields:
    | Readonly<
        Record<
          string,
          {
            readonly label: string
            readonly value: unknown
          }
        >
      >
    | readonly []
  /** Whether the event is a date of a series. Missing otherwise. */
  readonly recurring?: boolean
  readonly series?: SeriesOfEvent
  /** The record as schema.org data; only when one record is returned. */
  readonly json_ld?: EventJsonLd
  /** What happens to the event: it takes place as planned, or is canceled, postponed, moved to another date or moved online. */
  readonly event_status?: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online'
  /** Why the event has this status, for readers. */
  readonly event_status_reason?: string
  /** Where people attend the event: on site, online or both. */
  readonly attendance?: 'offline' | 'online' | 'mixed'
  /** The address at which people attend the event online. */
  readonly virtual_url?: string | null
  /** The service that transmits the event, such as zoom. */
  readonly virtual_video_source?: string
  /** Who sees the address: everybody, or signed-in callers only. */
  readonly virtual_access?: 'all' | 'registered'
  /** Ways to attend, at most 20: name, address, price or range of prices, currency, when they are on sale, availability. Empty for none. */
  readonly offers?: readonly {
    /** What is offered; plain text. */
    readonly name?: string
    /** Where to book or buy. */
    readonly url?: string
    /** The price: a decimal number. */
    readonly price?: string
    /** The lowest price of a range. */
    readonly low_price?: string
    /** The highest price of a range. */
    readonly high_price?: string
    /** The currency (ISO 4217). */
    readonly currency?: string
    /** When the sale begins, in the time zone of the event. */
    readonly valid_from?: string
    /** When the sale ends, in the time zone of the event. */
    readonly valid_through?: string
    /** Whether one can still attend; empty if not known. */
    readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order'
  }[]
  /** Whether one can still attend; empty if not known. */
  readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | ''
  /** How many people can attend. */
  readonly capacity?: number
  /** When the event got its status, in the time zone of the site. */
  readonly event_status_date?: DateTime
  /** The times that the event had before it was rescheduled, the earliest first. */
  readonly previous_start_dates?: readonly PreviousStart[]
  readonly source?: RecordSource
  /** Who sells tickets: `offers` if an offer has an address. */
  readonly ticketed?: readonly string[]
  /** Whether people can attend the event online. */
  readonly is_virtual?: boolean
  /** Whether people attend the event only online (`virtual`) or also on site (`hybrid`). */
  readonly virtual_event_type?: 'virtual' | 'hybrid'
  /** The language of this version; only if a language was requested. */
  readonly ml_language?: Language
  /** Ids of the versions that the caller may read, by language. */
  readonly ml_translations?: Readonly<Record<string, number>>
}

/** A venue. Keys without a value are absent. */
export interface Venue {
  /** The id of the venue. */
  readonly id: number
  /** The id of the user who owns the record, as text. */
  readonly author: string
  /** The status of the record. */
  readonly status: Status
  /** When the record was published, in the time zone of the site. */
  readonly date: DateTime
  /** When the record was published, in UTC; all zeros if it never was. */
  readonly date_utc: DateTime
  /** When the record was last changed, in the time zone of the site. */
  readonly modified: DateTime
  /** When the record was last changed, in UTC. */
  readonly modified_utc: DateTime
  /** The public page of the record. */
  readonly url: string
  /** The name of the venue. */
  readonly venue: string
  /** The description, as HTML. */
  readonly description?: string
  /** A short summary, as HTML. */
  readonly excerpt?: string
  /** The name of the record in URLs; a draft may have none. */
  readonly slug: string
  readonly image?: Picture
  /** The street address. */
  readonly address?: string
  /** The city. */
  readonly city?: string
  /** The country. */
  readonly country?: string
  /** The province. */
  readonly province?: string
  /** The state. */
  readonly state?: string
  /** The postal code. */
  readonly zip?: string
  /** The phone number. */
  readonly phone?: string
  /** The URL of the venue’s website. */
  readonly website?: string
  /** The state or province, depending on the country. */
  readonly stateprovince?: string
  /** The latitude of the venue, in degrees. */
  readonly geo_lat?: number
  /** The longitude of the venue, in degrees. */
  readonly geo_lng?: number
  /** The record as schema.org data; only when one record is returned. */
  readonly json_ld?: PlaceJsonLd
  /** Whether a map is shown with the venue. */
  readonly show_map: boolean
  /** Whether a link to a map is shown with the venue. */
  readonly show_map_link: boolean
  /** An id that is unique across sites. */
  readonly global_id: string
  /** All global ids that the record has had. */
  readonly global_id_lineage: readonly string[]
  readonly source?: RecordSource
  /** The language of this version; only if a language was requested. */
  readonly ml_language?: Language
  /** Ids of the versions that the caller may read, by language. */
  readonly ml_translations?: Readonly<Record<string, number>>
}

/** An organizer. Keys without a value are absent. */
export interface Organizer {
  /** The id of the organizer. */
  readonly id: number
  /** The id of the user who owns the record, as text. */
  readonly author: string
  /** The status of the record. */
  readonly status: Status
  /** When the record was published, in the time zone of the site. */
  readonly date: DateTime
  /** When the record was published, in UTC; all zeros if it never was. */
  readonly date_utc: DateTime
  /** When the record was last changed, in the time zone of the site. */
  readonly modified: DateTime
  /** When the record was last changed, in UTC. */
  readonly modified_utc: DateTime
  /** The public page of the record. */
  readonly url: string
  /** The name of the organizer. */
  readonly organizer: string
  /** The description, as HTML. */
  readonly description?: string
  /** A short summary, as HTML. */
  readonly excerpt?: string
  /** The name of the record in URLs; a draft may have none. */
  readonly slug: string
  readonly image?: Picture
  /** The phone number. */
  readonly phone?: string
  /** The URL of the organizer’s website. */
  readonly website?: string
  /** The email address. */
  readonly email?: string
  /** The record as schema.org data; only when one record is returned. */
  readonly json_ld?: PersonJsonLd
  /** An id that is unique across sites. */
  readonly global_id: string
  /** All global ids that the record has had. */
  readonly global_id_lineage: readonly string[]
  readonly source?: RecordSource
  /** The language of this version; only if a language was requested. */
  readonly ml_language?: Language
  /** Ids of the versions that the caller may read, by language. */
  readonly ml_translations?: Readonly<Record<string, number>>
}

/** A category of events. With `context=embed`, without count, description, parent and meta. */
export interface Category {
  /** The id of the category. */
  readonly id: number
  /** How many published events have this very term. */
  readonly count?: number
  /** The description, as stored. */
  readonly description?: string
  /** The name of the term; `&` is written `&amp;`. */
  readonly name: string
  /** The slug of the term. */
  readonly slug: string
  /** The kind of term: `cal_events_cat` for categories, `post_tag` for tags. */
  readonly taxonomy: string
  /** The id of the parent category; 0 at the top level. */
  readonly parent?: number
  /** Always empty. */
  readonly meta?: readonly unknown[]
  /** The public page of the term. */
  readonly url: string
  readonly urls: TermUrls
  /** Links of the term; only when one term is returned. */
  readonly _links?: {
    readonly self: readonly {
      readonly href: string
      readonly targetHints: {
        /** The methods that you may use on the term. */
        readonly allow: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
      }
    }[]
    readonly collection: readonly {
      readonly href: string
    }[]
    readonly up?: readonly {
      readonly embeddable: boolean
      readonly href: string
    }[]
  }
  /** The language of this version; only if a language was requested. */
  readonly ml_language?: Language
  /** Ids of the versions that the caller may read, by language. */
  readonly ml_translations?: Readonly<Record<string, number>>
}

/** A tag of events. With `context=embed`, without count, description and meta. */
export interface Tag {
  /** The id of the tag. */
  readonly id: number
  /** How many published events have this very term. */
  readonly count?: number
  /** The description, as stored. */
  readonly description?: string
  /** The name of the term; `&` is written `&amp;`. */
  readonly name: string
  /** The slug of the term. */
  readonly slug: string
  /** The kind of term: `cal_events_cat` for categories, `post_tag` for tags. */
  readonly taxonomy: string
  /** Always empty. */
  readonly meta?: readonly unknown[]
  /** The public page of the term. */
  readonly url: string
  readonly urls: TermUrls
  /** Links of the term; only when one term is returned. */
  readonly _links?: {
    readonly self: readonly {
      readonly href: string
      readonly targetHints: {
        /** The methods that you may use on the term. */
        readonly allow: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
      }
    }[]
    readonly collection: readonly {
      readonly href: string
    }[]
    readonly up?: readonly {
      readonly embeddable: boolean
      readonly href: string
    }[]
  }
  /** The language of this version; only if a language was requested. */
  readonly ml_language?: Language
  /** Ids of the versions that the caller may read, by language. */
  readonly ml_translations?: Readonly<Record<string, number>>
}

/** The URLs of a term in this API. */
export interface TermUrls {
  readonly self: string
  readonly collection: string
  /** The parent category; absent at the top level. */
  readonly up?: string
}

/** One page of a list. */
export interface EventList {
  readonly events: readonly CalendarEvent[]
  /** The URL of this page. */
  readonly rest_url: string
  /** The URL of the next page; absent on the last one. Pages are counted again for each request: if an item of an earlier page is removed meanwhile, the next page begins one item later. The feed of changes misses nothing. */
  readonly next_rest_url?: string
  /** The URL of the previous page; absent on the first one. */
  readonly previous_rest_url?: string
  /** How many records there are on all pages. */
  readonly total: number
  /** How many pages there are. */
  readonly total_pages: number
}

/** One page of a list. */
export interface VenueList {
  readonly venues: readonly Venue[]
  /** The URL of this page. */
  readonly rest_url: string
  /** The URL of the next page; absent on the last one. Pages are counted again for each request: if an item of an earlier page is removed meanwhile, the next page begins one item later. The feed of changes misses nothing. */
  readonly next_rest_url?: string
  /** The URL of the previous page; absent on the first one. */
  readonly previous_rest_url?: string
  /** How many records there are on all pages. */
  readonly total: number
  /** How many pages there are. */
  readonly total_pages: number
}

/** One page of a list. */
export interface OrganizerList {
  readonly organizers: readonly Organizer[]
  /** The URL of this page. */
  readonly rest_url: string
  /** The URL of the next page; absent on the last one. Pages are counted again for each request: if an item of an earlier page is removed meanwhile, the next page begins one item later. The feed of changes misses nothing. */
  readonly next_rest_url?: string
  /** The URL of the previous page; absent on the first one. */
  readonly previous_rest_url?: string
  /** How many records there are on all pages. */
  readonly total: number
  /** How many pages there are. */
  readonly total_pages: number
}

/** One page of a list. */
export interface CategoryList {
  readonly categories: readonly Category[]
  /** The URL of this page. */
  readonly rest_url: string
  /** The URL of the next page; absent on the last one. Pages are counted again for each request: if an item of an earlier page is removed meanwhile, the next page begins one item later. The feed of changes misses nothing. */
  readonly next_rest_url?: string
  /** The URL of the previous page; absent on the first one. */
  readonly previous_rest_url?: string
  /** How many records there are on all pages. */
  readonly total: number
  /** How many pages there are. */
  readonly total_pages: number
}

/** One page of a list. */
export interface TagList {
  readonly tags: readonly Tag[]
  /** The URL of this page. */
  readonly rest_url: string
  /** The URL of the next page; absent on the last one. Pages are counted again for each request: if an item of an earlier page is removed meanwhile, the next page begins one item later. The feed of changes misses nothing. */
  readonly next_rest_url?: string
  /** The URL of the previous page; absent on the first one. */
  readonly previous_rest_url?: string
  /** How many records there are on all pages. */
  readonly total: number
  /** How many pages there are. */
  readonly total_pages: number
}

/** An event as schema.org data. */
export interface EventJsonLd {
  readonly '@context': string
  readonly '@type': 'Event'
  readonly name: string
  readonly description: string
  readonly image?: string
  readonly url: string
  readonly eventAttendanceMode: string
  readonly eventStatus: string
  readonly startDate: string
  readonly endDate: string
  readonly previousStartDate?: string | readonly string[]
  readonly location?: PlaceJsonLd | VirtualLocationJsonLd | readonly (PlaceJsonLd | VirtualLocationJsonLd)[]
  readonly organizer?: PersonJsonLd
  readonly offers?:
    | {
        readonly '@type': 'Offer' | 'AggregateOffer'
        readonly name?: string
        readonly price?: string
        readonly lowPrice?: string
        readonly highPrice?: string
        readonly priceCurrency?: string
        readonly url: string
        readonly category?: string
        readonly availability?: string
        readonly validFrom?: string
        readonly validThrough?: string
      }
    | readonly {
        readonly '@type': 'Offer' | 'AggregateOffer'
        readonly name?: string
        readonly price?: string
        readonly lowPrice?: string
        readonly highPrice?: string
        readonly priceCurrency?: string
        readonly url: string
        readonly category?: string
        readonly availability?: string
        readonly validFrom?: string
        readonly validThrough?: string
      }[]
  readonly performer: string
  readonly superEvent?: {
    readonly '@type': 'EventSeries'
    readonly url: string
  }
}

/** A venue as schema.org data. */
export interface PlaceJsonLd {
  readonly '@type': 'Place'
  readonly name: string
  readonly description: string
  readonly image?: string
  readonly url: string
  readonly address: {
    readonly '@type': 'PostalAddress'
    readonly streetAddress?: string
    readonly addressLocality?: string
    readonly addressRegion?: string
    readonly postalCode?: string
    readonly addressCountry?: string
  }
  readonly telephone: string
  readonly sameAs: string
}

/** An organizer as schema.org data. */
export interface PersonJsonLd {
  readonly '@type': 'Person'
  readonly name: string
  readonly description: string
  readonly image?: string
  readonly url: string
  readonly telephone: string
  readonly email: string
  readonly sameAs: string
}

/** Where the record comes from; only for those who may edit it. */
export interface RecordSource {
  /** The name of the system that the record comes from. */
  readonly name: string
  /** The id of the record in that system. */
  readonly external_id: string
  /** The page of the record in that system; empty for none. */
  readonly url: string
}

/** The series of which an event is a date. If a password protects the event, only the first two members are shown. */
export interface SeriesOfEvent {
  /** Id of a series: that of its template in any language. */
  readonly id: number
  /** The local start that the rule gave the date. With the series, it identifies the date, even if the date is moved. */
  readonly recurrence_id: DateTime
  /** The series in the interface. */
  readonly rest_url?: string
  /** The page of the series. */
  readonly url?: string
  /** The page with all dates of the series. */
  readonly all_url?: string
  /** Whether the date differs from the series. */
  readonly is_modified?: boolean
  /** The fields in which the date does not follow the series. */
  readonly own_fields?: readonly string[]
  /** The rule (RFC 5545). Empty if the series only has dates. */
  readonly rrule?: string
  /** The rule in words. It tells of further dates and exceptions only those who may change the series. */
  readonly text?: string
  /** The day until when the dates of a series without an end exist. Null if it has an end. */
  readonly dates_until?: string | null
}

/** An online location as schema.org data. */
export interface VirtualLocationJsonLd {
  readonly '@type': 'VirtualLocation'
  readonly url: string
}

/** Earlier times of an event. */
export interface PreviousStart {
  /** When the event starts, in its time zone. */
  readonly start_date: DateTime
  /** When the event ends, in its time zone. */
  readonly end_date: DateTime
  /** The time zone of the event. */
  readonly timezone: string
  /** When the event starts, in UTC. */
  readonly utc_start_date: DateTime
  /** When the event ends, in UTC. */
  readonly utc_end_date: DateTime
  /** When the event got other times, in UTC. */
  readonly until: DateTime
}

export interface CreateEventInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The title of the event. */
  readonly title: string
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** The slug of the event. */
  readonly slug?: string | undefined
  /** A short summary of the event. */
  readonly excerpt?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** The time zone of the event. */
  readonly timezone?: string | undefined
  /** Whether the event lasts all day. */
  readonly all_day?: boolean | undefined
  /** When the event starts, in its time zone. */
  readonly start_date?: string | undefined
  /** When the event ends, in its time zone. */
  readonly end_date?: string | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | undefined
  /** What it costs to attend: a number, a range or words. */
  readonly cost?: number | readonly (number | string)[] | string | null | undefined
  /** The URL of the event’s own website. */
  readonly website?: string | null | undefined
  /** Whether a map is shown with the event. */
  readonly show_map?: boolean | undefined
  /** Whether a link to a map is shown with the event. */
  readonly show_map_link?: boolean | undefined
  /** Whether the event is left out of lists. */
  readonly hide_from_listings?: boolean | undefined
  /** Whether the event stands out in the calendar. */
  readonly sticky?: boolean | undefined
  /** Whether the event is featured. */
  readonly featured?: boolean | undefined
  /** What happens to the event: it takes place as planned, or is canceled, postponed, moved to another date or moved online. */
  readonly event_status?: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online' | undefined
  /** Why the event has this status, for readers. */
  readonly event_status_reason?: string | undefined
  /** Where people attend the event: on site, online or both. */
  readonly attendance?: 'offline' | 'online' | 'mixed' | undefined
  /** The address at which people attend the event online. */
  readonly virtual_url?: string | null | undefined
  /** The service that transmits the event, such as zoom. */
  readonly virtual_video_source?: string | undefined
  /** Who sees the address: everybody, or signed-in callers only. */
  readonly virtual_access?: 'all' | 'registered' | undefined
  /** Ways to attend, at most 20: name, address, price or range of prices, currency, when they are on sale, availability. Empty for none. */
  readonly offers?:
    | readonly {
        readonly name?: string | undefined
        readonly url?: string | undefined
        readonly price?: number | string | undefined
        readonly low_price?: number | string | undefined
        readonly high_price?: number | string | undefined
        readonly currency?: string | undefined
        readonly valid_from?: string | undefined
        readonly valid_through?: string | undefined
        readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
      }[]
    | string
    | null
    | undefined
  /** Whether one can still attend; empty if not known. */
  readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
  /** How many people can attend. */
  readonly capacity?: number | null | undefined
  /** The categories of the event: ids, slugs or names. Unknown names are created. */
  readonly categories?: readonly (number | string)[] | number | string | null | undefined
  /** The tags of the event: ids, slugs or names. Unknown names are created. */
  readonly tags?: readonly (number | string)[] | number | string | null | undefined
  /** The venue of the event: its id, or the fields of a new one. */
  readonly venue?:
    | number
    | {
        readonly id: number
      }
    | CreateVenueInput
    | readonly (
        | number
        | {
            readonly id: number
          }
        | CreateVenueInput
      )[]
    | string
    | null
    | undefined
  /** The organizers of the event: their ids, or the fields of new ones. */
  readonly organizer?:
    | number
    | {
        readonly id: number
      }
    | CreateOrganizerInput
    | readonly (
        | number
        | {
            readonly id: number
          }
        | CreateOrganizerInput
      )[]
    | string
    | null
    | undefined
  /** Whether people can attend the event online. */
  readonly is_virtual?: boolean | undefined
  /** Whether people attend the event only online (`virtual`) or also on site (`hybrid`). */
  readonly virtual_event_type?: 'virtual' | 'hybrid' | undefined
  /** The password that readers need from now on; empty for none. An object with the id of an event as `of` takes its password. */
  readonly event_password?:
    | string
    | {
        readonly of: number
      }
    | undefined
  /** The name of the system that the record comes from. */
  readonly source?: string | undefined
  /** The id of the record in that system. */
  readonly external_id?: string | undefined
  /** The page of the record in that system; empty for none. */
  readonly source_url?: string | null | undefined
  /** What repeats: `rrule` (RFC 5545), further `dates` and `except`, in the local time of the event. Or lines of iCalendar as text. Creates a series, with an event for each date. */
  readonly recurrence?:
    | string
    | {
        readonly rrule?: string | undefined
        readonly dates?: readonly string[] | string | undefined
        readonly except?: readonly string[] | string | undefined
      }
    | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface ChangeEventInput {
  /** The password that opens the event. */
  readonly password?: string | undefined
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The title of the event. */
  readonly title?: string | undefined
  /** The description; it may contain HTML. */
  readonly description?: string | null | undefined
  /** The slug of the event. */
  readonly slug?: string | undefined
  /** A short summary of the event. */
  readonly excerpt?: string | null | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** The time zone of the event. */
  readonly timezone?: string | undefined
  /** Whether the event lasts all day. */
  readonly all_day?: boolean | undefined
  /** When the event starts, in its time zone. */
  readonly start_date?: string | undefined
  /** When the event ends, in its time zone. */
  readonly end_date?: string | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | null | undefined
  /** What it costs to attend: a number, a range or words. */
  readonly cost?: number | readonly (number | string)[] | string | null | undefined
  /** The URL of the event’s own website. */
  readonly website?: string | null | undefined
  /** Whether a map is shown with the event. */
  readonly show_map?: boolean | undefined
  /** Whether a link to a map is shown with the event. */
  readonly show_map_link?: boolean | undefined
  /** Whether the event is left out of lists. */
  readonly hide_from_listings?: boolean | undefined
  /** Whether the event stands out in the calendar. */
  readonly sticky?: boolean | undefined
  /** Whether the event is featured. */
  readonly featured?: boolean | undefined
  /** What happens to the event: it takes place as planned, or is canceled, postponed, moved to another date or moved online. */
  readonly event_status?: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online' | undefined
  /** Why the event has this status, for readers. */
  readonly event_status_reason?: string | undefined
  /** Where people attend the event: on site, online or both. */
  readonly attendance?: 'offline' | 'online' | 'mixed' | undefined
  /** The address at which people attend the event online. */
  readonly virtual_url?: string | null | undefined
  /** The service that transmits the event, such as zoom. */
  readonly virtual_video_source?: string | undefined
  /** Who sees the address: everybody, or signed-in callers only. */
  readonly virtual_access?: 'all' | 'registered' | undefined
  /** Ways to attend, at most 20: name, address, price or range of prices, currency, when they are on sale, availability. Empty for none. */
  readonly offers?:
    | readonly {
        readonly name?: string | undefined
        readonly url?: string | undefined
        readonly price?: number | string | undefined
        readonly low_price?: number | string | undefined
        readonly high_price?: number | string | undefined
        readonly currency?: string | undefined
        readonly valid_from?: string | undefined
        readonly valid_through?: string | undefined
        readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
      }[]
    | string
    | null
    | undefined
  /** Whether one can still attend; empty if not known. */
  readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
  /** How many people can attend. */
  readonly capacity?: number | null | undefined
  /** The categories of the event: ids, slugs or names. Unknown names are created. */
  readonly categories?: readonly (number | string)[] | number | string | null | undefined
  /** The tags of the event: ids, slugs or names. Unknown names are created. */
  readonly tags?: readonly (number | string)[] | number | string | null | undefined
  /** The venue of the event: its id, or the fields of a new one. */
  readonly venue?:
    | number
    | {
        readonly id: number
      }
    | CreateVenueInput
    | readonly (
        | number
        | {
            readonly id: number
          }
        | CreateVenueInput
      )[]
    | string
    | null
    | undefined
  /** The organizers of the event: their ids, or the fields of new ones. */
  readonly organizer?:
    | number
    | {
        readonly id: number
      }
    | CreateOrganizerInput
    | readonly (
        | number
        | {
            readonly id: number
          }
        | CreateOrganizerInput
      )[]
    | string
    | null
    | undefined
  /** Whether people can attend the event online. */
  readonly is_virtual?: boolean | undefined
  /** Whether people attend the event only online (`virtual`) or also on site (`hybrid`). */
  readonly virtual_event_type?: 'virtual' | 'hybrid' | undefined
  /** The password that readers need from now on; empty for none. An object with the id of an event as `of` takes its password. */
  readonly event_password?:
    | string
    | {
        readonly of: number
      }
    | undefined
  /** What repeats: `rrule` (RFC 5545), further `dates` and `except`, in the local time of the event. Or lines of iCalendar as text. Creates a series, with an event for each date. */
  readonly recurrence?:
    | string
    | {
        readonly rrule?: string | undefined
        readonly dates?: readonly string[] | string | undefined
        readonly except?: readonly string[] | string | undefined
      }
    | undefined
  /** Which dates of a series are meant: `this` event, it and all `following` ones, or `all`. By default, only this event. */
  readonly scope?: 'this' | 'following' | 'all' | undefined
  /** Whether dates may go to the trash that have changes or tickets of their own. */
  readonly drop?: boolean | undefined
  /** Whether times and rules change for dates that have begun, too. */
  readonly past?: boolean | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface CreateVenueInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The name of the venue. */
  readonly venue: string
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** Whether a map is shown with the venue. */
  readonly show_map?: boolean | undefined
  /** Whether a link to a map is shown with the venue. */
  readonly show_map_link?: boolean | undefined
  /** The street address. */
  readonly address?: string | undefined
  /** The city. */
  readonly city?: string | undefined
  /** The country. */
  readonly country?: string | undefined
  /** The province. */
  readonly province?: string | undefined
  /** The state. */
  readonly state?: string | undefined
  /** The postal code. */
  readonly zip?: string | undefined
  /** The phone number. */
  readonly phone?: string | undefined
  /** The state or province. */
  readonly stateprovince?: string | undefined
  /** The URL of the venue’s website. */
  readonly website?: string | undefined
  /** The latitude of the venue, in degrees. */
  readonly geo_lat?: number | null | undefined
  /** The longitude of the venue, in degrees. */
  readonly geo_lng?: number | null | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | undefined
  /** Whether this is another one than those of its name at other addresses or in other cities. It changes none of them: the record of the same name and place is linked as it is, or a new one is created. */
  readonly apart?: boolean | undefined
  /** The name of the system that the record comes from. */
  readonly source?: string | undefined
  /** The id of the record in that system. */
  readonly external_id?: string | undefined
  /** The page of the record in that system; empty for none. */
  readonly source_url?: string | null | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface ChangeVenueInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The name of the venue. */
  readonly venue?: string | undefined
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** Whether a map is shown with the venue. */
  readonly show_map?: boolean | undefined
  /** Whether a link to a map is shown with the venue. */
  readonly show_map_link?: boolean | undefined
  /** The street address. */
  readonly address?: string | undefined
  /** The city. */
  readonly city?: string | undefined
  /** The country. */
  readonly country?: string | undefined
  /** The province. */
  readonly province?: string | undefined
  /** The state. */
  readonly state?: string | undefined
  /** The postal code. */
  readonly zip?: string | undefined
  /** The phone number. */
  readonly phone?: string | undefined
  /** The state or province. */
  readonly stateprovince?: string | undefined
  /** The URL of the venue’s website. */
  readonly website?: string | undefined
  /** The latitude of the venue, in degrees. */
  readonly geo_lat?: number | null | undefined
  /** The longitude of the venue, in degrees. */
  readonly geo_lng?: number | null | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface CreateOrganizerInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The name of the organizer. */
  readonly organizer: string
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** The phone number. */
  readonly phone?: string | undefined
  /** The URL of the organizer’s website. */
  readonly website?: string | undefined
  /** The email address. */
  readonly email?: string | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | undefined
  /** Whether this is another one than those of its name at other addresses or in other cities. It changes none of them: the record of the same name and place is linked as it is, or a new one is created. */
  readonly apart?: boolean | undefined
  /** The name of the system that the record comes from. */
  readonly source?: string | undefined
  /** The id of the record in that system. */
  readonly external_id?: string | undefined
  /** The page of the record in that system; empty for none. */
  readonly source_url?: string | null | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface ChangeOrganizerInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The name of the organizer. */
  readonly organizer?: string | undefined
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** The phone number. */
  readonly phone?: string | undefined
  /** The URL of the organizer’s website. */
  readonly website?: string | undefined
  /** The email address. */
  readonly email?: string | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface CreateCategoryInput {
  /** The name of the term. */
  readonly name: string
  /** The description of the term. */
  readonly description?: string | undefined
  /** The slug of the term. */
  readonly slug?: string | undefined
  /** The id of the parent category; 0 for the top level. */
  readonly parent?: number | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface ChangeCategoryInput {
  /** The name of the term. */
  readonly name?: string | undefined
  /** The description of the term. */
  readonly description?: string | undefined
  /** The slug of the term. */
  readonly slug?: string | undefined
  /** The id of the parent category; 0 for the top level. */
  readonly parent?: number | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface CreateTagInput {
  /** The name of the term. */
  readonly name: string
  /** The description of the term. */
  readonly description?: string | undefined
  /** The slug of the term. */
  readonly slug?: string | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

export interface ChangeTagInput {
  /** The name of the term. */
  readonly name?: string | undefined
  /** The description of the term. */
  readonly description?: string | undefined
  /** The slug of the term. */
  readonly slug?: string | undefined
  /** The id of the record that this one translates; 0 to make it independent again. */
  readonly ml_translation_of?: number | undefined
}

/** All users. */
export type UserList = readonly User[]

/** A user. */
export interface User {
  /** The id of the user. */
  readonly id: number
  /** The user name, which never changes. */
  readonly name: string
  /** The email address; empty if there is none. */
  readonly email: string
  /** The role of the user, which says what they may do. */
  readonly role: Role
}

/** A user who was just created. */
export interface NewUser {
  /** The id of the user. */
  readonly id: number
  /** The user name, which never changes. */
  readonly name: string
  /** The email address; empty if there is none. */
  readonly email: string
  /** The role of the user, which says what they may do. */
  readonly role: Role
  /** The secret of the first key; shown only here. */
  readonly application_password?: string
}

/** What was deleted. */
export interface RemovedUser {
  readonly deleted: true
  /** What it was before. */
  readonly previous: User
}

/** The keys of a user. */
export type KeyList = readonly Key[]

/** A key (application password), without its secret. */
export interface Key {
  /** The id of the key. */
  readonly id: number
  /** What the key is for, in your own words. */
  readonly label: string
  /** What the key may do: only read (`read`), also try writes without effect (`plan`), or write (`write`). */
  readonly scope: 'read' | 'plan' | 'write'
  /** When the key was created. */
  readonly created_at: string
  /** When the key expires; null if never. */
  readonly expires_at: string | null
  /** Whether the key has expired. */
  readonly is_expired: boolean
  /** When the key was last used, to a few minutes; null if never. */
  readonly last_used_at: string | null
  /** Until when the previous secret is also valid; null if it is not. */
  readonly previous_secret_until: string | null
  /** The id of the key that created this one; null if a person or the command line did. */
  readonly made_by: number | null
}

/** A key with its secret. */
export interface NewKey {
  /** The id of the key. */
  readonly id: number
  /** What the key is for, in your own words. */
  readonly label: string
  /** What the key may do: only read (`read`), also try writes without effect (`plan`), or write (`write`). */
  readonly scope: 'read' | 'plan' | 'write'
  /** When the key was created. */
  readonly created_at: string
  /** When the key expires; null if never. */
  readonly expires_at: string | null
  /** Whether the key has expired. */
  readonly is_expired: boolean
  /** When the key was last used, to a few minutes; null if never. */
  readonly last_used_at: string | null
  /** Until when the previous secret is also valid; null if it is not. */
  readonly previous_secret_until: string | null
  /** The id of the key that created this one; null if a person or the command line did. */
  readonly made_by: number | null
  /** The secret; shown only here. */
  readonly secret?: string
}

/** A key that was revoked. */
export interface RevokedKey {
  readonly deleted: true
  /** What it was before. */
  readonly previous: Key
  /** Keys that this key had created; they end with it. */
  readonly also_revoked: readonly Key[]
}

/** Who has signed in, and their session. */
export interface SignedIn {
  readonly user: User
  readonly session: Session
  /** What changes send in `X-CSRF-Token`. */
  readonly csrf_token: string
}

/** A browser in which somebody has signed in. */
export interface Session {
  /** The id of the session. */
  readonly id: number
  /** When the session began. */
  readonly created_at: string
  /** When the browser last asked, to a few minutes. */
  readonly last_seen_at: string
  /** When the session ends if the browser does not ask again. */
  readonly expires_at: string
  /** Whether it is the session that asks. */
  readonly is_current: boolean
}

/** The open sessions of a user. */
export type SessionList = readonly Session[]

/** A new link, with its address. */
export interface NewLink {
  /** The address to pass on to the user. It is shown only now. */
  readonly url: string
  /** Why the user gets the link. */
  readonly kind: 'start' | 'invitation' | 'reset'
  /** When the link stops working. */
  readonly expires_at: string
}

/** A link that works. */
export interface Link {
  /** The user name, which never changes. */
  readonly user: string
  /** Why the user gets the link. */
  readonly kind: 'start' | 'invitation' | 'reset'
  /** When the link stops working. */
  readonly expires_at: string
}

/** The views of the caller, the oldest first. */
export type SavedViewList = readonly SavedView[]

/** A named filter of a list, which one user keeps. */
export interface SavedView {
  /** The id of the view. */
  readonly id: number
  /** The name of the view. Each of your views has another one. */
  readonly name: string
  /** The filter, as the query of an address: `status=pending&category=12`. */
  readonly query: string
  /** The version of the view, for `If-Match`. */
  readonly version: number
  /** When it was last changed. */
  readonly modified: string
}

/** What was deleted. */
export interface RemovedView {
  readonly deleted: true
  /** What it was before. */
  readonly previous: SavedView
}

/** A picture as a resource. */
export interface Media {
  /** The URL of the picture. */
  readonly url: string
  /** The id of the picture. */
  readonly id: number
  /** The file extension, such as jpg. */
  readonly extension: string
  /** The width, in pixels. */
  readonly width: number
  /** The height, in pixels. */
  readonly height: number
  /** The size of the file, in bytes. */
  readonly filesize: number
  /** The same picture in smaller sizes, by name; absent if there are none. */
  readonly sizes?: Readonly<Record<string, PictureSize>>
  /** The title of the picture; the file name if there is none. */
  readonly title: string
  /** What the picture shows, in the language of the request or the nearest one; empty if there is none. */
  readonly alt_text: string
  /** What the picture shows, by language. */
  readonly alt_texts: Readonly<Record<string, string>>
  /** Whether the picture only decorates and needs no text. */
  readonly decorative: boolean
  /** The media type, such as image/jpeg. */
  readonly 'mime-type': string
  /** The id of the user who uploaded it. */
  readonly author: number
  /** When it was uploaded, in the time zone of the site. */
  readonly date: DateTime
  /** When it was uploaded, in UTC. */
  readonly date_utc: DateTime
}

/** One page of pictures, the newest first. */
export type MediaList = readonly Media[]

/** What was deleted. */
export interface RemovedMedia {
  readonly deleted: true
  /** What it was before. */
  readonly previous: Media
}

/** Pictures with what shows them. */
export interface MediaUsage {
  /** The pictures of the page. */
  readonly items: readonly {
    readonly media: Media
    /** The version of the picture. */
    readonly version: number
    /** How many records show it, including those in the trash. */
    readonly uses: number
    /** The newest records that show it. */
    readonly used_by: readonly {
      /** The id of the record. */
      readonly id: number
      /** The kind of the record. */
      readonly kind: 'event' | 'venue' | 'organizer'
      /** The title, as HTML. */
      readonly title: string
      /** The status of the record. */
      readonly status: string
    }[]
  }[]
  /** How many pictures there are. */
  readonly total: number
  /** How many pages there are. */
  readonly total_pages: number
}

/** What was deleted. */
export interface PurgedRecord {
  /** The record and its translations. */
  readonly deleted: readonly {
    /** The id, which no other record ever gets. */
    readonly id: number
    /** Its language. */
    readonly language: string
    /** The title, as HTML. */
    readonly title: string
  }[]
  /** How many events outside the trash named the venue or the organizer. */
  readonly events: number
  /** How many dates the series had. Only for series. */
  readonly dates?: number
}

/** A series: what happens again and again. Its dates are events. */
export interface Series {
  /** Id of a series: that of its template in any language. */
  readonly id: number
  /** The ids of the series by language. */
  readonly translations: Readonly<Record<string, number>>
  /** The language. */
  readonly language: string
  /** The status of the record. */
  readonly status: string
  /** The title, as HTML. */
  readonly title: string
  /** The description, as HTML. */
  readonly description: string
  /** A short summary, as HTML. */
  readonly excerpt: string
  /** The name of the record in URLs; a draft may have none. */
  readonly slug: string
  /** The page of the series. */
  readonly url: string
  /** The page with all dates of the series. */
  readonly all_url: string
  /** The series in the interface. */
  readonly rest_url: string
  /** The first date of the last rule. Null for those who may not change a series of dates only. */
  readonly start_date: DateTime | null
  /** The end of the first date of the last rule. Null as the start. */
  readonly end_date: DateTime | null
  /** The time zone of the event. */
  readonly timezone: string
  /** Whether the event lasts all day. */
  readonly all_day: boolean
  /** The rule (RFC 5545). Empty if the series only has dates. */
  readonly rrule: string
  /** Further dates, as local starts. Empty for those who may not change the series. */
  readonly dates: readonly string[]
  /** Dates that are left out, as local starts. Empty for those who may not change the series. */
  readonly except: readonly string[]
  /** The rule in words. It tells of further dates and exceptions only those who may change the series. */
  readonly text: string
  /** The parts of the series with rules of their own, in order. The next one ends each of them. Those who may not change the series read only those with a rule. */
  readonly segments: readonly {
    /** The dates of the part begin at or after this local time. */
    readonly from: string
    /** When the event starts, in its time zone. */
    readonly start_date: DateTime
    /** When the event ends, in its time zone. */
    readonly end_date: DateTime
    /** The time zone of the event. */
    readonly timezone: string
    /** Whether the event lasts all day. */
    readonly all_day: boolean
    /** The rule (RFC 5545). Empty if the series only has dates. */
    readonly rrule: string
    /** Further dates, as local starts. Empty for those who may not change the series. */
    readonly dates: readonly string[]
    /** Dates that are left out, as local starts. Empty for those who may not change the series. */
    readonly except: readonly string[]
    /** The rule in words. It tells of further dates and exceptions only those who may change the series. */
    readonly text: string
  }[]
  /** The day until when the dates of a series without an end exist. Null if it has an end. */
  readonly dates_until: string | null
  /** The number of changes of rules and times. */
  readonly sequence: number
  /** The id of the date that the request named, or of the next one. */
  readonly event_id?: number
  readonly changes?: SeriesChanges
}

/** What the request did to the dates. Translations of a date count once. */
export interface SeriesChanges {
  /** The number of new dates. */
  readonly added: number
  /** The number of dates that went to the trash. */
  readonly dropped: number
  /** The number of other dates that have changed. */
  readonly changed: number
  /** The local starts of new dates, at most 200. */
  readonly added_dates: readonly string[]
  /** The dates that went to the trash because the rules no longer give them, at most 200. */
  readonly dropped_dates: readonly {
    /** The id of the event. */
    readonly event_id: number
    /** The local start that the rule gave the date. With the series, it identifies the date, even if the date is moved. */
    readonly recurrence_id: DateTime
  }[]
}

/** The dates that a rule gives. */
export interface SeriesPreview {
  /** The rule (RFC 5545). Empty if the series only has dates. */
  readonly rrule: string
  /** The rule in words. It tells of further dates and exceptions only those who may change the series. */
  readonly text: string
  /** The number of dates. */
  readonly count: number
  /** Whether the rule has no end. The count is then that of the dates that are created first. */
  readonly is_endless: boolean
  /** The first dates, at most 200. */
  readonly dates: readonly {
    /** When the event starts, in its time zone. */
    readonly start_date: DateTime
    /** When the event ends, in its time zone. */
    readonly end_date: DateTime
    /** When the event starts, in UTC. */
    readonly utc_start_date: DateTime
    /** When the event ends, in UTC. */
    readonly utc_end_date: DateTime
  }[]
  /** Dates that need attention. */
  readonly warnings: readonly {
    /** When the event starts, in its time zone. */
    readonly start_date: DateTime
    /** `moved-by-clock-change`: the clocks go forward at that hour, so the date begins later. */
    readonly code: string
  }[]
}

/** Dates of a series in the language of the id, in order. */
export interface SeriesDates {
  /** The dates. */
  readonly dates: readonly {
    /** The id of the event. */
    readonly event_id: number
    /** The local start that the rule gave the date. With the series, it identifies the date, even if the date is moved. */
    readonly recurrence_id: DateTime
    /** The language. */
    readonly language: string
    /** When the event starts, in its time zone. */
    readonly start_date: DateTime
    /** When the event ends, in its time zone. */
    readonly end_date: DateTime
    /** The time zone of the event. */
    readonly timezone: string
    /** Whether the event lasts all day. */
    readonly all_day: boolean
    /** The status of the record. */
    readonly status: string
    /** What happens to the event: it takes place as planned, or is canceled, postponed, moved to another date or moved online. */
    readonly event_status: string
    /** Whether the series no longer has the date. */
    readonly is_dropped: boolean
    /** The fields in which the date does not follow the series. */
    readonly own_fields: readonly string[]
    /** The URL of the event in this API. */
    readonly rest_url: string
  }[]
  /** The `cursor` of the next page. Null on the last one. */
  readonly next_cursor: string | null
}

/** A page of events in short. */
export interface EventRows {
  /** The events of the page. */
  readonly events: readonly EventRow[]
  /** Number of events on all pages. */
  readonly total: number
  /** Number of pages. */
  readonly total_pages: number
  /** Whether a check looked only at the first events of the list. */
  readonly is_partial: boolean
}

/** An event in short. */
export interface EventRow {
  /** The id of the event. */
  readonly id: number
  /** The language of the version. */
  readonly language: string
  /** The status of the record. */
  readonly status: Status
  /** The title of the event. */
  readonly title: string
  /** Id of the user who created it. */
  readonly author: string
  /** The version of the record, for `If-Match`. */
  readonly version: number
  /** The page of the event. */
  readonly url: string
  /** When it was last changed, in the time zone of the site. */
  readonly modified: DateTime
  /** Start, in the time zone of the event. */
  readonly start_date: DateTime
  /** End, in the time zone of the event. */
  readonly end_date: DateTime
  /** Whether the event lasts all day. */
  readonly all_day: boolean
  /** The time zone of the event. */
  readonly timezone: string
  /** Its venues. */
  readonly venue: readonly {
    /** The id of the venue. */
    readonly id: number
    /** The name of the venue. */
    readonly venue: string
  }[]
  /** Its organizers. */
  readonly organizer: readonly {
    /** The id of the organizer. */
    readonly id: number
    /** The name of the organizer. */
    readonly organizer: string
  }[]
  /** Its categories. */
  readonly categories: readonly {
    /** The id of the category. */
    readonly id: number
    /** The name of the term. */
    readonly name: string
  }[]
  /** What happens to the event: it takes place as planned, or is canceled, postponed, moved to another date or moved online. */
  readonly event_status: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online'
  /** Its other versions that the caller may read. Those in the trash are listed only if the event went there with them. */
  readonly translations: readonly {
    /** The id of the event. */
    readonly id: number
    /** The language of the version. */
    readonly language: string
    /** The status of the record. */
    readonly status: Status
    /** The title of the event. */
    readonly title: string
    /** Id of the user who created it. */
    readonly author: string
    /** The version of the record, for `If-Match`. */
    readonly version: number
  }[]
  /** The series of which an event is a date. If a password protects the event, only the first two members are shown. */
  readonly series?: {
    /** Id of a series: that of its template in any language. */
    readonly id: number
    /** The local start that the rule gave the date. With the series, it identifies the date, even if the date is moved. */
    readonly recurrence_id: DateTime
    /** The rule in words, by the language of texts. */
    readonly texts: Readonly<Record<string, string>>
  }
}

/** The number of events by state. */
export interface EventCounts {
  /** All, except those in the trash. A translated event counts once. */
  readonly any: number
  /** Published events. */
  readonly publish: number
  /** Scheduled events. */
  readonly future: number
  /** Drafts. */
  readonly draft: number
  /** Events in review. */
  readonly pending: number
  /** Private events. */
  readonly private: number
  /** Events in the trash. */
  readonly trash: number
}

/** The events that exist already. */
export interface EventDoubles {
  /** One entry for each event that was sent, in their order. */
  readonly results: readonly {
    /** The events with its title and its start. Translations of an event count as one. */
    readonly events: readonly {
      /** The id of the event. */
      readonly id: number
      /** The title of the event. */
      readonly title: string
      /** The status of the record. */
      readonly status: Status
    }[]
  }[]
}

/** The texts of an event, as they were written. */
export interface EventSource {
  /** The id of the event. */
  readonly id: number
  /** The status of the record. */
  readonly status: Status
  /** The language of the version. */
  readonly language: string
  /** The title of the event. */
  readonly title: string
  /** The description; it may contain HTML. */
  readonly description: string
  /** A short summary of the event. */
  readonly excerpt: string
  /** The cost, as it was sent. */
  readonly cost: readonly string[]
  /** The other versions of the event that the caller may read. */
  readonly translations: readonly {
    /** The language of the version. */
    readonly language: string
    /** The id of the event. */
    readonly id: number
  }[]
}

/** What exists under names. */
export interface Names {
  /** The venues, oldest first. Many towns have one of the same name. */
  readonly venues: readonly {
    /** The id of the record. */
    readonly id: number
    /** The name. */
    readonly name: string
    /** The city. */
    readonly city: string
    /** The street address. */
    readonly address: string
    /** The version, for `If-Match`. */
    readonly version: number
    /** Whether an event outside the trash has it. */
    readonly is_used: boolean
  }[]
  /** The organizers, oldest first. */
  readonly organizers: readonly {
    /** The id of the record. */
    readonly id: number
    /** The name. */
    readonly name: string
    /** The city. */
    readonly city: string
    /** The street address. */
    readonly address: string
    /** The version, for `If-Match`. */
    readonly version: number
    /** Whether an event outside the trash has it. */
    readonly is_used: boolean
  }[]
  /** The categories, oldest first. */
  readonly categories: readonly {
    /** The id of the record. */
    readonly id: number
    /** The name. */
    readonly name: string
  }[]
  /** The tags, oldest first. */
  readonly tags: readonly {
    /** The id of the record. */
    readonly id: number
    /** The name. */
    readonly name: string
  }[]
  /** The venues whose names look like the given ones. Only if `alike` is sent. */
  readonly alike?: readonly {
    /** The given name. */
    readonly asked: string
    /** The id of the record. */
    readonly id: number
    /** The name. */
    readonly name: string
    /** The city. */
    readonly city: string
    /** The street address. */
    readonly address: string
    /** The version, for `If-Match`. */
    readonly version: number
    /** Whether an event outside the trash has it. */
    readonly is_used: boolean
  }[]
}

/** Venues or organizers, with the number of their events. */
export interface VenueUsage {
  readonly items: readonly {
    readonly venue: Venue
    /** The language of the version. */
    readonly language: string
    /** The versions that the caller may read. */
    readonly versions: readonly {
      /** The language of the version. */
      readonly language: string
      /** The id of the venue. */
      readonly id: number
    }[]
    /** How many events have it. Translations of an event count as one. */
    readonly events: number
    /** The records that this one looks like. Only if `alike` is sent. */
    readonly alike?: readonly {
      /** The id of the venue. */
      readonly id: number
      /** The same name, nearly the same name, or the same address. */
      readonly reason: 'name' | 'spelling' | 'address'
    }[]
  }[]
  /** How many records there are on all pages. */
  readonly total: number
  /** How many pages there are. */
  readonly total_pages: number
}

/** The texts and fields of a venue or an organizer, as they were written. */
export interface VenueSource {
  /** The id of the venue. */
  readonly id: number
  /** The status of the record. */
  readonly status: Status
  /** The language of the version. */
  readonly language: string
  /** The name of the venue. */
  readonly name: string
  /** The description; it may contain HTML. */
  readonly description: string
  /** The values of its other fields, by the names of the arguments. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The versions that the caller may read. */
  readonly translations: readonly {
    /** The language of the version. */
    readonly language: string
    /** The id of the venue. */
    readonly id: number
  }[]
  /** How many events have it. Translations of an event count as one. */
  readonly events: number
}

/** Venues or organizers, with the number of their events. */
export interface OrganizerUsage {
  readonly items: readonly {
    readonly organizer: Organizer
    /** The language of the version. */
    readonly language: string
    /** The versions that the caller may read. */
    readonly versions: readonly {
      /** The language of the version. */
      readonly language: string
      /** The id of the organizer. */
      readonly id: number
    }[]
    /** How many events have it. Translations of an event count as one. */
    readonly events: number
    /** The records that this one looks like. Only if `alike` is sent. */
    readonly alike?: readonly {
      /** The id of the organizer. */
      readonly id: number
      /** The same name, nearly the same name, or the same address. */
      readonly reason: 'name' | 'spelling' | 'address'
    }[]
  }[]
  /** How many records there are on all pages. */
  readonly total: number
  /** How many pages there are. */
  readonly total_pages: number
}

/** The texts and fields of a venue or an organizer, as they were written. */
export interface OrganizerSource {
  /** The id of the organizer. */
  readonly id: number
  /** The status of the record. */
  readonly status: Status
  /** The language of the version. */
  readonly language: string
  /** The name of the organizer. */
  readonly name: string
  /** The description; it may contain HTML. */
  readonly description: string
  /** The values of its other fields, by the names of the arguments. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The versions that the caller may read. */
  readonly translations: readonly {
    /** The language of the version. */
    readonly language: string
    /** The id of the organizer. */
    readonly id: number
  }[]
  /** How many events have it. Translations of an event count as one. */
  readonly events: number
}

/** What a request for many events changed, or would change. */
export interface CanceledEvents {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** How many events were changed, or would be. */
  readonly count: number
  /** How many events were left out because you may not change them. */
  readonly left_out: number
  /** What happens to the events. */
  readonly event_status: 'canceled' | 'postponed'
  /** How many events had the status already, or were canceled. */
  readonly unchanged: number
  /** The changed events of this page, the earliest first. */
  readonly events: readonly ChangedEvent[]
  /** The number of the next page; null on the last one. */
  readonly next_page: number | null
  /** How to undo it; null if nothing was changed. */
  readonly undo: {
    /** The id of the request that canceled events. */
    readonly id: number
    /** The address to send `POST` to. */
    readonly url: string
    /** Until when it can be undone. */
    readonly until: string
  } | null
}

/** An event that was changed. */
export interface ChangedEvent {
  /** The id of the event. */
  readonly id: number
  /** The URL of the event in this API. */
  readonly rest_url: string
  /** The language of the event. */
  readonly language: string
  /** The title, as HTML. */
  readonly title: string
  /** When the event starts, in its time zone. */
  readonly start_date: DateTime
  /** The time zone of the event. */
  readonly timezone: string
  /** Its status after the change. */
  readonly event_status: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online'
}

/** What an undo changed, or would change. */
export interface RestoredEvents {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** How many events were changed, or would be. */
  readonly count: number
  /** How many events were left out because you may not change them. */
  readonly left_out: number
  /** The ids of events whose state has changed since. They stay as they are. */
  readonly skipped: readonly number[]
  /** The changed events of this page, the earliest first. */
  readonly events: readonly ChangedEvent[]
  /** The number of the next page; null on the last one. */
  readonly next_page: number | null
}

/** What a merge did, or would do. */
export interface MergedRecord {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** How many events move. Translations of an event count as one, and events in the trash do not count. */
  readonly count: number
  /** The changed events of this page, the earliest first. */
  readonly events: readonly MovedEvent[]
  /** The number of the next page; null on the last one. */
  readonly next_page: number | null
  /** Languages in which only the merged one has texts. They go to the trash with it. */
  readonly lost_languages: readonly string[]
  /** How to undo the merge; null if nothing was done. */
  readonly undo: {
    /** The id of the merge. */
    readonly id: number
    /** The address to send `POST` to. */
    readonly url: string
    /** Until when it can be undone. */
    readonly until: string
  } | null
}

/** An event that a merge moves. */
export interface MovedEvent {
  /** The id of the event. */
  readonly id: number
  /** The URL of the event in this API. */
  readonly rest_url: string
  /** The language of the event. */
  readonly language: string
  /** The title, as HTML. */
  readonly title: string
  /** When the event starts, in its time zone. */
  readonly start_date: DateTime
  /** The time zone of the event. */
  readonly timezone: string
  /** The status of the record. */
  readonly status: Status
}

/** What undoing a merge did, or would do. */
export interface UnmergedRecord {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** How many events move. Translations of an event count as one, and events in the trash do not count. */
  readonly count: number
  /** The changed events of this page, the earliest first. */
  readonly events: readonly MovedEvent[]
  /** The number of the next page; null on the last one. */
  readonly next_page: number | null
  /** Ids of events that no longer have the other one. */
  readonly skipped: readonly number[]
}

/** What a category or a tag is used for. */
export interface TermUsage {
  /** How many events have it. Translations of an event count as one. */
  readonly events: number
  /** How many categories are right below it. */
  readonly children: number
}

/** What a merge of terms did, or would do. */
export interface MergedTerm {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** How many events move. Translations of an event count as one, and events in the trash do not count. */
  readonly count: number
  /** The changed events of this page, the earliest first. */
  readonly events: readonly MovedEvent[]
  /** The number of the next page; null on the last one. */
  readonly next_page: number | null
  /** How many categories move below the other one. */
  readonly children: number
  /** How to undo the merge; null if nothing was done. */
  readonly undo: {
    /** The id of the merge. */
    readonly id: number
    /** The address to send `POST` to. */
    readonly url: string
    /** Until when it can be undone. */
    readonly until: string
  } | null
}

/** A page of the feed of changes. */
export interface Changes {
  /** The changes, in their order. */
  readonly items: readonly {
    /** What happened to the item. */
    readonly state: 'updated' | 'deleted'
    /** The kind of item. A series has an item in each of its languages. */
    readonly kind: 'event' | 'venue' | 'organizer' | 'category' | 'tag' | 'series'
    /** The id of the item. */
    readonly id: number
    /** The number of the change. Later changes have higher numbers. */
    readonly modified: number
    /** When it changed. */
    readonly at: string
    /** How many events of the feed show this venue or organizer now, without those with a password. `linked` sends them again. */
    readonly affects?: number
    /** The item as a visitor reads it by its id, without `json_ld`; an event with a password as in lists. */
    readonly data?: Readonly<Record<string, unknown>>
  }[]
  /** The address of the next page. On the last page, ask there again later. */
  readonly next: string
  /** Whether there is a next page already. */
  readonly has_more: boolean
  /** The licence of the data, if the service names one. */
  readonly license?: string
}

/** A page of changes as RPDE 1.0 has it. */
export interface RpdePage {
  /** The changes, in their order. */
  readonly items: readonly {
    /** What happened to the item. */
    readonly state: 'updated' | 'deleted'
    /** The kind of item. A series has an item in each of its languages. */
    readonly kind: string
    /** The id of the item. */
    readonly id: number
    /** The number of the change. Later changes have higher numbers. */
    readonly modified: number
    /** The event in schema.org terms. */
    readonly data?: Readonly<Record<string, unknown>>
  }[]
  /** The address of the next page. On the last page, ask there again later. */
  readonly next: string
  /** The licence of the data, if the service names one. */
  readonly license?: string
}

/** The results of a batch. */
export interface Batch {
  /** How many operations succeeded. */
  readonly succeeded: number
  /** How many operations failed. */
  readonly failed: number
  /** The result of each operation, in their order. */
  readonly results: readonly BatchResult[]
}

/** The result of one operation. */
export interface BatchResult {
  /** A name of your choice for the operation. */
  readonly ref?: string
  /** The status that the operation would have on its own. */
  readonly status: number
  /** The id of the record that it wrote. */
  readonly id?: number
  /** Headers of its answer. `ETag` is the version, for `if_match`. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of its answer, or the problem. Not there if there is none, if the answers together exceed 4 MB, and when the batch is repeated. */
  readonly body?: Readonly<Record<string, unknown>> | readonly unknown[]
}

/** What a sweep changed, or would change. */
export interface SweptRecords {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** What happens to it. */
  readonly action: 'trash' | 'cancel'
  /** What is swept: `event`, `venue` or `organizer`. Only events can be canceled. */
  readonly kind: 'event' | 'venue' | 'organizer'
  /** How many records were changed, or would be. */
  readonly count: number
  /** How many records were left out because you may not change them. */
  readonly left_out: number
  /** Whether there are more; if so, send the request again. */
  readonly has_more: boolean
  /** The records, those that were not sent for the longest time first. */
  readonly records: readonly {
    /** The id of the record. */
    readonly id: number
    /** The id of the record in that system. */
    readonly external_id: string
    /** The title, as HTML. */
    readonly title: string
  }[]
  /** How to undo the canceling; null if nothing was canceled. Records in the trash can be restored. */
  readonly undo: {
    /** The id of the request that canceled events. */
    readonly id: number
    /** The address to send `POST` to. */
    readonly url: string
    /** Until when it can be undone. */
    readonly until: string
  } | null
}

/** One JSON object per line of the body: `line`, `status` (201 created, 200 changed, 204 unchanged), `external_id`, `id`, `kept`, `ignored` (the names of what has no effect in the line), or the `problem`. The last line counts them, or has the problem for which the import ended. */
export type ImportAnswers = string

/** Imports that can be undone, the latest first. */
export type ImportList = readonly UndoableImport[]

/** An import that created or changed records. */
export interface UndoableImport {
  /** Id of the import. */
  readonly id: number
  /** The name of the system that the record comes from. */
  readonly source: string
  /** When it began. */
  readonly at: string
  /** Id of the user who imported. */
  readonly user: number | null
  /** How many records it created or changed that it was not undone for. */
  readonly count: number
  /** Whether it was undone. */
  readonly is_undone: boolean
  /** Until when it can be undone. */
  readonly until: string
}

/** What an import did, or would do. */
export interface Import {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** How many events the file has. */
  readonly found: number
  /** The records of a kind. */
  readonly events: {
    /** How many were new. */
    readonly created: number
    /** How many were changed. */
    readonly updated: number
    /** How many were the same as before. */
    readonly unchanged: number
    /** How many could not be imported. */
    readonly failed: number
  }
  /** The records of a kind. */
  readonly venues: {
    /** How many were new. */
    readonly created: number
    /** How many were changed. */
    readonly updated: number
    /** How many were the same as before. */
    readonly unchanged: number
    /** How many could not be imported. */
    readonly failed: number
  }
  /** The records of a kind. */
  readonly organizers: {
    /** How many were new. */
    readonly created: number
    /** How many were changed. */
    readonly updated: number
    /** How many were the same as before. */
    readonly unchanged: number
    /** How many could not be imported. */
    readonly failed: number
  }
  /** The records of a kind. */
  readonly categories: {
    /** How many were new. */
    readonly created: number
    /** How many were changed. */
    readonly updated: number
    /** How many were the same as before. */
    readonly unchanged: number
    /** How many could not be imported. */
    readonly failed: number
  }
  /** The records of a kind. */
  readonly tags: {
    /** How many were new. */
    readonly created: number
    /** How many were changed. */
    readonly updated: number
    /** How many were the same as before. */
    readonly unchanged: number
    /** How many could not be imported. */
    readonly failed: number
  }
  /** How many records have a picture, which is not copied. */
  readonly skipped_images: number
  /** How many events have a password, so that the file does not have their texts. */
  readonly protected_events: number
  /** Why records were not imported; at most 500. */
  readonly failures: readonly {
    /** The place in the file, such as `events[12]`; empty for the file as a whole. */
    readonly path: string
    /** What is wrong, in the language of the address. */
    readonly text: string
  }[]
  /** What was changed in records that were imported; at most 500. */
  readonly warnings: readonly {
    /** The place in the file, such as `events[12]`; empty for the file as a whole. */
    readonly path: string
    /** What is wrong, in the language of the address. */
    readonly text: string
  }[]
}

/** What the undoing of an import did. */
export interface UndoneImport {
  /** How many records are in the trash now. */
  readonly removed: number
  /** How many older records are as they were before the import, in the fields that nobody has edited since. */
  readonly restored: number
  /** How many records stay, because they were edited here, events need them, or you may not change them. */
  readonly kept: number
}

/** What an import of a calendar did, or would do. */
export interface ImportedCalendar {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** The name of the calendar; empty if it says none. */
  readonly name: string
  /** How many components the calendar has: events, series and changed dates. */
  readonly found: number
  /** How many were new. */
  readonly created: number
  /** How many were changed. */
  readonly changed: number
  /** How many were the same as before. */
  readonly unchanged: number
  /** How many could not be imported. */
  readonly failed: number
  /** Why components were not imported; at most 500. */
  readonly problems: readonly {
    /** The number of the component in the file, from 1. */
    readonly place: number
    /** The id of the record in that system. */
    readonly external_id: string
    /** The title of the event. */
    readonly title: string
    /** What is wrong, in the language of the address. */
    readonly text: string
  }[]
  /** With `dry_run`, what would become of each event, and other records that would be refused: at most 500, those refused first. */
  readonly rows?: readonly {
    /** The number of the component in the file, from 1. */
    readonly place: number
    /** The id of the record in that system. */
    readonly external_id: string
    /** The title of the event. */
    readonly title: string
    /** The start of the event, as it is written there. */
    readonly start_date: string
    /** `failed`: it is refused. `created`, `changed`, `unchanged`: it is new, another, or the same. */
    readonly outcome: 'failed' | 'created' | 'changed' | 'unchanged'
    /** What is wrong, in the language of the address. */
    readonly text?: string
  }[]
  /** How many rows are left out. */
  readonly more_rows?: number
  /** What was read otherwise than it is written, such as times without a zone. */
  readonly notes: readonly string[]
  /** How to undo the import; null if it created nothing. */
  readonly undo?: {
    /** Id of the import. */
    readonly id: number
    /** The address to send `POST` to. */
    readonly url: string
    /** Until when it can be undone. */
    readonly until: string
  } | null
}

/** The subscriptions, by name. */
export type SubscriptionList = readonly Subscription[]

/** A calendar of others that is fetched again and again. */
export interface Subscription {
  /** The name of the source under which the events are imported. */
  readonly source: string
  /** The address of the calendar. Parts that may be secret are replaced by `…`. */
  readonly url: string
  /** Minutes between two fetches: 360 if none were sent. */
  readonly every_minutes: number
  /** The language of the events. */
  readonly language: string
  /** The status of new events: publish if none was sent. */
  readonly status: 'publish' | 'pending' | 'draft'
  /** A category of all events, besides their own; empty for none. */
  readonly category: string | null
  /** keep: what was edited here stays. source: it is overwritten. */
  readonly authority: 'keep' | 'source'
  /** What happens to coming events that are missing twice in a row: keep, cancel or trash. */
  readonly missing: 'keep' | 'cancel' | 'trash'
  /** The id of the user in whose name the events are written: the caller if none was sent. */
  readonly author: number
  /** Whether it is not fetched for now. */
  readonly paused: boolean
  /** How many components the calendar had in the last import. */
  readonly found: number
  /** The last fetch that did not fail; null if there was none. */
  readonly fetched_at: string | null
  /** When the next fetch is due; null if it is paused. */
  readonly next_at: string | null
  /** The first of the fetches that have failed since; null if the last one did not fail. */
  readonly failing_since: string | null
  /** Why the last fetch has failed; null if it did not. `address`: the address leads to a private network. `redirects`: too many redirects. `too-large`: more than 10 MB. `too-slow`, `unreachable`: the site. `answer`: the answer cannot be read. `status 404` and others: the status of the answer. `no-calendar`: a web page without events, or a part of a calendar. `fewer`: less than half of the events, nothing was changed. `user`: the author may no longer write to this source. `fault`: this service has made an error. */
  readonly failure: string | null
}

/** What was deleted. */
export interface EndedSubscription {
  readonly deleted: true
  /** What it was before. */
  readonly previous: Subscription
}

/** What a fetch did, or would do. */
export interface FetchedSubscription {
  /** Whether nothing was changed. */
  readonly dry_run: boolean
  /** `imported`, `unchanged` since the last fetch, or `failed`. */
  readonly result: 'imported' | 'unchanged' | 'failed'
  /** Why the last fetch has failed; null if it did not. `address`: the address leads to a private network. `redirects`: too many redirects. `too-large`: more than 10 MB. `too-slow`, `unreachable`: the site. `answer`: the answer cannot be read. `status 404` and others: the status of the answer. `no-calendar`: a web page without events, or a part of a calendar. `fewer`: less than half of the events, nothing was changed. `user`: the author may no longer write to this source. `fault`: this service has made an error. */
  readonly failure: string | null
  /** How many coming events were canceled or put in the trash. With `dry_run`, it is 0. */
  readonly removed: number
  /** What was imported; missing if nothing was. */
  readonly report?: ImportedCalendar
}

/** What is at each address. */
export interface LinkChecks {
  /** The addresses, in their order. */
  readonly links: readonly {
    /** The address, as it was sent. */
    readonly url: string
    /** `ok`: something answers, even if it asks who is there. `gone`: the page no longer exists (404, 410). `error`: no answer, no public address of that name, or the server fails. `refused`: not an address of the public web. */
    readonly result: 'ok' | 'gone' | 'error' | 'refused'
  }[]
}

/** One page of changes. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** What to send as `cursor` for the next page; null on the last one. */
  readonly next_cursor: string | null
}

/** What one request changed. */
export interface AuditEntry {
  /** The id of the entry. */
  readonly id: number
  /** When it happened. */
  readonly at: string
  /** Who did it. */
  readonly actor: {
    /** How: over HTTP, on the command line, by an import, or by the service itself. */
    readonly via: 'http' | 'cli' | 'import' | 'service'
    /** The id of the user; null if there was none. */
    readonly id: number | null
    /** The name of the user at that time; null if there was none. */
    readonly name: string | null
  }
  /** The kind of item. */
  readonly kind:
    | 'event'
    | 'venue'
    | 'organizer'
    | 'category'
    | 'tag'
    | 'media'
    | 'series'
    | 'user'
    | 'cancellation'
    | 'audit'
  /** The id of the item. */
  readonly item_id: number
  /** What was done. */
  readonly action: 'create' | 'upload' | 'update' | 'trash' | 'restore' | 'delete' | 'prune'
  /** The fields that changed, each with `before` and `after`. */
  readonly changes: Readonly<Record<string, unknown>>
  /** Where the request came from. */
  readonly from: {
    /** The IP address of the client; null if it is not known. */
    readonly address: string | null
    /** The id of the request in logs; null if it had none. */
    readonly request_id: string | null
  }
}

/** What was changed in an event. */
export interface EventHistory {
  readonly entries: readonly {
    /** The id of the entry. */
    readonly id: number
    /** When it happened. */
    readonly at: string
    /** The name of the user at that time; null if there was none. */
    readonly by: string | null
    /** What was done. */
    readonly action: 'create' | 'upload' | 'update' | 'trash' | 'restore' | 'delete' | 'prune'
    /** The fields that changed, each with `before` and `after`. */
    readonly changes: Readonly<Record<string, unknown>>
  }[]
  /** What to send as `cursor` for the next page; null on the last one. */
  readonly next_cursor: string | null
}

/** All settings. */
export interface SettingList {
  readonly settings: readonly Setting[]
}

/** A setting as it is in force. */
export interface Setting {
  /** The name of the setting. */
  readonly name: string
  /** The text of the setting; null for a secret. Of a file or a folder, only the last part of the path. */
  readonly value: string | null
  /** The text that applies if nothing is set. */
  readonly default: string
  /** Whether it has a text. */
  readonly is_set: boolean
  /** Whether it may hold a secret. */
  readonly is_secret: boolean
  /** Where the text comes from: an option of the command line, the environment, the file `.env`, the file that `NAME_FILE` names, or the default. */
  readonly source: 'option' | 'environment' | '.env' | 'file' | 'default'
  /** What it is for, in the language of the address. */
  readonly meaning: string
}

export interface CreateUserInput {
  /** The user name, which never changes. */
  readonly name: string
  /** The role of the user, which says what they may do. */
  readonly role: Role
  /** The email address; empty for none. */
  readonly email?: string | undefined
}

export interface ChangeUserInput {
  /** The role of the user, which says what they may do. */
  readonly role?: Role | undefined
  /** The email address; empty for none. */
  readonly email?: string | undefined
}

export interface SetPasswordInput {
  /** The new password, to sign in with a browser. */
  readonly password: string
  /** The password until now; needed to change your own. */
  readonly current_password?: string | undefined
}

export interface CreateKeyInput {
  /** What the key is for, in your own words. */
  readonly label: string
  /** In how many days the key expires; without it, the key never expires. */
  readonly expires_in_days?: number | undefined
  /** What the key may do: only read (`read`), also try writes without effect (`plan`), or write (`write`). */
  readonly scope?: 'read' | 'plan' | 'write' | undefined
}

export interface RotateKeyInput {
  /** For how many hours the previous secret remains valid. */
  readonly overlap_hours?: number | undefined
}

export interface SignInInput {
  /** The user name or email address. */
  readonly login: string
  /** The password of the user. */
  readonly password: string
}

export interface CreateLinkInput {
  /** Why the user gets the link. */
  readonly kind: 'invitation' | 'reset'
}

export interface GetLinkInput {
  /** The secret at the end of the address of the link. */
  readonly secret: string
}

export interface FollowLinkInput {
  /** The secret at the end of the address of the link. */
  readonly secret: string
  /** The new password, to sign in with a browser. */
  readonly password: string
}

export interface CreateSavedViewInput {
  /** The name of the view. Each of your views has another one. */
  readonly name: string
  /** The filter, as the query of an address: `status=pending&category=12`. */
  readonly query: string
}

export interface ChangeSavedViewInput {
  /** The name of the view. Each of your views has another one. */
  readonly name?: string | undefined
  /** The filter, as the query of an address: `status=pending&category=12`. */
  readonly query?: string | undefined
}

export interface UploadMediaInput {
  /** The picture file. */
  readonly file?: Blob | undefined
  /** The title of the picture; the file name if there is none. */
  readonly title?: string | undefined
  /** What the picture shows, in the language of the request; empty for none. */
  readonly alt_text?: string | undefined
  /** Whether the picture only decorates and needs no text. */
  readonly decorative?: boolean | undefined
}

export interface ChangeMediaInput {
  /** The title of the picture; the file name if there is none. */
  readonly title?: string | undefined
  /** What the picture shows, in the language of the request; empty for none. */
  readonly alt_text?: string | null | undefined
  /** What the picture shows, by language; an empty text removes one. */
  readonly alt_texts?: Readonly<Record<string, string | null>> | undefined
  /** Whether the picture only decorates and needs no text. */
  readonly decorative?: boolean | undefined
}

export interface CreateSeriesInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The title of the event. */
  readonly title: string
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** The slug of the event. */
  readonly slug?: string | undefined
  /** A short summary of the event. */
  readonly excerpt?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** The time zone of the event. */
  readonly timezone?: string | undefined
  /** Whether the event lasts all day. */
  readonly all_day?: boolean | undefined
  /** When the event starts, in its time zone. */
  readonly start_date?: string | undefined
  /** When the event ends, in its time zone. */
  readonly end_date?: string | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | undefined
  /** What it costs to attend: a number, a range or words. */
  readonly cost?: number | readonly (number | string)[] | string | null | undefined
  /** The URL of the event’s own website. */
  readonly website?: string | null | undefined
  /** Whether a map is shown with the event. */
  readonly show_map?: boolean | undefined
  /** Whether a link to a map is shown with the event. */
  readonly show_map_link?: boolean | undefined
  /** Whether the event is left out of lists. */
  readonly hide_from_listings?: boolean | undefined
  /** Whether the event stands out in the calendar. */
  readonly sticky?: boolean | undefined
  /** Whether the event is featured. */
  readonly featured?: boolean | undefined
  /** What happens to the event: it takes place as planned, or is canceled, postponed, moved to another date or moved online. */
  readonly event_status?: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online' | undefined
  /** Why the event has this status, for readers. */
  readonly event_status_reason?: string | undefined
  /** Where people attend the event: on site, online or both. */
  readonly attendance?: 'offline' | 'online' | 'mixed' | undefined
  /** The address at which people attend the event online. */
  readonly virtual_url?: string | null | undefined
  /** The service that transmits the event, such as zoom. */
  readonly virtual_video_source?: string | undefined
  /** Who sees the address: everybody, or signed-in callers only. */
  readonly virtual_access?: 'all' | 'registered' | undefined
  /** Ways to attend, at most 20: name, address, price or range of prices, currency, when they are on sale, availability. Empty for none. */
  readonly offers?:
    | readonly {
        readonly name?: string | undefined
        readonly url?: string | undefined
        readonly price?: number | string | undefined
        readonly low_price?: number | string | undefined
        readonly high_price?: number | string | undefined
        readonly currency?: string | undefined
        readonly valid_from?: string | undefined
        readonly valid_through?: string | undefined
        readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
      }[]
    | string
    | null
    | undefined
  /** Whether one can still attend; empty if not known. */
  readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
  /** How many people can attend. */
  readonly capacity?: number | null | undefined
  /** The categories of the event: ids, slugs or names. Unknown names are created. */
  readonly categories?: readonly (number | string)[] | number | string | null | undefined
  /** The tags of the event: ids, slugs or names. Unknown names are created. */
  readonly tags?: readonly (number | string)[] | number | string | null | undefined
  /** The venue of the event: its id, or the fields of a new one. */
  readonly venue?:
    | number
    | Readonly<Record<string, unknown>>
    | readonly (number | Readonly<Record<string, unknown>>)[]
    | undefined
  /** The organizers of the event: their ids, or the fields of new ones. */
  readonly organizer?:
    | number
    | Readonly<Record<string, unknown>>
    | readonly (number | Readonly<Record<string, unknown>>)[]
    | undefined
  /** Whether people can attend the event online. */
  readonly is_virtual?: boolean | undefined
  /** Whether people attend the event only online (`virtual`) or also on site (`hybrid`). */
  readonly virtual_event_type?: 'virtual' | 'hybrid' | undefined
  /** The password that readers need from now on; empty for none. An object with the id of an event as `of` takes its password. */
  readonly event_password?:
    | string
    | {
        readonly of: number
      }
    | undefined
  /** What repeats: `rrule` (RFC 5545), further `dates` and `except`, in the local time of the event. Or lines of iCalendar as text. Creates a series, with an event for each date. */
  readonly recurrence:
    | string
    | {
        readonly rrule?: string | undefined
        readonly dates?: readonly string[] | string | undefined
        readonly except?: readonly string[] | string | undefined
      }
}

export interface PreviewSeriesInput {
  /** What repeats: `rrule` (RFC 5545), further `dates` and `except`, in the local time of the event. Or lines of iCalendar as text. Creates a series, with an event for each date. */
  readonly recurrence:
    | string
    | {
        readonly rrule?: string | undefined
        readonly dates?: readonly string[] | string | undefined
        readonly except?: readonly string[] | string | undefined
      }
  /** When the event starts, in its time zone. */
  readonly start_date: string
  /** When the event ends, in its time zone. */
  readonly end_date?: string | undefined
  /** The time zone of the event. */
  readonly timezone?: string | undefined
  /** Whether the event lasts all day. */
  readonly all_day?: boolean | undefined
}

export interface ChangeSeriesInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The title of the event. */
  readonly title?: string | undefined
  /** The description; it may contain HTML. */
  readonly description?: string | null | undefined
  /** The slug of the event. */
  readonly slug?: string | undefined
  /** A short summary of the event. */
  readonly excerpt?: string | null | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** The time zone of the event. */
  readonly timezone?: string | undefined
  /** Whether the event lasts all day. */
  readonly all_day?: boolean | undefined
  /** When the event starts, in its time zone. */
  readonly start_date?: string | undefined
  /** When the event ends, in its time zone. */
  readonly end_date?: string | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | null | undefined
  /** What it costs to attend: a number, a range or words. */
  readonly cost?: number | readonly (number | string)[] | string | null | undefined
  /** The URL of the event’s own website. */
  readonly website?: string | null | undefined
  /** Whether a map is shown with the event. */
  readonly show_map?: boolean | undefined
  /** Whether a link to a map is shown with the event. */
  readonly show_map_link?: boolean | undefined
  /** Whether the event is left out of lists. */
  readonly hide_from_listings?: boolean | undefined
  /** Whether the event stands out in the calendar. */
  readonly sticky?: boolean | undefined
  /** Whether the event is featured. */
  readonly featured?: boolean | undefined
  /** What happens to the event: it takes place as planned, or is canceled, postponed, moved to another date or moved online. */
  readonly event_status?: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online' | undefined
  /** Why the event has this status, for readers. */
  readonly event_status_reason?: string | undefined
  /** Where people attend the event: on site, online or both. */
  readonly attendance?: 'offline' | 'online' | 'mixed' | undefined
  /** The address at which people attend the event online. */
  readonly virtual_url?: string | null | undefined
  /** The service that transmits the event, such as zoom. */
  readonly virtual_video_source?: string | undefined
  /** Who sees the address: everybody, or signed-in callers only. */
  readonly virtual_access?: 'all' | 'registered' | undefined
  /** Ways to attend, at most 20: name, address, price or range of prices, currency, when they are on sale, availability. Empty for none. */
  readonly offers?:
    | readonly {
        readonly name?: string | undefined
        readonly url?: string | undefined
        readonly price?: number | string | undefined
        readonly low_price?: number | string | undefined
        readonly high_price?: number | string | undefined
        readonly currency?: string | undefined
        readonly valid_from?: string | undefined
        readonly valid_through?: string | undefined
        readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
      }[]
    | string
    | null
    | undefined
  /** Whether one can still attend; empty if not known. */
  readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
  /** How many people can attend. */
  readonly capacity?: number | null | undefined
  /** The categories of the event: ids, slugs or names. Unknown names are created. */
  readonly categories?: readonly (number | string)[] | number | string | null | undefined
  /** The tags of the event: ids, slugs or names. Unknown names are created. */
  readonly tags?: readonly (number | string)[] | number | string | null | undefined
  /** The venue of the event: its id, or the fields of a new one. */
  readonly venue?:
    | number
    | Readonly<Record<string, unknown>>
    | readonly (number | Readonly<Record<string, unknown>>)[]
    | undefined
  /** The organizers of the event: their ids, or the fields of new ones. */
  readonly organizer?:
    | number
    | Readonly<Record<string, unknown>>
    | readonly (number | Readonly<Record<string, unknown>>)[]
    | undefined
  /** Whether people can attend the event online. */
  readonly is_virtual?: boolean | undefined
  /** Whether people attend the event only online (`virtual`) or also on site (`hybrid`). */
  readonly virtual_event_type?: 'virtual' | 'hybrid' | undefined
  /** The password that readers need from now on; empty for none. An object with the id of an event as `of` takes its password. */
  readonly event_password?:
    | string
    | {
        readonly of: number
      }
    | undefined
  /** What repeats: `rrule` (RFC 5545), further `dates` and `except`, in the local time of the event. Or lines of iCalendar as text. Creates a series, with an event for each date. */
  readonly recurrence?:
    | string
    | {
        readonly rrule?: string | undefined
        readonly dates?: readonly string[] | string | undefined
        readonly except?: readonly string[] | string | undefined
      }
    | undefined
  /** Whether times and rules change for dates that have begun, too. */
  readonly past?: boolean | undefined
  /** Whether dates may go to the trash that have changes or tickets of their own. */
  readonly drop?: boolean | undefined
  /** Id of the date from which the series changes. Without it, all dates change. */
  readonly from?: number | undefined
}

export interface AddSeriesDateInput {
  /** Local start of the new date. */
  readonly start_date: string
}

export interface JoinEventsToSeriesInput {
  /** Ids of the events, at most 500. */
  readonly event_ids: readonly number[]
}

export interface TranslateSeriesInput {
  /** The title of the event. */
  readonly title: string
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** A short summary of the event. */
  readonly excerpt?: string | undefined
  /** The slug of the event. */
  readonly slug?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
}

export interface FollowSeriesInput {
  /** The fields in which the date follows its series again: some of its `own_fields`. */
  readonly fields: readonly (
    | 'author'
    | 'title'
    | 'description'
    | 'excerpt'
    | 'image'
    | 'event_password'
    | 'cost'
    | 'venue'
    | 'organizer'
    | 'categories'
    | 'tags'
    | 'event_status'
    | 'website'
    | 'show_map'
    | 'show_map_link'
    | 'hide_from_listings'
    | 'sticky'
    | 'featured'
    | 'attendance'
    | 'virtual_url'
    | 'virtual_video_source'
    | 'virtual_access'
    | 'offers'
    | 'availability'
    | 'capacity'
    | 'start_date'
    | 'status'
    | 'date'
  )[]
}

export interface FindDoubleEventsInput {
  /** Finds events with the same title and the same start */
  readonly events: readonly {
    readonly title: string
    readonly start_date: string
  }[]
}

export interface FindNamesInput {
  /** Names, or ids of records whose names are wanted; at most 500. */
  readonly venues?: readonly (string | number)[] | undefined
  /** Names, or ids of records whose names are wanted; at most 500. */
  readonly organizers?: readonly (string | number)[] | undefined
  /** Names, or ids of records whose names are wanted; at most 500. */
  readonly categories?: readonly (string | number)[] | undefined
  /** Names, or ids of records whose names are wanted; at most 500. */
  readonly tags?: readonly (string | number)[] | undefined
  /** Whether to find the venues whose names look like the given ones as well. */
  readonly alike?: boolean | undefined
}

export interface CancelEventsInput {
  /** Which events: those that begin from one day to another (`from`, `to`: days, or times in the zone of each event) and that have one of each (`venue`, `organizer`, `category`, `tag`). Or up to 200 by their ids (`event`), on any day. Without `from`: from today. Events that are over count only if `from` is in the past. */
  readonly where: unknown
  /** The reason: a text for all events, or one for each language. */
  readonly reason?: string | null | Readonly<Record<string, string>> | undefined
  /** What happens to the events. */
  readonly event_status?: 'canceled' | 'postponed' | undefined
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface UndoCancelEventsInput {
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface MergeVenueInput {
  /** The id of the one that takes over the events. */
  readonly into: number
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface UndoMergeVenueInput {
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface MergeOrganizerInput {
  /** The id of the one that takes over the events. */
  readonly into: number
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface UndoMergeOrganizerInput {
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface MergeCategoryInput {
  /** The id of the one that takes over the events. */
  readonly into: number
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface UndoMergeCategoryInput {
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface MergeTagInput {
  /** The id of the one that takes over the events. */
  readonly into: number
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface UndoMergeTagInput {
  /** Whether to only tell what would change. */
  readonly dry_run?: boolean | undefined
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

export interface RunBatchInput {
  /** The writes, in their order; at most 200. */
  readonly operations: readonly {
    /** A name of your choice for the operation. */
    readonly ref?: string | undefined
    /** The method of the operation. */
    readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** The path of the operation below its namespace. `{name}` in it stands for the id of an earlier operation. */
    readonly path: string
    /** The parameters of the operation. */
    readonly body?: Readonly<Record<string, unknown>> | undefined
    /** The version that the record must have, as in `If-Match`. */
    readonly if_match?: string | number | undefined
    /** `*`: only if no record has the slug, as in `If-None-Match`. */
    readonly if_none_match?: string | undefined
  }[]
  /** Whether nothing is kept if one operation fails. */
  readonly atomic?: boolean | undefined
}

export interface PutSourceEventInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The title of the event. */
  readonly title: string
  /** The description; it may contain HTML. */
  readonly description?: string | null | undefined
  /** The slug of the event. */
  readonly slug?: string | undefined
  /** A short summary of the event. */
  readonly excerpt?: string | null | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** The time zone of the event. */
  readonly timezone?: string | undefined
  /** Whether the event lasts all day. */
  readonly all_day?: boolean | undefined
  /** When the event starts, in its time zone. */
  readonly start_date: string
  /** When the event ends, in its time zone. */
  readonly end_date?: string | null | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | null | undefined
  /** What it costs to attend: a number, a range or words. */
  readonly cost?: number | readonly (number | string)[] | string | null | undefined
  /** The URL of the event’s own website. */
  readonly website?: string | null | undefined
  /** Whether a map is shown with the event. */
  readonly show_map?: boolean | undefined
  /** Whether a link to a map is shown with the event. */
  readonly show_map_link?: boolean | undefined
  /** Whether the event is left out of lists. */
  readonly hide_from_listings?: boolean | undefined
  /** Whether the event stands out in the calendar. */
  readonly sticky?: boolean | undefined
  /** Whether the event is featured. */
  readonly featured?: boolean | undefined
  /** What happens to the event: it takes place as planned, or is canceled, postponed, moved to another date or moved online. */
  readonly event_status?: 'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online' | undefined
  /** Why the event has this status, for readers. */
  readonly event_status_reason?: string | undefined
  /** Where people attend the event: on site, online or both. */
  readonly attendance?: 'offline' | 'online' | 'mixed' | undefined
  /** The address at which people attend the event online. */
  readonly virtual_url?: string | null | undefined
  /** The service that transmits the event, such as zoom. */
  readonly virtual_video_source?: string | undefined
  /** Who sees the address: everybody, or signed-in callers only. */
  readonly virtual_access?: 'all' | 'registered' | undefined
  /** Ways to attend, at most 20: name, address, price or range of prices, currency, when they are on sale, availability. Empty for none. */
  readonly offers?:
    | readonly {
        readonly name?: string | undefined
        readonly url?: string | undefined
        readonly price?: number | string | undefined
        readonly low_price?: number | string | undefined
        readonly high_price?: number | string | undefined
        readonly currency?: string | undefined
        readonly valid_from?: string | undefined
        readonly valid_through?: string | undefined
        readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
      }[]
    | string
    | null
    | undefined
  /** Whether one can still attend; empty if not known. */
  readonly availability?: 'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | undefined
  /** How many people can attend. */
  readonly capacity?: number | null | undefined
  /** The categories of the event: ids, slugs or names. Unknown names are created. */
  readonly categories?: readonly (number | string)[] | number | string | null | undefined
  /** The tags of the event: ids, slugs or names. Unknown names are created. */
  readonly tags?: readonly (number | string)[] | number | string | null | undefined
  /** The venue of the event: its id, or the fields of a new one. */
  readonly venue?:
    | {
        readonly source?: string | undefined
        readonly external_id: string
      }
    | number
    | {
        readonly id: number
      }
    | PutSourceVenueInput
    | readonly (
        | number
        | {
            readonly id: number
          }
        | PutSourceVenueInput
      )[]
    | string
    | null
    | undefined
  /** The organizers of the event: their ids, or the fields of new ones. */
  readonly organizer?:
    | {
        readonly source?: string | undefined
        readonly external_id: string
      }
    | number
    | {
        readonly id: number
      }
    | PutSourceOrganizerInput
    | readonly (
        | number
        | {
            readonly id: number
          }
        | PutSourceOrganizerInput
      )[]
    | string
    | null
    | undefined
  /** Whether people can attend the event online. */
  readonly is_virtual?: boolean | undefined
  /** Whether people attend the event only online (`virtual`) or also on site (`hybrid`). */
  readonly virtual_event_type?: 'virtual' | 'hybrid' | undefined
  /** The password that readers need from now on; empty for none. An object with the id of an event as `of` takes its password. */
  readonly event_password?:
    | string
    | {
        readonly of: number
      }
    | undefined
  /** The page of the record in that system; empty for none. */
  readonly source_url?: string | null | undefined
  /** What repeats: `rrule` (RFC 5545), further `dates` and `except`, in the local time of the event. Or lines of iCalendar as text. Creates a series, with an event for each date. */
  readonly recurrence?:
    | string
    | {
        readonly rrule?: string | undefined
        readonly dates?: readonly string[] | string | undefined
        readonly except?: readonly string[] | string | undefined
      }
    | undefined
  /** The id that the source gives the series of which this is a date. The date gets what is sent, and keeps following its series in everything else. */
  readonly recurrence_of?: string | undefined
  /** The start that the rule of the series gives the date, in its local time. Sent with `recurrence_of`. */
  readonly recurrence_id?: string | undefined
  /** Whether to overwrite what was edited here, and to restore what was put in the trash here. */
  readonly force?: boolean | undefined
}

export interface PutSourceVenueInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The name of the venue. */
  readonly venue: string
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** Whether a map is shown with the venue. */
  readonly show_map?: boolean | undefined
  /** Whether a link to a map is shown with the venue. */
  readonly show_map_link?: boolean | undefined
  /** The street address. */
  readonly address?: string | undefined
  /** The city. */
  readonly city?: string | undefined
  /** The country. */
  readonly country?: string | undefined
  /** The province. */
  readonly province?: string | undefined
  /** The state. */
  readonly state?: string | undefined
  /** The postal code. */
  readonly zip?: string | undefined
  /** The phone number. */
  readonly phone?: string | undefined
  /** The state or province. */
  readonly stateprovince?: string | undefined
  /** The URL of the venue’s website. */
  readonly website?: string | undefined
  /** The latitude of the venue, in degrees. */
  readonly geo_lat?: number | null | undefined
  /** The longitude of the venue, in degrees. */
  readonly geo_lng?: number | null | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | undefined
  /** The page of the record in that system; empty for none. */
  readonly source_url?: string | null | undefined
  /** Whether to overwrite what was edited here, and to restore what was put in the trash here. */
  readonly force?: boolean | undefined
}

export interface PutSourceOrganizerInput {
  /** The id of the user who owns the record. */
  readonly author?: number | undefined
  /** When the record was published, in the time zone of the site. */
  readonly date?: string | undefined
  /** When the record was published, in UTC. */
  readonly date_utc?: string | undefined
  /** The name of the organizer. */
  readonly organizer: string
  /** The description; it may contain HTML. */
  readonly description?: string | undefined
  /** The status of the record. */
  readonly status?: Status | undefined
  /** The phone number. */
  readonly phone?: string | undefined
  /** The URL of the organizer’s website. */
  readonly website?: string | undefined
  /** The email address. */
  readonly email?: string | undefined
  /** The picture: its id, or the URL to download it from. */
  readonly image?: number | string | undefined
  /** The page of the record in that system; empty for none. */
  readonly source_url?: string | null | undefined
  /** Whether to overwrite what was edited here, and to restore what was put in the trash here. */
  readonly force?: boolean | undefined
}

export interface SweepSourceInput {
  /** What the source last sent before this time is swept. */
  readonly seen_since: string
  /** What happens to it. */
  readonly action: 'trash' | 'cancel'
  /** What is swept: `event`, `venue` or `organizer`. Only events can be canceled. */
  readonly kind?: 'event' | 'venue' | 'organizer' | undefined
  /** Whether to only tell what would happen. */
  readonly dry_run?: boolean | undefined
}

export interface ImportAddressInput {
  /** The address of a calendar, or of a page or sitemap of a site that tells search engines about its events (schema.org). Begins with https:// or webcal://, and has no user name. Addresses within a private network are not fetched. */
  readonly url: string
  /** Whether to overwrite what was edited here, and to restore what was put in the trash here. */
  readonly force?: boolean | undefined
  /** Whether to only tell what would happen. */
  readonly dry_run?: boolean | undefined
}

export interface AddSubscriptionInput {
  /** The name of the source under which the events are imported. */
  readonly source: string
  /** The address of a calendar, or of a page or sitemap of a site that tells search engines about its events (schema.org). Begins with https:// or webcal://, and has no user name. Addresses within a private network are not fetched. */
  readonly url: string
  /** Minutes between two fetches: 360 if none were sent. */
  readonly every_minutes?: number | undefined
  /** The status of new events: publish if none was sent. */
  readonly status?: 'publish' | 'pending' | 'draft' | undefined
  /** A category of all events, besides their own; empty for none. */
  readonly category?: string | undefined
  /** keep: what was edited here stays. source: it is overwritten. */
  readonly authority?: 'keep' | 'source' | undefined
  /** What happens to coming events that are missing twice in a row: keep, cancel or trash. */
  readonly missing?: 'keep' | 'cancel' | 'trash' | undefined
  /** The id of the user in whose name the events are written: the caller if none was sent. */
  readonly author?: number | undefined
  /** Whether it is not fetched for now. */
  readonly paused?: boolean | undefined
}

export interface ChangeSubscriptionInput {
  /** The address of a calendar, or of a page or sitemap of a site that tells search engines about its events (schema.org). Begins with https:// or webcal://, and has no user name. Addresses within a private network are not fetched. */
  readonly url?: string | undefined
  /** Minutes between two fetches: 360 if none were sent. */
  readonly every_minutes?: number | undefined
  /** The status of new events: publish if none was sent. */
  readonly status?: 'publish' | 'pending' | 'draft' | undefined
  /** A category of all events, besides their own; empty for none. */
  readonly category?: string | undefined
  /** keep: what was edited here stays. source: it is overwritten. */
  readonly authority?: 'keep' | 'source' | undefined
  /** What happens to coming events that are missing twice in a row: keep, cancel or trash. */
  readonly missing?: 'keep' | 'cancel' | 'trash' | undefined
  /** The id of the user in whose name the events are written: the caller if none was sent. */
  readonly author?: number | undefined
  /** Whether it is not fetched for now. */
  readonly paused?: boolean | undefined
}

export interface FetchSubscriptionInput {
  /** Whether to import also if it has less than half of the events that it had. */
  readonly accept?: boolean | undefined
  /** Whether to only tell what would happen. */
  readonly dry_run?: boolean | undefined
}

export interface CheckLinksInput {
  /** The addresses to check; at most 20. */
  readonly urls: readonly string[]
}

/** What the query of `listEvents` may have. */
export interface ListEventsQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Events that start on or after this date. */
  readonly start_date?: string | undefined
  /** Events that end on or before this date. */
  readonly end_date?: string | undefined
  /** Events that start before this date. */
  readonly starts_before?: string | undefined
  /** Events that start after this date. */
  readonly starts_after?: string | undefined
  /** Events that end before this date. */
  readonly ends_before?: string | undefined
  /** Events that end after this date. */
  readonly ends_after?: string | undefined
  /** Whether the times in dates count; otherwise whole days are meant. */
  readonly strict_dates?: boolean | undefined
  /** Events with these words in their title, description or excerpt. */
  readonly search?: string | undefined
  /** Events in one of these categories or their subcategories: ids, slugs or names. */
  readonly categories?: number | string | readonly (number | string)[] | undefined
  /** Events with one of these tags: ids, slugs or names. */
  readonly tags?: number | string | readonly (number | string)[] | undefined
  /** Events at one of these venues: ids. */
  readonly venue?: number | readonly number[] | undefined
  /** Events by one of these organizers: ids. */
  readonly organizer?: number | readonly number[] | undefined
  /** Featured events only, or only those that are not. */
  readonly featured?: boolean | undefined
  /** Records of this status; several may be named. */
  readonly status?: Status | 'any' | readonly (Status | 'any')[] | undefined
  /** Events whose venue has coordinates. */
  readonly geoloc?: boolean | undefined
  /** Latitude of the point to search around, in degrees. */
  readonly geoloc_lat?: number | undefined
  /** Longitude of the point to search around, in degrees. */
  readonly geoloc_lng?: number | undefined
  /** Only the events with these ids. */
  readonly include?: number | readonly number[] | undefined
  /** Only the children of the event with this id, or the dates of the series with this id. */
  readonly post_parent?: number | undefined
  /** Events that offer tickets. */
  readonly ticketed?: boolean | undefined
  /** The greatest distance between this point and the event’s venue, in kilometres. */
  readonly geoloc_radius?: number | undefined
  /** Only dates of one of these series: ids of series. */
  readonly series?: number | readonly number[] | undefined
  /** Which dates of a series the list shows: `each`, or only the `next` one, which is the first one that the list would show. */
  readonly occurrences?: 'each' | 'next' | undefined
  /** Only events with one of these statuses, separated by commas. Also accepted: the spelling `cancelled` and the names of schema.org. */
  readonly event_status?:
    | 'scheduled'
    | 'canceled'
    | 'postponed'
    | 'rescheduled'
    | 'moved_online'
    | readonly ('scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online')[]
    | undefined
  /** Only events that people attend in one of these ways, separated by commas. */
  readonly attendance?: 'offline' | 'online' | 'mixed' | readonly ('offline' | 'online' | 'mixed')[] | undefined
  /** Records that were changed after this time. Without an offset, it is in UTC. */
  readonly modified_after?: string | undefined
  /** Records that were changed before this time. Without an offset, it is in UTC. */
  readonly modified_before?: string | undefined
  /** What the list is ordered by: the start, the title, the status (draft, future, pending, private, publish, trash), the last change, the publication or the order in which the service stored the events. */
  readonly orderby?: 'start' | 'title' | 'status' | 'modified' | 'published' | 'created' | undefined
  /** Ascending or descending. By default, changes, publications and stored events are descending, others ascending. */
  readonly order?: 'asc' | 'desc' | undefined
  /** The password that opens the event. */
  readonly password?: string | undefined
  /** The view of a record: `embed` is shorter, `edit` is for those who may change it. It has no effect on routes with only one view. */
  readonly context?: 'view' | 'embed' | 'edit' | undefined
}

/** What the query of `getEvent` may have. */
export interface GetEventQuery {
  /** The password that opens the event. */
  readonly password?: string | undefined
  /** The view of a record: `embed` is shorter, `edit` is for those who may change it. It has no effect on routes with only one view. */
  readonly context?: 'view' | 'embed' | 'edit' | undefined
}

/** What the query of `trashEvent` may have. */
export interface TrashEventQuery {
  /** The password that opens the event. */
  readonly password?: string | undefined
  /** Which dates of a series are meant: `this` event, it and all `following` ones, or `all`. By default, only this event. */
  readonly scope?: 'this' | 'following' | 'all' | undefined
  /** Whether dates may go to the trash that have changes or tickets of their own. */
  readonly drop?: boolean | undefined
}

/** What the query of `getEventBySlug` may have. */
export interface GetEventBySlugQuery {
  /** The view of a record: `embed` is shorter, `edit` is for those who may change it. It has no effect on routes with only one view. */
  readonly context?: 'view' | 'embed' | 'edit' | undefined
}

/** What the query of `listVenues` may have. */
export interface ListVenuesQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Venues with these words in one of their texts. */
  readonly search?: string | undefined
  /** Only what belongs to the event with this id. */
  readonly event?: number | undefined
  /** Only records with events, or only those without. */
  readonly has_events?: boolean | undefined
  /** Only records with an upcoming event. */
  readonly only_with_upcoming?: boolean | undefined
  /** Records of this status; several may be named. */
  readonly status?: Status | 'any' | readonly (Status | 'any')[] | undefined
  /** Records that were changed after this time. Without an offset, it is in UTC. */
  readonly modified_after?: string | undefined
  /** Records that were changed before this time. Without an offset, it is in UTC. */
  readonly modified_before?: string | undefined
}

/** What the query of `listOrganizers` may have. */
export interface ListOrganizersQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Organizers with these words in one of their texts. */
  readonly search?: string | undefined
  /** Only what belongs to the event with this id. */
  readonly event?: number | undefined
  /** Only records with events, or only those without. */
  readonly has_events?: boolean | undefined
  /** Only records with an upcoming event. */
  readonly only_with_upcoming?: boolean | undefined
  /** Records of this status; several may be named. */
  readonly status?: Status | 'any' | readonly (Status | 'any')[] | undefined
  /** Records that were changed after this time. Without an offset, it is in UTC. */
  readonly modified_after?: string | undefined
  /** Records that were changed before this time. Without an offset, it is in UTC. */
  readonly modified_before?: string | undefined
}

/** What the query of `listCategories` may have. */
export interface ListCategoriesQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Terms with this text in their name or slug. */
  readonly search?: string | undefined
  /** All terms except those with these ids. */
  readonly exclude?: number | readonly number[] | undefined
  /** Only the terms with these ids. */
  readonly include?: number | readonly number[] | undefined
  /** The direction: asc or desc. */
  readonly order?: 'asc' | 'desc' | undefined
  /** What the terms are sorted by. */
  readonly orderby?:
    | 'name'
    | 'id'
    | 'term_id'
    | 'slug'
    | 'description'
    | 'count'
    | 'parent'
    | 'term_group'
    | 'none'
    | 'include'
    | undefined
  /** Whether terms without published events are left out. */
  readonly hide_empty?: boolean | undefined
  /** Only the direct children of the category with this id; 0 for the top level. */
  readonly parent?: number | undefined
  /** Only what belongs to the event with this id. */
  readonly post?: number | undefined
  /** Only what belongs to the event with this id. */
  readonly event?: number | undefined
  /** Only the term with this slug. */
  readonly slug?: string | undefined
  /** The view of a record: `embed` is shorter, `edit` is for those who may change it. It has no effect on routes with only one view. */
  readonly context?: 'view' | 'embed' | 'edit' | undefined
}

/** What the query of `getCategory` may have. */
export interface GetCategoryQuery {
  /** The view of a record: `embed` is shorter, `edit` is for those who may change it. It has no effect on routes with only one view. */
  readonly context?: 'view' | 'embed' | 'edit' | undefined
}

/** What the query of `listTags` may have. */
export interface ListTagsQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Terms with this text in their name or slug. */
  readonly search?: string | undefined
  /** All terms except those with these ids. */
  readonly exclude?: number | readonly number[] | undefined
  /** Only the terms with these ids. */
  readonly include?: number | readonly number[] | undefined
  /** The direction: asc or desc. */
  readonly order?: 'asc' | 'desc' | undefined
  /** What the terms are sorted by. */
  readonly orderby?:
    | 'name'
    | 'id'
    | 'term_id'
    | 'slug'
    | 'description'
    | 'count'
    | 'parent'
    | 'term_group'
    | 'none'
    | 'include'
    | undefined
  /** Whether terms without published events are left out. */
  readonly hide_empty?: boolean | undefined
  /** Only what belongs to the event with this id. */
  readonly post?: number | undefined
  /** Only what belongs to the event with this id. */
  readonly event?: number | undefined
  /** Only the term with this slug. */
  readonly slug?: string | undefined
  /** The view of a record: `embed` is shorter, `edit` is for those who may change it. It has no effect on routes with only one view. */
  readonly context?: 'view' | 'embed' | 'edit' | undefined
  /** How many records to skip; `page` then has no effect. */
  readonly offset?: number | undefined
}

/** What the query of `getTag` may have. */
export interface GetTagQuery {
  /** The view of a record: `embed` is shorter, `edit` is for those who may change it. It has no effect on routes with only one view. */
  readonly context?: 'view' | 'embed' | 'edit' | undefined
}

/** What the query of `listMedia` may have. */
export interface ListMediaQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

/** What the query of `deleteMedia` may have. */
export interface DeleteMediaQuery {
  /** Whether the picture is removed even if records show it. */
  readonly force?: boolean | undefined
}

/** What the query of `listMediaUsage` may have. */
export interface ListMediaUsageQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** The id of the picture. */
  readonly id?: number | undefined
  /** Words in the title. */
  readonly search?: string | undefined
  /** Only pictures without an alternative text in this language. Decorative pictures need none. */
  readonly without_alt_text?: string | undefined
}

/** What the query of `trashSeries` may have. */
export interface TrashSeriesQuery {
  /** Whether dates may go to the trash that have changes or tickets of their own. */
  readonly drop?: boolean | undefined
  /** Id of the date from which the series changes. Without it, all dates change. */
  readonly from?: number | undefined
}

/** What the query of `listSeriesDates` may have. */
export interface ListSeriesDatesQuery {
  /** Dates that end at or after this local time. */
  readonly from?: string | undefined
  /** Dates that start at or before this local time. */
  readonly to?: string | undefined
  /** Where the list continues: `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** The number of dates on a page, at most 500. */
  readonly per_page?: number | undefined
}

/** What the query of `listEventRows` may have. */
export interface ListEventRowsQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Events that start on or after this date. */
  readonly start_date?: string | undefined
  /** Events that end on or before this date. */
  readonly end_date?: string | undefined
  /** Events that start before this date. */
  readonly starts_before?: string | undefined
  /** Events that start after this date. */
  readonly starts_after?: string | undefined
  /** Events that end before this date. */
  readonly ends_before?: string | undefined
  /** Events that end after this date. */
  readonly ends_after?: string | undefined
  /** Whether the times in dates count; otherwise whole days are meant. */
  readonly strict_dates?: boolean | undefined
  /** Events with these words in their title, description or excerpt. */
  readonly search?: string | undefined
  /** Events in one of these categories or their subcategories: ids, slugs or names. */
  readonly categories?: number | string | readonly (number | string)[] | undefined
  /** Events with one of these tags: ids, slugs or names. */
  readonly tags?: number | string | readonly (number | string)[] | undefined
  /** Events at one of these venues: ids. */
  readonly venue?: number | readonly number[] | undefined
  /** Events by one of these organizers: ids. */
  readonly organizer?: number | readonly number[] | undefined
  /** Featured events only, or only those that are not. */
  readonly featured?: boolean | undefined
  /** Records of this status; several may be named. */
  readonly status?: Status | 'any' | readonly (Status | 'any')[] | undefined
  /** Events whose venue has coordinates. */
  readonly geoloc?: boolean | undefined
  /** Latitude of the point to search around, in degrees. */
  readonly geoloc_lat?: number | undefined
  /** Longitude of the point to search around, in degrees. */
  readonly geoloc_lng?: number | undefined
  /** Events that offer tickets. */
  readonly ticketed?: boolean | undefined
  /** The greatest distance between this point and the event’s venue, in kilometres. */
  readonly geoloc_radius?: number | undefined
  /** Only dates of one of these series: ids of series. */
  readonly series?: number | readonly number[] | undefined
  /** Which dates of a series the list shows: `each`, or only the `next` one, which is the first one that the list would show. */
  readonly occurrences?: 'each' | 'next' | undefined
  /** Only events with one of these statuses, separated by commas. Also accepted: the spelling `cancelled` and the names of schema.org. */
  readonly event_status?:
    | 'scheduled'
    | 'canceled'
    | 'postponed'
    | 'rescheduled'
    | 'moved_online'
    | readonly ('scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online')[]
    | undefined
  /** Only events that people attend in one of these ways, separated by commas. */
  readonly attendance?: 'offline' | 'online' | 'mixed' | readonly ('offline' | 'online' | 'mixed')[] | undefined
  /** Records that were changed after this time. Without an offset, it is in UTC. */
  readonly modified_after?: string | undefined
  /** Records that were changed before this time. Without an offset, it is in UTC. */
  readonly modified_before?: string | undefined
  /** What the list is ordered by: the start, the title, the status (draft, future, pending, private, publish, trash), the last change, the publication or the order in which the service stored the events. */
  readonly orderby?: 'start' | 'title' | 'status' | 'modified' | 'published' | 'created' | undefined
  /** Ascending or descending. By default, changes, publications and stored events are descending, others ascending. */
  readonly order?: 'asc' | 'desc' | undefined
  /** Only events that exist in no form of this language. */
  readonly without_language?: string | undefined
  /** The language of the names of venues, organizers and categories, if they have one in it. Default: the language of each event. */
  readonly names_language?: string | undefined
  /** Only events that have no venue, no picture, or a picture without a text alternative; that may be a double: another event has the same title and start; or whose original changed after a translation. Except `no-venue`, a check looks at the first 1,000 events of the list. */
  readonly check?: 'no-venue' | 'no-picture' | 'no-alt-text' | 'double' | 'outdated' | undefined
}

/** What the query of `countEvents` may have. */
export interface CountEventsQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Events that start on or after this date. */
  readonly start_date?: string | undefined
  /** Events that end on or before this date. */
  readonly end_date?: string | undefined
  /** Events that start before this date. */
  readonly starts_before?: string | undefined
  /** Events that start after this date. */
  readonly starts_after?: string | undefined
  /** Events that end before this date. */
  readonly ends_before?: string | undefined
  /** Events that end after this date. */
  readonly ends_after?: string | undefined
  /** Whether the times in dates count; otherwise whole days are meant. */
  readonly strict_dates?: boolean | undefined
  /** Events with these words in their title, description or excerpt. */
  readonly search?: string | undefined
  /** Events in one of these categories or their subcategories: ids, slugs or names. */
  readonly categories?: number | string | readonly (number | string)[] | undefined
  /** Events with one of these tags: ids, slugs or names. */
  readonly tags?: number | string | readonly (number | string)[] | undefined
  /** Events at one of these venues: ids. */
  readonly venue?: number | readonly number[] | undefined
  /** Events by one of these organizers: ids. */
  readonly organizer?: number | readonly number[] | undefined
  /** Featured events only, or only those that are not. */
  readonly featured?: boolean | undefined
  /** Records of this status; several may be named. */
  readonly status?: Status | 'any' | readonly (Status | 'any')[] | undefined
  /** Events whose venue has coordinates. */
  readonly geoloc?: boolean | undefined
  /** Latitude of the point to search around, in degrees. */
  readonly geoloc_lat?: number | undefined
  /** Longitude of the point to search around, in degrees. */
  readonly geoloc_lng?: number | undefined
  /** Events that offer tickets. */
  readonly ticketed?: boolean | undefined
  /** The greatest distance between this point and the event’s venue, in kilometres. */
  readonly geoloc_radius?: number | undefined
  /** Only dates of one of these series: ids of series. */
  readonly series?: number | readonly number[] | undefined
  /** Which dates of a series the list shows: `each`, or only the `next` one, which is the first one that the list would show. */
  readonly occurrences?: 'each' | 'next' | undefined
  /** Only events with one of these statuses, separated by commas. Also accepted: the spelling `cancelled` and the names of schema.org. */
  readonly event_status?:
    | 'scheduled'
    | 'canceled'
    | 'postponed'
    | 'rescheduled'
    | 'moved_online'
    | readonly ('scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online')[]
    | undefined
  /** Only events that people attend in one of these ways, separated by commas. */
  readonly attendance?: 'offline' | 'online' | 'mixed' | readonly ('offline' | 'online' | 'mixed')[] | undefined
  /** Records that were changed after this time. Without an offset, it is in UTC. */
  readonly modified_after?: string | undefined
  /** Records that were changed before this time. Without an offset, it is in UTC. */
  readonly modified_before?: string | undefined
  /** What the list is ordered by: the start, the title, the status (draft, future, pending, private, publish, trash), the last change, the publication or the order in which the service stored the events. */
  readonly orderby?: 'start' | 'title' | 'status' | 'modified' | 'published' | 'created' | undefined
  /** Ascending or descending. By default, changes, publications and stored events are descending, others ascending. */
  readonly order?: 'asc' | 'desc' | undefined
  /** Only events that exist in no form of this language. */
  readonly without_language?: string | undefined
}

/** What the query of `listVenueUsage` may have. */
export interface ListVenueUsageQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Venues with these words in one of their texts. */
  readonly search?: string | undefined
  /** Records of this status; several may be named. */
  readonly status?: Status | 'any' | readonly (Status | 'any')[] | undefined
  /** Only records with events, or only those without. */
  readonly has_events?: boolean | undefined
  /** The order: by name (`title`), or the newest first (`date`). */
  readonly orderby?: 'title' | 'date' | undefined
  /** Only the records that look like another one, at most 50 pairs, in one page. Each names the earlier records that it looks like. */
  readonly alike?: boolean | undefined
}

/** What the query of `listOrganizerUsage` may have. */
export interface ListOrganizerUsageQuery {
  /** The page to show; the first is 1. */
  readonly page?: number | undefined
  /** How many records per page, at most 100; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** Organizers with these words in one of their texts. */
  readonly search?: string | undefined
  /** Records of this status; several may be named. */
  readonly status?: Status | 'any' | readonly (Status | 'any')[] | undefined
  /** Only records with events, or only those without. */
  readonly has_events?: boolean | undefined
  /** The order: by name (`title`), or the newest first (`date`). */
  readonly orderby?: 'title' | 'date' | undefined
  /** Only the records that look like another one, at most 50 pairs, in one page. Each names the earlier records that it looks like. */
  readonly alike?: boolean | undefined
}

/** What the query of `listChanges` may have. */
export interface ListChangesQuery {
  /** Where to continue: the cursor in `next`, or in the header `X-Changes-Cursor` of a list. Without it: everything from the beginning. */
  readonly after?: string | undefined
  /** The kinds of items, separated by commas. */
  readonly kinds?:
    | 'event'
    | 'venue'
    | 'organizer'
    | 'category'
    | 'tag'
    | 'series'
    | readonly ('event' | 'venue' | 'organizer' | 'category' | 'tag' | 'series')[]
    | undefined
  /** Only items in this language. */
  readonly language?: string | undefined
  /** Events in one of these categories or their subcategories: ids, slugs or names. */
  readonly categories?: number | string | readonly (number | string)[] | undefined
  /** Events with one of these tags: ids, slugs or names. */
  readonly tags?: number | string | readonly (number | string)[] | undefined
  /** Events at one of these venues: ids. */
  readonly venue?: number | readonly number[] | undefined
  /** Events by one of these organizers: ids. */
  readonly organizer?: number | readonly number[] | undefined
  /** Featured events only, or only those that are not. */
  readonly featured?: boolean | undefined
  /** Whether changes have the whole item, or only its id. */
  readonly data?: 'full' | 'ids' | undefined
  /** Whether events come again when their venue, organizer or series changes. */
  readonly linked?: boolean | undefined
  /** How many records per page, at most 500; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
  /** The number of seconds to wait for a change if there is none. */
  readonly wait?: number | undefined
}

/** What the query of `listRpdeEvents` may have. */
export interface ListRpdeEventsQuery {
  /** The number of the last change that you have. */
  readonly afterChangeNumber?: number | undefined
  /** The log that the number belongs to; `next` has it. */
  readonly log?: string | undefined
}

/** What the query of `importFromSource` may have. */
export interface ImportFromSourceQuery {
  /** Whether to overwrite what was edited here, and to restore what was put in the trash here. */
  readonly force?: boolean | undefined
  /** Whether to only tell what would happen. */
  readonly dry_run?: boolean | undefined
}

/** What the query of `importRecording` may have. */
export interface ImportRecordingQuery {
  /** Whether to only tell what would happen. */
  readonly dry_run?: boolean | undefined
}

/** What the query of `importCalendar` may have. */
export interface ImportCalendarQuery {
  /** Whether to overwrite what was edited here, and to restore what was put in the trash here. */
  readonly force?: boolean | undefined
  /** Whether to only tell what would happen. */
  readonly dry_run?: boolean | undefined
}

/** What the query of `listAuditEntries` may have. */
export interface ListAuditEntriesQuery {
  /** Only changes to this kind of item. */
  readonly kind?:
    | 'event'
    | 'venue'
    | 'organizer'
    | 'category'
    | 'tag'
    | 'media'
    | 'series'
    | 'user'
    | 'cancellation'
    | 'audit'
    | undefined
  /** Only changes to the item with this id; needs `kind`. */
  readonly id?: number | undefined
  /** Only changes by this user (id or name), or by `cli`, `import` or `service`. */
  readonly actor?: string | undefined
  /** Only changes of this sort. */
  readonly action?: 'create' | 'upload' | 'update' | 'trash' | 'restore' | 'delete' | 'prune' | undefined
  /** Only changes at this time or later: a date, or a time with its UTC offset. */
  readonly from?: string | undefined
  /** Only changes at this time or earlier: a date, or a time with its UTC offset. */
  readonly to?: string | undefined
  /** Where the page begins: `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** How many records per page, at most 500; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

/** What the query of `listEventHistory` may have. */
export interface ListEventHistoryQuery {
  /** Where the page begins: `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** How many records per page, at most 500; higher numbers count as the maximum. */
  readonly per_page?: number | undefined
}

/** Every code with which the service names what went wrong. */
export type ProblemCode =
  | 'batch-failed'
  | 'batch-operation-refused'
  | 'batch-reference-failed'
  | 'batch-too-long'
  | 'beyond-key-scope'
  | 'beyond-own-key'
  | 'cancellation-not-found'
  | 'could-not-create-organizer'
  | 'could-not-create-venue'
  | 'could-not-update-organizer'
  | 'could-not-update-venue'
  | 'current-password-wrong'
  | 'db_insert_error'
  | 'duplicate_term_slug'
  | 'empty_term_name'
  | 'event-archive-page-not-found'
  | 'event-is-in-trash'
  | 'event-is-over'
  | 'event-no-longer-available'
  | 'event-not-accessible'
  | 'event-password-protected'
  | 'external-id-exists'
  | 'external-id-not-found'
  | 'idempotency-key-invalid'
  | 'idempotency-key-reused'
  | 'incorrect_password'
  | 'internal_server_error'
  | 'key-not-found'
  | 'last-administrator'
  | 'link-not-valid'
  | 'media-in-use'
  | 'media-no-file'
  | 'media-not-found'
  | 'media-refused'
  | 'merge-not-found'
  | 'ml_translation_exists'
  | 'not-a-calendar'
  | 'not-a-table'
  | 'oembed_invalid_url'
  | 'organizer-archive-page-not-found'
  | 'organizer-is-in-trash'
  | 'organizer-not-accessible'
  | 'picture-not-fetched'
  | 'precondition-failed'
  | 'precondition-required'
  | 'query-too-dear'
  | 'quota-exceeded'
  | 'record-not-found'
  | 'record-not-in-trash'
  | 'rest-event-not-found'
  | 'rest-invalid-event-id'
  | 'rest_bad_request'
  | 'rest_callback_invalid'
  | 'rest_cookie_invalid_nonce'
  | 'rest_forbidden'
  | 'rest_headers_too_large'
  | 'rest_invalid_json'
  | 'rest_invalid_namespace'
  | 'rest_invalid_param'
  | 'rest_missing_callback_param'
  | 'rest_no_route'
  | 'rest_request_timeout'
  | 'rest_request_too_large'
  | 'rest_taxonomy_not_hierarchical'
  | 'rest_too_many_requests'
  | 'rest_unknown_host'
  | 'rest_uri_too_long'
  | 'series-date-not-found'
  | 'series-dates-in-use'
  | 'series-invalid-rule'
  | 'series-is-in-trash'
  | 'series-no-dates'
  | 'series-not-found'
  | 'series-scope'
  | 'series-too-many-dates'
  | 'service_unavailable'
  | 'session-not-found'
  | 'session-required'
  | 'sign-in-failed'
  | 'source-of-another-user'
  | 'sync-expired'
  | 'term_exists'
  | 'too-many-keys'
  | 'too-many-subscriptions'
  | 'too-many-views'
  | 'user-exists'
  | 'user-has-records'
  | 'user-not-found'
  | 'venue-archive-page-not-found'
  | 'venue-is-in-trash'
  | 'venue-not-accessible'
