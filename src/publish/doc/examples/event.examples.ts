import {
  type Example,
  type Examples,
  type ExamplesByOperation,
  missing,
  notAllowed,
  signedOut,
  wrong,
} from './example.ts'

/** The events of the calendar on which the examples run. */
const jazz = { id: 9, slug: 'jazz-in-the-park' }
const jazzInFrenchId = 14
const storyHour = { id: 10, slug: 'story-hour' }
const rehearsal = { id: 11, slug: 'rehearsal' }
const membersOnly = { id: 12, slug: 'members-only' }
const cancelled = { id: 13, slug: 'cancelled-talk__trashed' }
const unknown = { id: 999, slug: 'no-such-event' }

type ExampleEvent = typeof jazz
type ToParameters = (event: ExampleEvent) => NonNullable<Example['parameters']>

const evening = { start_date: '2030-06-01 19:30:00', end_date: '2030-06-01 23:00:00' }

/** Answers in formats other than JSON have no examples, except for failures, which look the same everywhere. */
const listedOtherwise: Examples = {
  'page-too-far': { parameters: { page: 9 }, problem: { code: 'event-archive-page-not-found' } },
  'invalid-value': { parameters: { start_date: 'someday' }, ...wrong('start_date', 'fault.date') },
}

const listed: Examples = {
  'first-page': { parameters: { per_page: 1 } },
  'between-dates': { parameters: { start_date: '2030-05-10', end_date: '2030-05-31', per_page: 5 } },
  'words-sought': { parameters: { search: 'story' } },
  'near-a-place': {
    parameters: { geoloc: true, geoloc_lat: 45.52, geoloc_lng: -73.58, geoloc_radius: 10, per_page: 1 },
  },
  'in-french': { parameters: { categories: ['music'], '{languageParameter}': 'fr-CA' } },
  'not-public': { as: 'editor', parameters: { status: ['draft', 'private'] } },
  ...listedOtherwise,
}

const created: Examples = {
  minimal: { as: 'editor', body: { title: 'Open rehearsal', ...evening } },
  'all-day': {
    as: 'editor',
    body: { title: 'Fête de quartier', all_day: true, start_date: '2030-06-24', end_date: '2030-06-24' },
  },
  rich: {
    as: 'editor',
    body: {
      title: 'Rock Night',
      description:
        'The season ends with <a href="https://band.example/">the band</a>.\n\nDoors open at 7 -- "early birds" get a seat.',
      excerpt: 'The season ends.',
      slug: 'rock-night-2030',
      status: 'publish',
      timezone: 'America/Toronto',
      ...evening,
      cost: '$10 - $20',
      website: 'https://tickets.example/rock-night',
      show_map: true,
      show_map_link: true,
      featured: true,
      categories: [2, 'Soirée'],
      tags: [3],
      venue: 1,
      organizer: [6, 5],
    },
  },
  'with-new-records': {
    as: 'editor',
    body: {
      title: 'Book fair',
      ...evening,
      venue: { venue: 'Bibliothèque du Plateau', address: '465, avenue du Mont-Royal Est', city: 'Montréal' },
      organizer: { organizer: 'Les Amis du livre', email: 'bonjour@livre.example' },
    },
  },
  'a-translation': {
    as: 'editor',
    parameters: { '{languageParameter}': 'fr-CA' },
    body: { '{translationOf}': storyHour.id, title: 'L’heure du conte' },
  },
  'a-second-translation': {
    as: 'editor',
    parameters: { '{languageParameter}': 'fr-CA' },
    body: { '{translationOf}': jazz.id, title: 'Jazz encore' },
    problem: { code: 'ml_translation_exists', details: { id: jazzInFrenchId } },
  },
  'missing-value': { as: 'editor', body: { title: 'Open rehearsal' }, ...missing('start_date', 'end_date') },
  'invalid-value': {
    as: 'editor',
    body: { title: 'Open rehearsal', ...evening, timezone: 'Montreal' },
    ...wrong('timezone', 'fault.timezone'),
  },
  'signed-out': { body: { title: 'Open rehearsal', ...evening }, ...signedOut },
  'not-allowed': { body: { title: 'Open rehearsal', ...evening }, ...notAllowed },
}

const read = (by: ToParameters): Examples => ({
  'one-record': { parameters: by(jazz) },
  'in-french': { parameters: { ...by(jazz), '{languageParameter}': 'fr-CA' } },
  private: { parameters: by(rehearsal), problem: { code: 'event-not-accessible' } },
  'without-password': { parameters: by(membersOnly), problem: { code: 'event-password-protected' } },
  'in-trash': { parameters: by(cancelled), problem: { code: 'event-no-longer-available' } },
})

const changed = (by: ToParameters): Examples => ({
  'one-value': { as: 'editor', parameters: by(jazz), body: { title: 'Jazz by the River' } },
  'other-dates': {
    as: 'editor',
    parameters: by(storyHour),
    body: { start_date: '2030-05-12 10:00:00', end_date: '2030-05-12 11:00:00' },
  },
  cancel: {
    as: 'editor',
    parameters: by(storyHour),
    body: { event_status: 'canceled', event_status_reason: 'Our storyteller is ill.' },
  },
  'without-links': { as: 'editor', parameters: by(jazz), body: { venue: null, organizer: null, cost: null } },
  'invalid-value': {
    as: 'editor',
    parameters: by(jazz),
    body: { end_date: 'someday' },
    ...wrong('end_date', 'fault.date'),
  },
  'signed-out': { parameters: by(jazz), body: { title: 'Jazz by the River' }, ...signedOut },
  'not-allowed': { parameters: by(jazz), body: { title: 'Jazz by the River' }, ...notAllowed },
  unknown: {
    as: 'editor',
    parameters: by(unknown),
    body: { title: 'Jazz by the River' },
    problem: { code: 'rest-event-not-found' },
  },
})

const trashed = (by: ToParameters): Examples => ({
  remove: { as: 'editor', parameters: by(storyHour) },
  'in-trash': { as: 'editor', parameters: by(cancelled), problem: { code: 'event-is-in-trash' } },
  'signed-out': { parameters: by(jazz), ...signedOut },
  'not-allowed': { parameters: by(jazz), ...notAllowed },
})

const byId: ToParameters = ({ id }) => ({ id })
const bySlug: ToParameters = ({ slug }) => ({ slug })
const noEvent = { parameters: byId(unknown), problem: { code: 'rest-event-not-found' } } as const
const noSlug = { parameters: bySlug(unknown), ...wrong('slug', 'fault.unknown-event') }

export const eventExamples: ExamplesByOperation = {
  listEvents: listed,
  listEventsAsCalendar: listedOtherwise,
  listEventsAsRss: listedOtherwise,
  listEventsAsAtom: listedOtherwise,
  listEventsAsTable: listedOtherwise,
  createEvent: created,
  getEvent: {
    ...read(byId),
    'with-password': { parameters: { ...byId(membersOnly), password: 'open sesame' } },
    unknown: noEvent,
  },
  trashEvent: { ...trashed(byId), unknown: { as: 'editor', ...noEvent } },
  changeEvent: changed(byId),
  getEventBySlug: { ...read(bySlug), unknown: noSlug },
  trashEventBySlug: { ...trashed(bySlug), unknown: { as: 'editor', ...noSlug } },
  changeEventBySlug: changed(bySlug),
}
