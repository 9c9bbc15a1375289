import type { OrganizerFields } from '../../calendar/organizers/organizer.ts'
import { isStatus, type RecordStatus } from '../../calendar/records/record.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import type { VenueFields } from '../../calendar/venues/venue.ts'
import { decodeRenderedEntities } from './rendered.ts'
import type { SourceEntry, SourceLocation, SourceTerm } from './source.ts'
import type { TecOrganizer, TecTerm, TecVenue } from './tec.schema.ts'
import { globalIdOf, pageSchemes, readWebsite, sharedFields, singleLine, trimmedText } from './tec.values.ts'

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
  const url = trimmedText(raw)
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

export function parseTecTerm(term: TecTerm, taxonomy: Taxonomy, site: string, place: SourceLocation): SourceTerm {
  return {
    ...place,
    taxonomy,
    source: `${site}?term=${term.id}`,
    name: decodeRenderedEntities(term.name),
    slug: trimmedText(term.slug),
    description: decodeRenderedEntities(trimmedText(term.description)),
    parent: taxonomy === 'category' && term.parent ? `${site}?term=${term.parent}` : undefined,
  }
}

export function parseTecVenue(sent: TecVenue, site: string, place: SourceLocation): SourceEntry<VenueFields> {
  const website = readWebsite(sent.website, sent.url, pageSchemes)
  const latitude = degrees(sent.geo_lat, 90)
  const longitude = degrees(sent.geo_lng, 180)
  const isPlaced = latitude !== undefined && longitude !== undefined
  const fields = {
    address: singleLine(sent.address),
    city: singleLine(sent.city),
    country: singleLine(sent.country),
    province: singleLine(sent.province),
    state: singleLine(sent.state),
    stateprovince: singleLine(sent.stateprovince),
    zip: singleLine(sent.zip),
    phone: singleLine(sent.phone),
    website: website.isOwnPage ? '' : website.url,
    show_map: sent.show_map ?? true,
    show_map_link: sent.show_map_link ?? true,
    geo_lat: isPlaced ? latitude : null,
    geo_lng: isPlaced ? longitude : null,
  }
  const name = decodeRenderedEntities(trimmedText(sent.venue))
  const standIn = name.trim() === '' ? placeName(fields) || `Venue ${sent.id}` : undefined
  return {
    ...sharedFields(sent, entryStatus(sent.status), site, place),
    name: standIn ?? name,
    fields,
    remarks: [
      ...website.remarks,
      ...(standIn === undefined ? [] : [`the venue ${sent.id} has no name and was named “${standIn}”`]),
    ],
  }
}

/** The source has venues without a name, which we have not: where it is says which it is. */
function placeName({ address, city, province, state, stateprovince, country }: Partial<VenueFields>): string {
  return [address, city, stateprovince || state || province, country].filter(Boolean).join(', ')
}

export function parseTecOrganizer(
  sent: TecOrganizer,
  site: string,
  place: SourceLocation,
): SourceEntry<OrganizerFields> {
  const website = readWebsite(sent.website, sent.url, pageSchemes)
  const email = singleLine(sent.email)
  const name = decodeRenderedEntities(trimmedText(sent.organizer))
  const standIn = name.trim() === '' ? email || `Organizer ${sent.id}` : undefined
  return {
    ...sharedFields(sent, entryStatus(sent.status), site, place),
    name: standIn ?? name,
    fields: { phone: singleLine(sent.phone), website: website.isOwnPage ? '' : website.url, email },
    remarks: [
      ...website.remarks,
      ...(standIn === undefined ? [] : [`the organizer ${sent.id} has no name and was named “${standIn}”`]),
    ],
  }
}

/** Venues and organizers of an unknown state are of no use to a published event: they are taken as published. */
function entryStatus(raw: unknown): RecordStatus {
  return isStatus(raw) ? raw : 'publish'
}

function degrees(raw: unknown, most: number): number | undefined {
  const number = Number.parseFloat(trimmedText(raw))
  return Math.abs(number) <= most ? number : undefined
}
