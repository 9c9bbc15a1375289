import type { Text } from '../plural.ts'

/** The texts of the desk about venues, organizers, categories and tags. `{name}` is replaced by a value. */
export const deskRecordTexts = {
  'nav.venues': 'Venues',
  'nav.organizers': 'Organizers',
  cancel: 'Cancel',

  'venues.title': 'Venues',
  'venues.new': 'New venue',
  'venues.edit': 'Edit venue',
  'venues.count': { zero: 'No venues', one: '1 venue', other: '{count} venues' },
  'venues.details': 'Address and contact',
  'venues.exists': 'A venue of this name exists. Search the list, and edit that one.',
  'venues.saved': 'The venue is saved.',
  'venues.trashed': 'The venue is in the trash.',
  'venues.restored': 'The venue is back.',
  'venues.used.text': {
    one: 'One event takes place there. Move it to another venue first. Otherwise the event shows no venue.',
    other: '{count} events take place there. Move them to another venue first. Otherwise they show no venue.',
  },

  'organizers.title': 'Organizers',
  'organizers.new': 'New organizer',
  'organizers.edit': 'Edit organizer',
  'organizers.count': { zero: 'No organizers', one: '1 organizer', other: '{count} organizers' },
  'organizers.details': 'Contact',
  'organizers.exists': 'An organizer of this name exists. Search the list, and edit that one.',
  'organizers.saved': 'The organizer is saved.',
  'organizers.trashed': 'The organizer is in the trash.',
  'organizers.restored': 'The organizer is back.',
  'organizers.used.text': {
    one: 'One event has this organizer. Move it to another organizer first. Otherwise the event no longer shows this one.',
    other:
      '{count} events have this organizer. Move them to another organizer first. Otherwise they no longer show this one.',
  },

  'records.name': 'Name',
  'records.address': 'Street address',
  'records.city': 'City',
  'records.province': 'Province or state',
  'records.zip': 'Postal code',
  'records.country': 'Country',
  'records.phone': 'Phone',
  'records.website': 'Website',
  'records.website.hint': 'The whole address, for example https://example.org.',
  'records.latitude': 'Latitude',
  'records.latitude.hint': 'In degrees, for example 45.5088. Leave both coordinates empty if you do not know them.',
  'records.longitude': 'Longitude',
  'records.longitude.hint': 'In degrees, for example -73.5617.',
  'records.degrees': 'Enter degrees as a number, for example 45.5088.',
  'records.show-map': 'Show a map on the pages of events',
  'records.show-map-link': 'Show a link to a map',
  'records.use': 'Events',
  'records.used': 'With events',
  'records.unused': 'Without events',
  'records.none': 'Nothing matches. Remove a filter, or make a new entry.',
  'records.required': 'Only the name is required.',
  'records.shared': 'Phone, postal code and coordinates are those of the original.',
  'records.translation': 'New translation: {language}',
  'records.conflict': 'Someone else has saved this entry in the meantime',
  'records.gone': 'This entry does not exist, or you may not change it.',
  'records.used.title': '“{name}” has events',
  'records.used.anyway': 'Move to the trash anyway',
} as const satisfies Readonly<Record<string, Text>>

export type DeskRecordKey = keyof typeof deskRecordTexts
