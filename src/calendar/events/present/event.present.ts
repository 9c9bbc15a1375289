import { type Addresses, routeUrl } from '../../../access/http/addresses.ts'
import type { Config } from '../../../base/config/config.ts'
import { dateTimeDetails } from '../../../base/time/local.date.time.ts'
import { abbreviation, epochSecondsOf, localDateTimeAt, utcZone, type Zone } from '../../../base/time/zone.ts'
import { memoizePerObject } from '../../../storage/database/derived.values.ts'
import type { DirectoryEntry } from '../../directory/directory.ts'
import { presentPicture } from '../../media/media.present.ts'
import { organizers } from '../../organizers/organizer.directory.ts'
import type { OrganizerFields } from '../../organizers/organizer.ts'
import { presentGlobalId, presentRecordMetadata, recordUrl } from '../../records/record.present.ts'
import { presentEventTerm } from '../../terms/term.present.ts'
import { presentTranslations } from '../../translations/viewer.ts'
import { venues } from '../../venues/venue.directory.ts'
import type { VenueFields } from '../../venues/venue.ts'
import { presentCost } from '../model/cost.ts'
import { valueFields } from '../model/event.fields.ts'
import type { LinkedEvent, RenderedEvent } from '../model/event.ts'
import { maskedMembers } from '../model/fields.derived.ts'
import { isTicketed, statedCost } from '../model/offers.ts'
import { titleWithStatus } from '../model/state.titles.ts'
import { type PreviousStart, zoneOfPrevious } from '../model/state.ts'
import { presentJsonLd } from './event.jsonld.ts'
import type { EventJson } from './event.schema.ts'
import { presentSeriesOf } from './series.present.ts'

const { virtualUrl, virtualSource, virtualAccess } = valueFields.blank
const withoutAddress = { virtualUrl, virtualSource, virtualAccess }

interface StateView {
  readonly config: Config
  /** Address of the event's own page. */
  readonly url: string
  readonly isMasked: boolean
  /** Whether the caller has signed in, so that addresses for registered people are shown. */
  readonly isSignedIn: boolean
}

/** Returns the members that tell what happens to an event. A scheduled event that people attend on site has none. */
function presentState(event: RenderedEvent, view: StateView): Partial<EventJson> {
  const { config, isMasked, isSignedIn } = view
  const { statusAt, previousStarts, attendance } = event
  const isVirtual = attendance !== 'offline'
  const isUrlHidden = event.virtualAccess === 'registered' && !isSignedIn
  // The address of an event that is on site again is for its writers only.
  const shown = isVirtual || isSignedIn ? event : { ...event, ...withoutAddress }
  return {
    ...(config.hasVirtualKeys ? { is_virtual: false, virtual_url: null, virtual_video_source: '' } : {}),
    ...valueFields.presentOptional(shown, view),
    ...(isUrlHidden && shown.virtualUrl !== '' && !isMasked ? { virtual_url: '' } : {}),
    ...(isVirtual ? { is_virtual: true, virtual_event_type: attendance === 'mixed' ? 'hybrid' : 'virtual' } : {}),
    ...(statusAt === undefined ? {} : { event_status_date: localDateTimeAt(statusAt, config.siteZone) }),
    ...(previousStarts.length > 0 ? { previous_start_dates: previousStarts.map(presentPreviousStart) } : {}),
  }
}

function presentPreviousStart(previous: PreviousStart) {
  const zone = zoneOfPrevious(previous)
  return {
    start_date: previous.start,
    end_date: previous.end,
    timezone: previous.timezone,
    utc_start_date: localDateTimeAt(epochSecondsOf(previous.start, zone), utcZone),
    utc_end_date: localDateTimeAt(epochSecondsOf(previous.end, zone), utcZone),
    until: localDateTimeAt(previous.until, utcZone),
  }
}

/** The kind of response that shows an event. */
export interface EventView {
  readonly config: Config
  readonly addresses: Addresses
  /** The view of a single event. It includes `json_ld` for the event, its venue and its organizers. */
  readonly isSingle?: boolean
  /** Omits the values that the password of the event protects (events.md §6). */
  readonly isMasked?: boolean
  /** Whether the caller has signed in: titles are then bare, and addresses for registered people are shown. */
  readonly isSignedIn?: boolean
}

/** Returns an event as clients read it, with keys in the order of the contract (events.md §2). */
export function presentEvent(event: LinkedEvent, view: EventView): EventJson {
  const { addresses, config, isMasked = false, isSignedIn = false } = view
  const startUtc = localDateTimeAt(event.startUtc, utcZone)
  const endUtc = localDateTimeAt(event.endUtc, utcZone)
  const url = recordUrl(addresses, event)
  return {
    id: event.id,
    ...presentGlobalId(addresses, event),
    ...presentRecordMetadata(event, config.siteZone),
    url,
    rest_url: routeUrl(addresses, `/events/${event.id}`),
    title: isSignedIn ? event.titleHtml : titleWithStatus(event, config, 'v1'),
    description: event.contentHtml,
    excerpt: event.excerptHtml,
    slug: event.slug,
    image: event.image ? presentPicture(addresses, event.image, event.language) : false,
    all_day: event.isAllDay,
    start_date: event.start,
    start_date_details: dateTimeDetails(event.start),
    end_date: event.end,
    end_date_details: dateTimeDetails(event.end),
    utc_start_date: startUtc,
    utc_start_date_details: dateTimeDetails(startUtc),
    utc_end_date: endUtc,
    utc_end_date_details: dateTimeDetails(endUtc),
    timezone: event.zone.name,
    timezone_abbr: abbreviation(event.startUtc, event.zone),
    ...presentPrice(event, config),
    ...valueFields.present(event, { url }),
    categories: event.categories.map((term) => presentTerm(term, addresses)),
    tags: event.tags.map((term) => presentTerm(term, addresses)),
    ...presentLinks(event, view),
    custom_fields: Object.keys(event.customFields).length > 0 ? event.customFields : [],
    ...(event.membership ? presentSeriesOf(event, event.membership, view) : {}),
    ...(isMasked ? maskedMembers : {}),
    ...presentState(event, { config, url, isMasked, isSignedIn }),
    // The name of the provider: tickets are not those of a plugin.
    ...(isTicketed(event.offers) && !isMasked ? { ticketed: ['offers'] } : {}),
    ...(view.isSingle && event.passwordDigest === undefined ? { json_ld: presentJsonLd(event, view) } : {}),
    ...presentTranslations(addresses, event),
  }
}

function presentPrice(event: LinkedEvent, { currencySymbol, currencyPosition, currencyCode }: Config) {
  const { cost, details } = presentCost(statedCost(event, currencyCode), {
    symbol: currencySymbol,
    position: currencyPosition,
  })
  return { cost, cost_details: details }
}

// Many events share the same few terms, venues and organizers. Their JSON is kept between responses: see `listLinked`.
const presentTerm = memoizePerObject(presentEventTerm)
const presentVenue = memoizePerObject((entry: DirectoryEntry<VenueFields>, addresses: Addresses, siteZone: Zone) =>
  venues.present(entry, { addresses, siteZone }),
)
const presentOrganizer = memoizePerObject(
  (entry: DirectoryEntry<OrganizerFields>, addresses: Addresses, siteZone: Zone) =>
    organizers.present(entry, { addresses, siteZone }),
)

/** Contract: one venue is an object, no venue an empty list, several venues a list. */
function presentLinks(event: LinkedEvent, { addresses, config: { siteZone }, isSingle }: EventView) {
  const places = event.venues.map((entry) =>
    isSingle
      ? venues.present(entry, { addresses, siteZone, hasJsonLd: true })
      : presentVenue(entry, addresses, siteZone),
  )
  const [place] = places
  return {
    venue: place && places.length === 1 ? place : places,
    organizer: event.organizers.map((entry) =>
      isSingle
        ? organizers.present(entry, { addresses, siteZone, hasJsonLd: true })
        : presentOrganizer(entry, addresses, siteZone),
    ),
  }
}
