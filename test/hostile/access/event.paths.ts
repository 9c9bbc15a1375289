import { type Facts, innerWord, outerWord, type RecordFacts } from './facts.ts'
import {
  byId,
  type ExpectedAnswer,
  type ExpectedItem,
  entriesOf,
  eventsOf,
  everything,
  ids,
  languages,
  queryOf,
  type ReadPath,
  statuses,
} from './question.ts'
import * as see from './visibility.ts'
import { passwordOfAll } from './world.ts'

/** Past events included. */
const ever = `${everything}&start_date=2029-01-01`

function shownEvent(facts: Facts, event: RecordFacts, asking: see.Asking): ExpectedItem {
  const isMasked = event.isProtected && !see.isOpen(asking, event)
  if (isMasked) return { id: event.id, isMasked, venues: [], organizers: [], categories: [], tags: [] }
  return {
    id: event.id,
    isMasked,
    venues: ids(see.linkedEntries(facts, 'venue', event, asking)),
    organizers: ids(see.linkedEntries(facts, 'organizer', event, asking)),
    categories: ids(see.linkedTerms(facts, 'category', event, asking)),
    tags: ids(see.linkedTerms(facts, 'tag', event, asking)),
  }
}

function oneEvent(facts: Facts, event: RecordFacts | undefined, asking: see.Asking): ExpectedAnswer {
  if (!event) return { status: 400, code: 'rest_invalid_param' }
  if (event.status === 'trash') return { status: 403, code: 'event-no-longer-available' }
  if (!see.isReadable(asking.caller, event)) return { status: 403, code: 'event-not-accessible' }
  if (!see.isOpen(asking, event)) return { status: 403, code: 'event-password-protected' }
  return { status: 200, shown: [shownEvent(facts, event, asking)] }
}

const itemForms: readonly (readonly [query: string, asking: Omit<see.Asking, 'caller'>])[] = [
  ['', {}],
  [`?password=${passwordOfAll}`, { hasPassword: true }],
  ['?password=wrong', {}],
  ['?context=edit', { isEditing: true }],
  ['?ml_language=fr-CA', { language: 'fr-CA' }],
]

/** A filter of the list of events: its query, and which of the listed events match. */
interface Filter {
  readonly query: string
  readonly isHeld: (event: RecordFacts, asking: see.Asking) => boolean
  /** Whether the caller may use the value of the filter; by default everybody may. */
  readonly isNameable?: (caller: see.Caller) => boolean
}

/** A filter by protected contents. For a caller who may not read them, a protected event never matches. */
const byLink = (query: string, isHeld: Filter['isHeld']): Filter => ({
  query,
  isHeld: (event, asking) => see.isFoundByLink(asking, event) && isHeld(event, asking),
})

function filtersOf(facts: Facts): readonly Filter[] {
  const shows =
    (kind: 'venue' | 'organizer', groupId: number): Filter['isHeld'] =>
    (event, asking) =>
      see.linkedEntries(facts, kind, event, asking).some((entry) => entry.groupId === groupId)
  return [
    ...facts.terms.map((term) => ({
      ...byLink(`${term.taxonomy === 'tag' ? 'tags' : 'categories'}=${term.id}`, ({ terms }) =>
        terms.includes(term.groupId),
      ),
      isNameable: (caller: see.Caller) => see.isTermShown(caller, term),
    })),
    ...(['venue', 'organizer'] as const).flatMap((kind) =>
      entriesOf(facts, kind).map(({ id, groupId }) => byLink(`${kind}=${id}`, shows(kind, groupId))),
    ),
    byLink('featured=true', ({ isFeatured }) => isFeatured),
    byLink('featured=false', ({ isFeatured }) => !isFeatured),
    // Statuses are as public as dates.
    ...(['scheduled', 'canceled', 'scheduled,moved_online'] as const).map((words) => ({
      query: `event_status=${words}`,
      isHeld: ({ eventStatus }: RecordFacts) => words.split(',').includes(eventStatus),
    })),
    ...(['offline', 'online,mixed'] as const).map((words) => ({
      query: `attendance=${words}`,
      isHeld: ({ attendance }: RecordFacts) => words.split(',').includes(attendance),
    })),
    byLink('geoloc=true', (event, asking) =>
      see.linkedEntries(facts, 'venue', event, asking).some(({ hasPlace }) => hasPlace),
    ),
    { query: `include=${ids(facts.records).join()}`, isHeld: () => true },
    { query: 'starts_after=2029-12-31', isHeld: () => true },
    // Contract: visitors do not find protected events by words, not even by those of their titles; others do.
    ...eventsOf(facts).flatMap(({ number }) =>
      [outerWord(number), innerWord(number)].map((word) => ({
        query: `search=${word}`,
        isHeld: (event: RecordFacts, { caller }: see.Asking) =>
          event.number === number && (!event.isProtected || caller !== 'visitor'),
      })),
    ),
  ]
}

function eventList(
  facts: Facts,
  asking: see.Asking,
  status: see.StatusAsked,
  isHeld: Filter['isHeld'],
): ExpectedAnswer {
  if (!see.mayAsk(asking.caller, status)) return { status: 400, code: 'rest_invalid_param' }
  const listed = see.listedEvents(facts, asking, status).filter((event) => isHeld(event, asking))
  const shown = listed.map((event) => shownEvent(facts, event, { ...asking, isEditing: false }))
  return { status: 200, total: listed.length, shown: byId(shown) }
}

export const eventPaths: readonly ReadPath[] = [
  ...(['id', 'slug'] as const).map(
    (by): ReadPath => ({
      title: `an event by its ${by}`,
      questions: (facts) =>
        eventsOf(facts)
          .filter(({ slug }) => by === 'id' || slug !== '')
          .flatMap((event) =>
            itemForms.map(([query, asking]) => ({
              path: `/events/${by === 'id' ? event.id : `by-slug/${event.slug}`}${query}`,
              asking,
              expect: (caller) => {
                const full = { ...asking, caller }
                return oneEvent(facts, by === 'id' ? event : see.bySlug(facts, 'event', event.slug, full), full)
              },
            })),
          ),
    }),
  ),
  {
    title: 'events by status and language',
    questions: (facts) =>
      statuses.flatMap((status) =>
        languages.map((language) => ({
          path: `/events?${ever}&${queryOf({ status, ml_language: language })}`,
          asking: { language },
          expect: (caller) => eventList(facts, { caller, language }, status, () => true),
        })),
      ),
  },
  {
    title: 'events by each filter',
    questions: (facts) =>
      filtersOf(facts).flatMap(({ query, isHeld, isNameable = () => true }) =>
        [
          { asking: {}, more: '' },
          { asking: { hasPassword: true }, more: `&password=${passwordOfAll}` },
          { asking: { language: 'fr-CA' } as const, more: '&ml_language=fr-CA' },
        ].map(({ asking, more }) => ({
          path: `/events?${ever}&${query}${more}`,
          asking,
          expect: (caller: see.Caller): ExpectedAnswer =>
            isNameable(caller)
              ? eventList(facts, { ...asking, caller }, undefined, isHeld)
              : { status: 400, code: 'rest_invalid_param' },
        })),
      ),
  },
  {
    title: 'how many events there are',
    questions: (facts) =>
      ['_fields=total', '_envelope=1'].map((form) => ({
        path: `/events?${ever}&${form}`,
        expect: (caller) => {
          const { total = 0, shown = [] } = eventList(facts, { caller }, undefined, () => true)
          return { status: 200, total, ...(form === '_envelope=1' ? { shown } : {}) }
        },
      })),
  },
]
