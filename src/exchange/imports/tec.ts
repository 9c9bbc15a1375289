import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { containsLongText, maxTextBytes } from '../../base/text/bounds.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import { type ImportText, shapeText } from './import.texts.ts'
import { emptyRecording, type ImportFault, type RecordedList, type Recording, type SourceOrigin } from './source.ts'
import { parseTecOrganizer, parseTecTerm, parseTecVenue, siteOfEntry, siteOfTerm } from './tec.entries.ts'
import { parseTecEvent } from './tec.event.ts'
import { OrganizerSchema, type TecTerm, TermSchema, VenueSchema } from './tec.schema.ts'
import { isObject, trimmedText } from './tec.values.ts'

/**
 * Reads a recorded response of a `tribe/events/v1` interface, or of this service, whose interface is compatible: a list
 * of events, venues, organizers, categories or tags, or one event. Never throws: returns faults with their location.
 *
 * @param file The name of the file in messages.
 */
export function readTecRecording(file: string, text: string): Recording {
  const recorded = parsed(text)
  if (recorded === notJson) return faulty(file, { key: 'import.file.json' })
  if (!isObject(recorded)) return faulty(file, { key: 'import.file.answer' })
  if (isOneEvent(recorded)) return readEvents([recorded], { file, pathOf: () => '' })
  const lists = Object.entries(readers).flatMap(([name, read]) => {
    const items = recorded[name]
    return Array.isArray(items) ? [read(items, { file, pathOf: (index) => `${name}[${index}]`, answer: recorded })] : []
  })
  return lists.length === 0 ? faulty(file, { key: 'import.file.answer' }) : joined(lists)
}

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

function faulty(file: string, text: ImportText): Recording {
  return { ...emptyRecording, faults: [{ file, path: '', text }] }
}

type ReadList = (items: readonly unknown[], list: ListPlace) => Recording

/** The location of a list. */
interface ListPlace {
  readonly file: string
  readonly pathOf: (index: number) => string
  /** The response that contains it; undefined for a single event. */
  readonly answer?: Readonly<Record<string, unknown>>
}

const readEvents: ReadList = (items, { file, pathOf, answer }) => {
  const read = items.map((raw, index) => parseTecEvent(raw, { file, path: pathOf(index) }))
  return {
    ...emptyRecording,
    events: read.flatMap((outcome) => ('event' in outcome ? [outcome.event] : [])),
    faults: read.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : [])),
    lists: answer === undefined ? [] : listOf(answer, items.length),
  }
}

/** Returns the list of events that a response is a page of, if the response names it. */
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
  venues: listReader('venues', VenueSchema, {
    siteOf: siteOfEntry,
    read: (venue, origin) => ({ venues: [parseTecVenue(venue, origin)] }),
  }),
  organizers: listReader('organizers', OrganizerSchema, {
    siteOf: siteOfEntry,
    read: (organizer, origin) => ({ organizers: [parseTecOrganizer(organizer, origin)] }),
  }),
}

function terms(taxonomy: Taxonomy): ReadList {
  const read = (term: TecTerm, origin: SourceOrigin) => ({ terms: [parseTecTerm(term, taxonomy, origin)] })
  return listReader(taxonomy === 'category' ? 'categories' : 'tags', TermSchema, { siteOf: siteOfTerm, read })
}

/** How the items of a list are read. */
interface ItemReader<I> {
  readonly siteOf: (item: I) => string | undefined
  readonly read: (item: I, origin: SourceOrigin) => Partial<Recording>
}

/** Creates a reader for lists of one kind. It validates each item, and accepts only items with a known site. */
function listReader<T extends TSchema>(
  group: NonNullable<ImportFault['group']>,
  schema: T,
  { siteOf, read }: ItemReader<Static<T>>,
): ReadList {
  const shape = Compile(schema)
  return (items, { file, pathOf }) =>
    joined(
      items.map((raw, index) => {
        const place = { file, path: pathOf(index) }
        const refused = (text: ImportText) => ({ faults: [{ ...place, text, group } satisfies ImportFault] })
        if (!shape.Check(raw)) return refused(shapeText(shape.Errors(raw)[0]))
        if (containsLongText(raw)) return refused({ key: 'import.long.text', values: { most: maxTextBytes / 1024 } })
        const site = siteOf(raw as Static<T>)
        if (site === undefined) return refused({ key: 'import.site' })
        return read(raw as Static<T>, { ...place, site })
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
