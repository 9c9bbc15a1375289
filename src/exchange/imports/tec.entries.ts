import type { OrganizerFields } from '../../calendar/organizers/organizer.ts'
import { isStatus, type Status } from '../../calendar/records/record.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import type { VenueFields } from '../../calendar/venues/venue.ts'
import { unrendered } from './rendered.ts'
import type { Place, SourceEntry, SourceTerm } from './source.ts'
import type { TecOrganizer, TecTerm, TecVenue } from './tec.schema.ts'
import { globalIdOf, lineOf, pageSchemes, readWebsite, shared, textOf } from './tec.values.ts'

// Terms, venues and organizers of recorded answers, in events and in lists of their own.

/** The site of a term: the host of its address in the API, or of its page. */
export function siteOfTerm({ url, urls }: TecTerm): string | undefined {
  return hostOf(urls?.self) ?? hostOf(url)
}

/** The site of a venue or an organizer: what its global id begins with, or the host of its page. */
export function siteOfEntry({ global_id, url }: TecVenue | TecOrganizer): string | undefined {
  return globalIdOf(global_id)?.replace(/\?.*/, '') ?? hostOf(url)
}

function hostOf(raw: unknown): string | undefined {
  const url = textOf(raw)
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

export function readTerm(term: TecTerm, taxonomy: Taxonomy, site: string, place: Place): SourceTerm {
  return {
    ...place,
    taxonomy,
    source: `${site}?term=${term.id}`,
    name: unrendered(term.name),
    slug: textOf(term.slug),
    description: unrendered(textOf(term.description)),
    parent: taxonomy === 'category' && term.parent ? `${site}?term=${term.parent}` : undefined,
  }
}

export function readVenue(sent: TecVenue, site: string, place: Place): SourceEntry<VenueFields> {
  const website = readWebsite(sent.website, sent.url, pageSchemes)
  const latitude = degrees(sent.geo_lat, 90)
  const longitude = degrees(sent.geo_lng, 180)
  const isPlaced = latitude !== undefined && longitude !== undefined
  const fields = {
    address: lineOf(sent.address),
    city: lineOf(sent.city),
    country: lineOf(sent.country),
    province: lineOf(sent.province),
    state: lineOf(sent.state),
    stateprovince: lineOf(sent.stateprovince),
    zip: lineOf(sent.zip),
    phone: lineOf(sent.phone),
    website: website.isOwnPage ? '' : website.url,
    show_map: sent.show_map ?? true,
    show_map_link: sent.show_map_link ?? true,
    geo_lat: isPlaced ? latitude : null,
    geo_lng: isPlaced ? longitude : null,
  }
  const name = unrendered(textOf(sent.venue))
  const standIn = name.trim() === '' ? placeName(fields) || `Venue ${sent.id}` : undefined
  return {
    ...shared(sent, entryStatus(sent.status), site, place),
    name: standIn ?? name,
    fields,
    remarks: [
      ...website.remarks,
      ...(standIn === undefined ? [] : [`the venue ${sent.id} has no name and is called “${standIn}”`]),
    ],
  }
}

/** The source has venues without a name, which we have not: where it is says which it is. */
function placeName({ address, city, province, state, stateprovince, country }: Partial<VenueFields>): string {
  return [address, city, stateprovince || state || province, country].filter(Boolean).join(', ')
}

export function readOrganizer(sent: TecOrganizer, site: string, place: Place): SourceEntry<OrganizerFields> {
  const website = readWebsite(sent.website, sent.url, pageSchemes)
  const email = lineOf(sent.email)
  const name = unrendered(textOf(sent.organizer))
  const standIn = name.trim() === '' ? email || `Organizer ${sent.id}` : undefined
  return {
    ...shared(sent, entryStatus(sent.status), site, place),
    name: standIn ?? name,
    fields: { phone: lineOf(sent.phone), website: website.isOwnPage ? '' : website.url, email },
    remarks: [
      ...website.remarks,
      ...(standIn === undefined ? [] : [`the organizer ${sent.id} has no name and is called “${standIn}”`]),
    ],
  }
}

/** Venues and organizers of an unknown state are of no use to a published event: they are taken as published. */
function entryStatus(raw: unknown): Status {
  return isStatus(raw) ? raw : 'publish'
}

function degrees(raw: unknown, most: number): number | undefined {
  const number = Number.parseFloat(textOf(raw))
  return Math.abs(number) <= most ? number : undefined
}
