import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { containsLongText, maxTextBytes } from '../../base/text/bounds.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import {
  emptyRecording,
  type ImportFault,
  type RecordedList,
  type Recording,
  type SourceLocation,
  type SourceTerm,
} from './source.ts'
import { parseTecOrganizer, parseTecTerm, parseTecVenue, siteOfEntry, siteOfTerm } from './tec.entries.ts'
import { parseTecEvent } from './tec.event.ts'
import { OrganizerSchema, TermSchema, VenueSchema } from './tec.schema.ts'
import { isObject, trimmedText } from './tec.values.ts'

/**
 * Reads a recorded answer of a `tribe/events/v1` interface, or of ours, which speaks the same: a list of events, venues,
 * organizers, categories or tags, or one event. Never throws on what it is given: what cannot be read is named with its
 * place.
 *
 * @param file How the file is called in what is said about it.
 */
export function readTecRecording(file: string, text: string): Recording {
  const recorded = parsed(text)
  if (recorded === notJson) return faulty(file, 'is not valid JSON (it may be cut off)')
  if (!isObject(recorded)) return faulty(file, noAnswer)
  if (isOneEvent(recorded)) return readEvents(file, [recorded], () => '')
  const lists = Object.entries(readers).flatMap(([name, read]) => {
    const items = recorded[name]
    return Array.isArray(items) ? [read(file, items, (index) => `${name}[${index}]`, recorded)] : []
  })
  return lists.length === 0 ? faulty(file, noAnswer) : joined(lists)
}

const noAnswer = 'is not a recorded answer: JSON with a list “events”, “venues”, “organizers”, “categories” or “tags”'
const notJson = Symbol('not JSON')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return notJson
    throw error
  }
}

function isOneEvent({ id, start_date }: Readonly<Record<string, unknown>>): boolean {
  return typeof id === 'number' && start_date !== undefined
}

function faulty(file: string, text: string): Recording {
  return { ...emptyRecording, faults: [{ file, path: '', text }] }
}

type PathOf = (index: number) => string
type ReadList = (
  file: string,
  items: readonly unknown[],
  pathOf: PathOf,
  answer?: Readonly<Record<string, unknown>>,
) => Recording

const readEvents: ReadList = (file, items, pathOf, answer) => {
  const read = items.map((raw, index) => parseTecEvent(raw, { file, path: pathOf(index) }))
  return {
    ...emptyRecording,
    events: read.flatMap((outcome) => ('event' in outcome ? [outcome.event] : [])),
    faults: read.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : [])),
    lists: answer === undefined ? [] : listOf(answer, items.length),
  }
}

/** The list of events that an answer is a page of, where it says so. */
function listOf({ rest_url, total }: Readonly<Record<string, unknown>>, count: number): readonly RecordedList[] {
  const url = trimmedText(rest_url)
  if (typeof total !== 'number' || !URL.canParse(url)) return []
  const { origin, pathname, searchParams } = new URL(url)
  for (const name of ['page', 'per_page']) searchParams.delete(name)
  return [{ address: `${origin}${pathname}?${searchParams}`, total, count }]
}

const readers: Readonly<Record<string, ReadList>> = {
  events: readEvents,
  categories: terms('category'),
  tags: terms('tag'),
  venues: listReader('venues', VenueSchema, siteOfEntry, (venue, site, place) => ({
    venues: [parseTecVenue(venue, site, place)],
  })),
  organizers: listReader('organizers', OrganizerSchema, siteOfEntry, (organizer, site, place) => ({
    organizers: [parseTecOrganizer(organizer, site, place)],
  })),
}

function terms(taxonomy: Taxonomy): ReadList {
  return listReader(
    taxonomy === 'category' ? 'categories' : 'tags',
    TermSchema,
    siteOfTerm,
    (term, site, place): { readonly terms: readonly SourceTerm[] } => ({
      terms: [parseTecTerm(term, taxonomy, site, place)],
    }),
  )
}

/** Reads a list of one kind: each item against its shape, and only where its site is known. */
function listReader<T extends TSchema>(
  group: NonNullable<ImportFault['group']>,
  schema: T,
  siteOf: (item: Static<T>) => string | undefined,
  read: (item: Static<T>, site: string, place: SourceLocation) => Partial<Recording>,
): ReadList {
  const shape = Compile(schema)
  return (file, items, pathOf) =>
    joined(
      items.map((raw, index) => {
        const place = { file, path: pathOf(index) }
        const refused = (text: string) => ({ faults: [{ ...place, text, group } satisfies ImportFault] })
        if (!shape.Check(raw)) return refused(shape.Errors(raw)[0]?.message ?? 'has an unknown structure')
        if (containsLongText(raw)) return refused(`has a text of more than ${maxTextBytes / 1024} KB`)
        const site = siteOf(raw as Static<T>)
        if (site === undefined) return refused('has no address that identifies its site')
        return read(raw as Static<T>, site, place)
      }),
    )
}

function joined(parts: readonly Partial<Recording>[]): Recording {
  return {
    events: parts.flatMap(({ events = [] }) => events),
    terms: parts.flatMap(({ terms = [] }) => terms),
    venues: parts.flatMap(({ venues = [] }) => venues),
    organizers: parts.flatMap(({ organizers = [] }) => organizers),
    faults: parts.flatMap(({ faults = [] }) => faults),
    lists: parts.flatMap(({ lists = [] }) => lists),
  }
}
