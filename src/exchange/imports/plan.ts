import { giveWay } from '../../base/concurrency/turns.ts'
import type { OrganizerFields } from '../../calendar/organizers/organizer.ts'
import type { VenueFields } from '../../calendar/venues/venue.ts'
import type {
  ImportFault,
  RecordedList,
  Recordings,
  SourceEntry,
  SourceEvent,
  SourceReference,
  SourceTerm,
} from './source.ts'

/** The part of an event that is kept until it is written. The texts of all events together would not fit in memory. */
export type PlannedEvent = Pick<
  SourceEvent,
  keyof SourceReference | 'start' | 'zone' | 'hasImage' | 'isHidden' | 'removedEmbeds'
>

/** The part of an event that is kept while the others are read. */
type EventOutline = PlannedEvent & Pick<SourceEvent, 'modifiedAt' | 'categories' | 'tags' | 'venues' | 'organizers'>

/** The records to write, in this order: each once, and after the records that it names. */
export interface Plan {
  readonly terms: readonly SourceTerm[]
  readonly venues: readonly SourceEntry<VenueFields>[]
  readonly organizers: readonly SourceEntry<OrganizerFields>[]
  readonly events: readonly PlannedEvent[]
  /** The number of events that occur again in the files. */
  readonly repeatedEvents: number
  /** The faults of unreadable records. */
  readonly faults: readonly ImportFault[]
  /** The number of events of the recorded lists that are missing in the files. */
  readonly unrecordedEvents: number
}

/**
 * Plans the import of these recordings.
 *
 * @param hasPassword Whether the events get a password. Without one, events that a list marks as protected are refused,
 *   even if another file has their content.
 */
export async function planImport(
  recordings: Recordings,
  { hasPassword = false }: { readonly hasPassword?: boolean } = {},
): Promise<Plan> {
  const deduplicate = createDeduplicator()
  const events: EventOutline[] = []
  const faults: ImportFault[] = []
  const terms: SourceTerm[] = []
  const venues: SourceEntry<VenueFields>[] = []
  const organizers: SourceEntry<OrganizerFields>[] = []
  const lists = new Map<string, RecordedList>()
  for await (const recording of recordings) {
    for (const event of recording.events) {
      await giveWay()
      events.push(outlineOf(deduplicate(event)))
    }
    for (const fault of recording.faults) faults.push(fault)
    for (const term of recording.terms) terms.push(term)
    for (const venue of recording.venues) venues.push(venue)
    for (const organizer of recording.organizers) organizers.push(organizer)
    for (const list of recording.lists) lists.set(list.address, added(lists.get(list.address), list))
  }
  const guarded = new Set(hasPassword ? [] : faults.flatMap(({ protectedSource }) => protectedSource ?? []))
  const open = events.filter(({ source }) => guarded.has(source))
  for (const { file, path } of open) faults.push({ file, path, text: { key: 'import.event.guarded' } })
  const newestEvents = newestOf(events.filter(({ source }) => !guarded.has(source)))
  return {
    // Records from lists of their own come first: of equal ones, the first counts.
    terms: parentsFirst(
      newestOf([...terms, ...newestEvents.flatMap(({ categories, tags }) => [...categories, ...tags])]),
    ),
    venues: newestOf([...venues, ...newestEvents.flatMap((event) => event.venues)]),
    organizers: newestOf([...organizers, ...newestEvents.flatMap((event) => event.organizers)]),
    events: newestEvents.map(plannedOf),
    repeatedEvents: events.length - open.length - newestEvents.length,
    faults,
    unrecordedEvents: lists.values().reduce((sum, { total, count }) => sum + Math.max(0, total - count), 0),
  }
}

/** Adds up the pages of one list. The list may have grown during the recording. */
function added(known: RecordedList | undefined, { address, total, count }: RecordedList): RecordedList {
  return { address, total: Math.max(total, known?.total ?? 0), count: count + (known?.count ?? 0) }
}

function outlineOf(event: SourceEvent): EventOutline {
  const { modifiedAt, categories, tags, venues, organizers } = event
  return { ...plannedOf(event), modifiedAt, categories, tags, venues, organizers }
}

function plannedOf(event: PlannedEvent): PlannedEvent {
  const { file, path, source, start, zone, hasImage, isHidden, removedEmbeds } = event
  return { file, path, source, start, zone, hasImage, isHidden, removedEmbeds }
}

/**
 * Reads the planned events in full, in the order of the recordings.
 *
 * @param waiting The planned events by source. Events that were read are removed from it.
 */
export async function* plannedEvents(
  waiting: Map<string, PlannedEvent>,
  recordings: Recordings,
): AsyncGenerator<SourceEvent> {
  for await (const { events } of recordings) {
    for (const event of events) {
      const outline = waiting.get(event.source)
      // The same event may occur elsewhere in an older version.
      if (outline?.file !== event.file || outline.path !== event.path) continue
      waiting.delete(event.source)
      yield event
    }
  }
}

/**
 * Returns the most recently changed record of each source, or the first of equal ones. Without dates of change, the
 * order of the files decides.
 */
function newestOf<R extends SourceReference & { readonly modifiedAt?: string }>(records: readonly R[]): readonly R[] {
  const newest = new Map<string, R>()
  for (const record of records) {
    const known = newest.get(record.source)
    if (!known || (record.modifiedAt ?? '') > (known.modifiedAt ?? '')) newest.set(record.source, record)
  }
  return [...newest.values()]
}

/** Orders categories after their parents. A loop in the source is cut where it closes. */
function parentsFirst(terms: readonly SourceTerm[]): readonly SourceTerm[] {
  const bySource = new Map(terms.map((term) => [term.source, term]))
  const ordered = new Set<SourceTerm>()
  for (const term of terms) {
    const line = new Set<SourceTerm>()
    for (let next: SourceTerm | undefined = term; next && !ordered.has(next) && !line.has(next); ) {
      line.add(next)
      next = next.parent === undefined ? undefined : bySource.get(next.parent)
    }
    for (const one of [...line].reverse()) ordered.add(one)
  }
  return [...ordered]
}

/**
 * Creates a function that shares equal records between events, to save memory. A calendar of a hundred thousand
 * events names some thousand venues, and every event was read with its own copy of its venue.
 */
export function createDeduplicator(): (event: SourceEvent) => SourceEvent {
  const known = new Map<string, SourceReference>()
  const shared = <R extends SourceReference>(record: R): R => {
    // The location of a record is not part of its content. Any one of the locations is sufficient.
    const { file, path, ...content } = record
    const key = JSON.stringify(content)
    const same = known.get(key)
    // The same key means the same content, so the record has the same type.
    if (same) return same as R
    known.set(key, record)
    return record
  }
  return (event) => ({
    ...event,
    venues: event.venues.map(shared),
    organizers: event.organizers.map(shared),
    categories: event.categories.map(shared),
    tags: event.tags.map(shared),
  })
}
