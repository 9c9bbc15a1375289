import type { Addresses } from '../../access/http/addresses.ts'
import { jsonLdDescription, jsonLdName, jsonLdText } from '../../base/text/escape.ts'
import { defineDirectory } from '../directory/directory.definition.ts'
import { presentEntryHead, presentEntryTail, presentEntryTexts } from '../directory/directory.present.ts'
import type { DirectoryEntry, EntryView } from '../directory/directory.ts'
import { fieldStore } from '../directory/field.repository.ts'
import { fieldPresenter } from '../directory/field.ts'
import { pictureUrl } from '../media/media.present.ts'
import { postalAddress, thing } from '../records/structured.data.ts'
import { venueFields } from './venue.fields.ts'
import type { PlaceJsonLd, VenueJson } from './venue.schema.ts'
import { changeVenue, type VenueFields } from './venue.ts'

const presentBody = fieldPresenter(venueFields, 'body')
const presentEnd = fieldPresenter(venueFields, 'end')

/** Returns a venue as clients read it, with keys in the order of the contract (venues-organizers.md §2). */
function presentVenue(entry: DirectoryEntry<VenueFields>, view: EntryView): VenueJson {
  const { fields } = entry
  // Contract: only if both are known and neither is zero.
  const isPlaced = Boolean(fields.latitude && fields.longitude)
  return {
    ...presentEntryHead(entry, view),
    venue: entry.titleHtml,
    ...presentEntryTexts(entry, view),
    ...presentBody(isPlaced ? fields : { ...fields, latitude: null, longitude: null }),
    ...(view.hasJsonLd ? { json_ld: presentPlaceJsonLd(entry, view.addresses) } : {}),
    ...presentEnd(fields),
    ...presentEntryTail(entry, view),
  }
}

/** Returns a venue in schema.org terms (venues-organizers.md §2.1). */
function presentPlaceJsonLd(entry: DirectoryEntry<VenueFields>, addresses: Addresses): PlaceJsonLd {
  const { titleHtml, contentHtml, image, fields } = entry
  return thing('Place', {
    name: jsonLdName(titleHtml),
    description: jsonLdDescription(contentHtml),
    image: image && pictureUrl(addresses, image.file),
    url: '',
    address: postalAddress(fields, jsonLdText),
    telephone: jsonLdText(fields.phone),
    sameAs: fields.website,
  })
}

/** Venues among the kinds of records that events link to. */
export const venues = defineDirectory({
  kind: 'venue',
  plural: 'venues',
  tag: 'Venues',
  schemas: {
    one: async () => (await import('./venue.schema.ts')).VenueSchema,
    list: async () => (await import('./venue.schema.ts')).VenueListSchema,
    usage: async () => (await import('./venue.schema.ts')).VenueUsageSchema,
    source: async () => (await import('./venue.schema.ts')).VenueSourceSchema,
  },
  fields: venueFields,
  store: fieldStore('venues', venueFields),
  declaredDefault: {},
  change: changeVenue,
  present: presentVenue,
  presentJsonLd: presentPlaceJsonLd,
})
