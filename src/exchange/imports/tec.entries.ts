import type { EntryValues, FieldTable } from '../../calendar/directory/field.ts'
import { organizerFields } from '../../calendar/organizers/organizer.fields.ts'
import type { OrganizerFields } from '../../calendar/organizers/organizer.ts'
import { isStatus, type RecordStatus } from '../../calendar/records/record.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import { venueFields } from '../../calendar/venues/venue.fields.ts'
import type { VenueFields } from '../../calendar/venues/venue.ts'
import type { ImportKey, ImportText } from './import.texts.ts'
import { decodeRenderedEntities } from './rendered.ts'
import type { SourceEntry, SourceOrigin, SourceTerm } from './source.ts'
import type { TecOrganizer, TecTerm, TecVenue } from './tec.schema.ts'
import { globalIdOf, pageSchemes, readWebsite, sharedFields, singleLine, trimmedText } from './tec.values.ts'

// Terms, venues and organizers of recorded responses, in events and in lists of their own.

/** Returns the site of a term: the host of its address in the API, or of its page. */
export function siteOfTerm({ url, urls }: TecTerm): string | undefined {
  return hostOf(urls?.self) ?? hostOf(url)
}

/** Returns the site of a venue or an organizer: the beginning of its global id, or the host of its page. */
export function siteOfEntry({ global_id, url }: TecVenue | TecOrganizer): string | undefined {
  return globalIdOf(global_id)?.replace(/\?.*/, '') ?? hostOf(url)
}

function hostOf(raw: unknown): string | undefined {
  const url = trimmedText(raw)
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

export function parseTecTerm(term: TecTerm, taxonomy: Taxonomy, { site, ...place }: SourceOrigin): SourceTerm {
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

export function parseTecVenue(sent: TecVenue, origin: SourceOrigin): SourceEntry<VenueFields> {
  const website = readWebsite(sent.website, sent.url, pageSchemes)
  const latitude = degrees(sent.geo_lat, 90)
  const longitude = degrees(sent.geo_lng, 180)
  const isPlaced = latitude !== undefined && longitude !== undefined
  const fields = {
    ...readFields(venueFields, sent),
    website: website.isOwnPage ? '' : website.url,
    latitude: isPlaced ? latitude : null,
    longitude: isPlaced ? longitude : null,
  }
  const { name, remarks } = nameOrStandIn(sent.venue, placeName(fields) || `Venue ${sent.id}`, {
    key: 'import.no-name.venue',
    id: sent.id,
  })
  const shared = sharedFields(sent, entryStatus(sent.status), origin)
  return { ...shared, name, fields, remarks: [...website.remarks, ...remarks] }
}

/** Returns a name from the address. */
function placeName({ address, city, province, state, region, country }: VenueFields): string {
  return [address, city, region || state || province, country].filter(Boolean).join(', ')
}

export function parseTecOrganizer(sent: TecOrganizer, origin: SourceOrigin): SourceEntry<OrganizerFields> {
  const website = readWebsite(sent.website, sent.url, pageSchemes)
  const fields = { ...readFields(organizerFields, sent), website: website.isOwnPage ? '' : website.url }
  const standIn = fields.email || `Organizer ${sent.id}`
  const { name, remarks } = nameOrStandIn(sent.organizer, standIn, { key: 'import.no-name.organizer', id: sent.id })
  const shared = sharedFields(sent, entryStatus(sent.status), origin)
  return { ...shared, name, fields, remarks: [...website.remarks, ...remarks] }
}

/** Returns the name of an entry, which the source may leave out and this service does not. */
function nameOrStandIn(raw: unknown, standIn: string, { key, id }: { readonly key: ImportKey; readonly id: number }) {
  const name = decodeRenderedEntities(trimmedText(raw))
  const remarks: readonly ImportText[] = name.trim() === '' ? [{ key, values: { id, name: standIn } }] : []
  return { name: remarks.length > 0 ? standIn : name, remarks }
}

/** Reads the fields of an entry according to its table. Missing fields are blank. */
function readFields<T extends FieldTable>(table: T, sent: Readonly<Record<string, unknown>>): EntryValues<T> {
  const values = Object.entries(table).map(([property, { name, kind, blank }]) => {
    const raw = sent[name]
    return [property, kind === 'line' ? singleLine(raw) : kind === 'flag' ? (raw ?? blank) : blank]
  })
  return Object.fromEntries(values) as EntryValues<T>
}

/**
 * Returns the status of an entry. An unknown status becomes published, since a published event needs its venue and
 * organizers.
 */
function entryStatus(raw: unknown): RecordStatus {
  return isStatus(raw) ? raw : 'publish'
}

function degrees(raw: unknown, most: number): number | undefined {
  const number = Number.parseFloat(trimmedText(raw))
  return Math.abs(number) <= most ? number : undefined
}
