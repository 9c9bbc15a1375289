import type { TSchema } from 'typebox'
import type { OpenApiKey } from '../../base/languages/en/openapi.ts'
import type { ProblemCode } from '../../base/problems.ts'
import { EventListSchema, EventSchema } from '../../calendar/events/event.schema.ts'
import { OrganizerListSchema, OrganizerSchema } from '../../calendar/organizers/organizer.schema.ts'
import { CategoryListSchema, CategorySchema, TagListSchema, TagSchema } from '../../calendar/terms/term.schema.ts'
import { VenueListSchema, VenueSchema } from '../../calendar/venues/venue.schema.ts'
import { FeedSchema } from '../feeds/feed.schema.ts'
import { DocumentSchema, IndexSchema } from './index.schema.ts'

export type ActionName = 'list' | 'create' | 'get' | 'change' | 'remove'

/** What a client can do with a resource, and what may come of it besides the problems that all operations share. */
export interface ActionDescription {
  readonly summary: OpenApiKey
  readonly about?: OpenApiKey
  readonly answer: TSchema
  /** The type of the answer where it is no JSON. */
  readonly type?: string
  readonly problems: readonly ProblemCode[]
  /** One page of many, where its path does not say so. */
  readonly isPaged?: boolean
  /** Answers where the created record is. */
  readonly hasLocation?: boolean
  /** Looks at `context`, which its table of arguments does not name. */
  readonly hasContext?: boolean
}

/** By deed; those on a record named by its slug end in `.slug`. */
export type ActionDescriptions = Readonly<Partial<Record<ActionName | `${ActionName}.slug`, ActionDescription>>>

const unknownEvent = ['rest-invalid-event-id', 'rest-event-not-found'] as const
const unreadableEvent = ['event-no-longer-available', 'event-not-accessible', 'event-password-protected'] as const
const newLinks = ['could-not-create-venue', 'could-not-create-organizer'] as const

/** The list of events in another form. */
function feed(form: 'ics' | 'rss' | 'atom' | 'csv', type: string): ActionDescriptions {
  return {
    get: {
      summary: `events.${form}`,
      about: 'events.feed.about',
      answer: FeedSchema,
      type,
      isPaged: true,
      problems: ['event-archive-page-not-found'],
    },
  }
}

const readEvent = { answer: EventSchema, hasContext: true } as const
const changeEvent = { about: 'change.about', answer: EventSchema } as const
const removeEvent = { about: 'remove.about', answer: EventSchema } as const

const events: ActionDescriptions = {
  list: {
    summary: 'events.list',
    about: 'events.list.about',
    answer: EventListSchema,
    problems: ['event-archive-page-not-found'],
  },
  create: { summary: 'events.create', answer: EventSchema, problems: ['rest_forbidden', ...newLinks] },
  get: { summary: 'events.get', ...readEvent, problems: [...unknownEvent, ...unreadableEvent] },
  change: {
    summary: 'events.change',
    ...changeEvent,
    problems: ['rest_forbidden', ...unknownEvent, ...newLinks],
  },
  remove: {
    summary: 'events.remove',
    ...removeEvent,
    problems: ['rest_forbidden', ...unknownEvent, 'event-is-in-trash'],
  },
  // An unknown slug is a bad parameter, but on changing it is a 404 (events.md §4).
  'get.slug': { summary: 'events.get.slug', ...readEvent, problems: unreadableEvent },
  'change.slug': {
    summary: 'events.change.slug',
    ...changeEvent,
    problems: ['rest_forbidden', 'rest-event-not-found', ...newLinks],
  },
  'remove.slug': {
    summary: 'events.remove.slug',
    ...removeEvent,
    problems: ['rest_forbidden', 'event-is-in-trash'],
  },
}

function directory(plural: 'venues' | 'organizers', answer: TSchema, list: TSchema): ActionDescriptions {
  const kind = plural === 'venues' ? 'venue' : 'organizer'
  const get = { answer, problems: [`${kind}-not-accessible`] } as const
  const write = { answer, problems: ['rest_forbidden', `could-not-create-${kind}`] } as const
  const change = { about: 'change.about', ...write } as const
  const remove = { about: 'remove.about', answer, problems: ['rest_forbidden', `${kind}-is-in-trash`] } as const
  return {
    list: { summary: `${plural}.list`, answer: list, problems: [`${kind}-archive-page-not-found`] },
    create: { summary: `${plural}.create`, about: 'namesake.about', ...write },
    get: { summary: `${plural}.get`, ...get },
    change: { summary: `${plural}.change`, ...change },
    remove: { summary: `${plural}.remove`, ...remove },
    'get.slug': { summary: `${plural}.get.slug`, ...get },
    'change.slug': { summary: `${plural}.change.slug`, ...change },
    'remove.slug': { summary: `${plural}.remove.slug`, ...remove },
  }
}

function terms(plural: 'categories' | 'tags', answer: TSchema, list: TSchema): ActionDescriptions {
  const isFlat = plural === 'tags' ? (['rest_taxonomy_not_hierarchical'] as const) : []
  const write = ['rest_forbidden', 'empty_term_name', 'db_insert_error', ...isFlat] as const
  return {
    list: { summary: `${plural}.list`, answer: list, problems: ['rest_forbidden'] },
    create: { summary: `${plural}.create`, answer, hasLocation: true, problems: [...write, 'term_exists'] },
    get: { summary: `${plural}.get`, answer, problems: ['rest_forbidden'] },
    change: {
      summary: `${plural}.change`,
      about: 'change.about',
      answer,
      problems: [...write, 'duplicate_term_slug'],
    },
    remove: { summary: `${plural}.remove`, about: `${plural}.remove.about`, answer, problems: ['rest_forbidden'] },
  }
}

/** All that can be done, by the first part of the path. */
export const RESOURCES: Readonly<Record<string, ActionDescriptions>> = {
  '': { get: { summary: 'index.get', answer: IndexSchema, problems: ['rest_invalid_namespace'] } },
  doc: { get: { summary: 'doc.get', answer: DocumentSchema, problems: [] } },
  events,
  'events.ics': feed('ics', 'text/calendar'),
  'events.rss': feed('rss', 'application/rss+xml'),
  'events.atom': feed('atom', 'application/atom+xml'),
  'events.csv': feed('csv', 'text/csv'),
  venues: directory('venues', VenueSchema, VenueListSchema),
  organizers: directory('organizers', OrganizerSchema, OrganizerListSchema),
  categories: terms('categories', CategorySchema, CategoryListSchema),
  tags: terms('tags', TagSchema, TagListSchema),
}
