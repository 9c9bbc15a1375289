import { type Form, isObject } from '../pull/pull.lists.ts'
import { trimmedText } from './tec.values.ts'

// A pulled record has two forms: the raw one, which only an administrator sees, and the one for visitors. They are
// merged into one recorded answer, so that one reader reads all.

/** What identifies the records of a site: the beginning of their global ids, and an address of its interface. */
export interface SiteNames {
  readonly host: string
  readonly restUrl: string
}

/** The fields of an entry in its raw form, by their names in recorded answers. */
export const rawFields = {
  venue: {
    ...{ address: '_VenueAddress', city: '_VenueCity', country: '_VenueCountry', province: '_VenueProvince' },
    ...{ state: '_VenueState', stateprovince: '_VenueStateProvince', zip: '_VenueZip', phone: '_VenuePhone' },
    ...{ website: '_VenueURL', geo_lat: '_VenueLat', geo_lng: '_VenueLng' },
  },
  organizer: { phone: '_OrganizerPhone', website: '_OrganizerWebsite', email: '_OrganizerEmail' },
} as const

/** Returns an event as a recorded answer. The raw form counts, except for what it lacks. */
export function mergedEvent(raw: Form | undefined, v1: Form | undefined, names: SiteNames): Form {
  if (!raw) return v1 ?? {}
  const meta = isObject(raw.meta) ? raw.meta : {}
  const shared = sharedForm(raw, names)
  const state = {
    event_status: trimmedText(meta._tribe_events_status) || undefined,
    event_status_reason: trimmedText(meta._tribe_events_status_reason) || undefined,
  }
  const texts = { title: textOf(raw.title), description: textOf(raw.content), excerpt: textOf(raw.excerpt) }
  if (v1) return { ...v1, ...shared, ...texts, ...state }
  return {
    ...{ ...shared, ...texts, ...state, rest_url: names.restUrl },
    ...{ start_date: trimmedText(meta._EventStartDate), end_date: trimmedText(meta._EventEndDate) },
    ...{ utc_start_date: meta._EventStartDateUTC, timezone: trimmedText(meta._EventTimezone) },
    ...{ all_day: isOn(meta._EventAllDay), hide_from_listings: isOn(meta._EventHideFromUpcoming) },
    ...{ cost: costOf(meta), website: trimmedText(meta._EventURL) },
    ...{ show_map: isOn(meta._EventShowMap), show_map_link: isOn(meta._EventShowMapLink) },
    ...{ featured: isOn(meta._tribe_featured), sticky: Number(raw.menu_order) === -1 },
    categories: idsOf(raw.tribe_events_cat).map((id) => ({ id, name: '', parent: 0 })),
    tags: idsOf(raw.tags).map((id) => ({ id, name: '' })),
    venue: idsOf(meta._EventVenueID).map((id) => ({ id, global_id: `${names.host}?id=${id}` })),
    organizer: idsOf(meta._EventOrganizerID).map((id) => ({ id, global_id: `${names.host}?id=${id}` })),
  }
}

/** Returns the ids of the venues and organizers of an event in its raw form. */
export function entryIdsOf({ meta }: Form): readonly number[] {
  return isObject(meta) ? [...idsOf(meta._EventVenueID), ...idsOf(meta._EventOrganizerID)] : []
}

/** Returns a venue or an organizer as an item of a recorded list. */
export function mergedEntry(
  { kind, names }: { readonly kind: 'venue' | 'organizer'; readonly names: SiteNames },
  raw: Form | undefined,
  v1: Form | undefined,
) {
  if (!raw) return v1 ?? {}
  const meta = isObject(raw.meta) ? raw.meta : {}
  const shared = { ...sharedForm(raw, names), [kind]: textOf(raw.title), description: textOf(raw.content) }
  if (v1) return { ...v1, ...shared }
  return { ...shared, ...Object.fromEntries(Object.entries(rawFields[kind]).map(([name, key]) => [name, meta[key]])) }
}

function sharedForm(raw: Form, { host }: SiteNames): Form {
  const { id, status } = raw
  const isPublished = status !== 'draft' && status !== 'pending'
  return {
    ...{ id, global_id: `${host}?id=${id}`, status, slug: trimmedText(raw.slug).replace(/__trashed$/, '') },
    ...{ date: momentOf(raw.date), date_utc: isPublished ? momentOf(raw.date_gmt) : '' },
    // The other form has none for drafts.
    ...{ modified_utc: momentOf(raw.modified_gmt), image: false },
  }
}

/** Returns a moment as recorded answers have it. */
function momentOf(raw: unknown): string {
  return trimmedText(raw).replace('T', ' ')
}

/** Returns a text as it was typed. */
export function textOf(raw: unknown): string {
  return isObject(raw) ? trimmedText(raw.raw ?? raw.rendered) : trimmedText(raw)
}

/** Returns ids, also from a list that is stored as text. */
function idsOf(raw: unknown): readonly number[] {
  const items = Array.isArray(raw) ? raw : trimmedText(raw).split(',')
  return items.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
}

function isOn(raw: unknown): boolean {
  return raw === true || ['1', 'yes', 'true'].includes(trimmedText(raw))
}

function costOf(meta: Form): string {
  const cost = trimmedText(meta._EventCost)
  const symbol = trimmedText(meta._EventCurrencySymbol)
  if (!/^[\d.,]+$/.test(cost)) return cost
  return meta._EventCurrencyPosition === 'postfix' || meta._EventCurrencyPosition === 'suffix'
    ? `${cost}${symbol}`
    : `${symbol}${cost}`
}
