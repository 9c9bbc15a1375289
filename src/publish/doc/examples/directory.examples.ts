import {
  type Example,
  type Examples,
  type ExamplesByOperation,
  missing,
  notAllowed,
  signedOut,
  wrong,
} from './example.ts'

interface ExampleRecord {
  readonly id: number
  readonly slug: string
}

type ToParameters = (record: ExampleRecord) => NonNullable<Example['parameters']>

/** The differences between the examples of venues and those of organizers. */
interface DirectoryExampleData {
  readonly kind: 'venue' | 'organizer'
  readonly open: ExampleRecord
  readonly private: ExampleRecord
  readonly trashed: ExampleRecord
  /** An unused name. */
  readonly newName: string
  readonly richBody: Readonly<Record<string, unknown>>
  readonly otherPhone: string
}

const unknown: ExampleRecord = { id: 999, slug: 'no-such-record' }

const listed = ({ kind }: DirectoryExampleData): Examples => ({
  'first-page': { parameters: { per_page: 1 } },
  'words-sought': { parameters: { search: kind === 'venue' ? 'montreal theatre' : 'laval' } },
  'not-public': { as: 'editor', parameters: { status: ['draft', 'private'] } },
  'page-too-far': { parameters: { page: 9 }, problem: { code: `${kind}-archive-page-not-found` } },
  'invalid-value': { parameters: { page: 0 }, ...wrong('page', 'fault.whole-number') },
})

const created = ({ kind, newName, richBody, otherPhone }: DirectoryExampleData): Examples => ({
  minimal: { as: 'editor', body: { [kind]: newName } },
  rich: { as: 'editor', body: { [kind]: newName, ...richBody } },
  'missing-value': { as: 'editor', body: { phone: otherPhone }, ...missing(kind) },
  'invalid-value': {
    as: 'editor',
    body: { [kind]: newName, website: 'somewhere' },
    ...wrong('website', 'fault.url', { schemes: 'http, https' }),
  },
  'signed-out': { body: { [kind]: newName }, ...signedOut },
  'not-allowed': { body: { [kind]: newName }, ...notAllowed },
})

const read = ({ kind, ...records }: DirectoryExampleData, by: ToParameters, parameter: string): Examples => ({
  'one-record': { parameters: by(records.open) },
  private: { parameters: by(records.private), problem: { code: `${kind}-not-accessible` } },
  unknown: { parameters: by(unknown), ...wrong(parameter, `fault.unknown-${kind}`) },
})

const changed = ({ kind, open, otherPhone }: DirectoryExampleData, by: ToParameters, parameter: string): Examples => ({
  'one-value': { as: 'editor', parameters: by(open), body: { phone: otherPhone } },
  'invalid-value': {
    as: 'editor',
    parameters: by(open),
    body: { website: 'somewhere' },
    ...wrong('website', 'fault.url', { schemes: 'http, https' }),
  },
  'signed-out': { parameters: by(open), body: { phone: otherPhone }, ...signedOut },
  'not-allowed': { parameters: by(open), body: { phone: otherPhone }, ...notAllowed },
  unknown: {
    as: 'editor',
    parameters: by(unknown),
    body: { phone: otherPhone },
    ...wrong(parameter, `fault.unknown-${kind}`),
  },
})

const trashed = ({ kind, ...records }: DirectoryExampleData, by: ToParameters, parameter: string): Examples => ({
  remove: { as: 'editor', parameters: by(records.open) },
  'in-trash': { as: 'editor', parameters: by(records.trashed), problem: { code: `${kind}-is-in-trash` } },
  'signed-out': { parameters: by(records.open), ...signedOut },
  'not-allowed': { parameters: by(records.open), ...notAllowed },
  unknown: { as: 'editor', parameters: by(unknown), ...wrong(parameter, `fault.unknown-${kind}`) },
})

const byId: ToParameters = ({ id }) => ({ id })
const bySlug: ToParameters = ({ slug }) => ({ slug })

const venues: DirectoryExampleData = {
  kind: 'venue',
  open: { id: 1, slug: 'theatre-du-parc' },
  private: { id: 3, slug: 'nouvelle-salle' },
  trashed: { id: 4, slug: 'ancien-cinema__trashed' },
  newName: 'Salle des fêtes',
  richBody: {
    description: 'A hall for 200.',
    address: '1, rue de la Fête',
    city: 'Laval',
    country: 'Canada',
    province: 'QC',
    zip: 'H7N 1A1',
    phone: '450-555-0123',
    website: 'https://fetes.example/',
    geo_lat: 45.558,
    geo_lng: -73.721,
    show_map: true,
    show_map_link: true,
  },
  otherPhone: '514-555-0111',
}

const organizers: DirectoryExampleData = {
  kind: 'organizer',
  open: { id: 5, slug: 'oneil-productions' },
  private: { id: 7, slug: 'comite-secret' },
  trashed: { id: 8, slug: 'ancien-club__trashed' },
  newName: 'Club de lecture',
  richBody: {
    description: 'We read <b>together</b>.',
    phone: '514-555-0188',
    website: 'https://lecture.example/',
    email: 'club@lecture.example',
  },
  otherPhone: '514-555-0122',
}

export const venueExamples: ExamplesByOperation = {
  listVenues: listed(venues),
  createVenue: created(venues),
  getVenue: read(venues, byId, 'id'),
  trashVenue: trashed(venues, byId, 'id'),
  changeVenue: changed(venues, byId, 'id'),
  getVenueBySlug: read(venues, bySlug, 'slug'),
  trashVenueBySlug: trashed(venues, bySlug, 'slug'),
  changeVenueBySlug: changed(venues, bySlug, 'slug'),
}

export const organizerExamples: ExamplesByOperation = {
  listOrganizers: listed(organizers),
  createOrganizer: created(organizers),
  getOrganizer: read(organizers, byId, 'id'),
  trashOrganizer: trashed(organizers, byId, 'id'),
  changeOrganizer: changed(organizers, byId, 'id'),
  getOrganizerBySlug: read(organizers, bySlug, 'slug'),
  trashOrganizerBySlug: trashed(organizers, bySlug, 'slug'),
  changeOrganizerBySlug: changed(organizers, bySlug, 'slug'),
}
