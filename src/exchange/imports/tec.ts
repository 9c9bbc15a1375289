import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { giveWay } from '../../base/concurrency/turns.ts'
import { fail } from '../../base/problems.ts'
import { containsLongText, maxTextBytes } from '../../base/text/bounds.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import { isObject } from '../pull/pull.lists.ts'
import { type ImportText, shapeText } from './import.texts.ts'
import type { ImportFault, RecordedList, Recording, SourceLocation, SourceOrigin } from './source.ts'
import { parseTecOrganizer, parseTecTerm, parseTecVenue, siteOfEntry, siteOfTerm } from './tec.entries.ts'
import { parseTecEvent } from './tec.event.ts'
import { OrganizerSchema, type TecTerm, TermSchema, VenueSchema } from './tec.schema.ts'
import { trimmedText } from './tec.values.ts'

/**
 * Reads a recorded response of a `tribe/events/v1` interface, or of this service, whose interface is compatible: a list
 * of events, venues, organizers, categories or tags, or one event. Never throws: returns faults with their location.
 *
 * @param file The name of the file in messages.
 */
export function readTecRecording(file: string, text: string): Recording {
  return readTecAnswer(file, parsed(text))
}

/** Does the same with an answer that is not text anymore. */
export function readTecAnswer(file: string, answer: unknown): Recording {
  return joined([...partsIn(file, answer)])
}

/** The most records in a recording that a request sends: a hundred pages of the source. */
const maxRecords = 10_000

/**
 * Reads a recording that a request sends, and lets others have their turns.
 *
 * @throws rest_request_too_large
 */
export async function readSentRecording(text: string): Promise<Recording> {
  const parts: Partial<Recording>[] = []
  for (const part of partsIn('', parsed(text))) {
    if (parts.push(part) > maxRecords) {
      fail('rest_request_too_large', { text: 'rest_request_too_large.recording' })
    }
    await giveWay()
  }
  return joined(parts)
}

/** Reads the records of a response one by one. */
function* partsIn(file: string, recorded: unknown): Generator<Partial<Recording>> {
  if (recorded === notJson) return yield faulty(file, { key: 'import.file.json' })
  if (!isObject(recorded)) return yield faulty(file, { key: 'import.file.answer' })
  if (isOneEvent(recorded)) return yield readEvent(recorded, { file, path: '' })
  const lists = Object.entries(readers).filter(([name]) => Array.isArray(recorded[name]))
  if (lists.length === 0) return yield faulty(file, { key: 'import.file.answer' })
  for (const [name, read] of lists) {
    const items = recorded[name] as readonly unknown[]
    if (name === 'events') yield { lists: listOf(recorded, items.length) }
    for (const [index, raw] of items.entries()) yield read(raw, { file, path: `${name}[${index}]` })
  }
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

function faulty(file: string, text: ImportText): Partial<Recording> {
  return { faults: [{ file, path: '', text }] }
}

type ReadItem = (raw: unknown, place: SourceLocation) => Partial<Recording>

const readEvent: ReadItem = (raw, place) => {
  const read = parseTecEvent(raw, place)
  return 'event' in read ? { events: [read.event] } : { faults: [read.fault] }
}

/** Returns the list of events that a response is a page of, if the response names it. */
function listOf({ rest_url, total }: Readonly<Record<string, unknown>>, count: number): readonly RecordedList[] {
  const url = trimmedText(rest_url)
  if (typeof total !== 'number' || !URL.canParse(url)) return []
  const { origin, pathname, searchParams } = new URL(url)
  for (const name of ['page', 'per_page']) searchParams.delete(name)
  return [{ address: `${origin}${pathname}?${searchParams}`, total, count }]
}

const readers: Readonly<Record<string, ReadItem>> = {
  events: readEvent,
  categories: terms('category'),
  tags: terms('tag'),
  venues: itemReader('venues', VenueSchema, {
    siteOf: siteOfEntry,
    read: (venue, origin) => ({ venues: [parseTecVenue(venue, origin)] }),
  }),
  organizers: itemReader('organizers', OrganizerSchema, {
    siteOf: siteOfEntry,
    read: (organizer, origin) => ({ organizers: [parseTecOrganizer(organizer, origin)] }),
  }),
}

function terms(taxonomy: Taxonomy): ReadItem {
  const read = (term: TecTerm, origin: SourceOrigin) => ({ terms: [parseTecTerm(term, taxonomy, origin)] })
  return itemReader(taxonomy === 'category' ? 'categories' : 'tags', TermSchema, { siteOf: siteOfTerm, read })
}

/** How the items of a list are read. */
interface ItemReader<I> {
  readonly siteOf: (item: I) => string | undefined
  readonly read: (item: I, origin: SourceOrigin) => Partial<Recording>
}

/** Creates a reader for the items of one kind. It validates each item, and accepts only items with a known site. */
function itemReader<T extends TSchema>(
  group: NonNullable<ImportFault['group']>,
  schema: T,
  { siteOf, read }: ItemReader<Static<T>>,
): ReadItem {
  const shape = Compile(schema)
  return (raw, place) => {
    const refused = (text: ImportText) => ({ faults: [{ ...place, text, group } satisfies ImportFault] })
    if (!shape.Check(raw)) return refused(shapeText(shape.Errors(raw)[0]))
    if (containsLongText(raw)) return refused({ key: 'import.long.text', values: { most: maxTextBytes / 1024 } })
    const site = siteOf(raw as Static<T>)
    if (site === undefined) return refused({ key: 'import.site' })
    return read(raw as Static<T>, { ...place, site })
  }
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
