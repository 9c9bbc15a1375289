import type { OrganizerFields } from '../organizers/organizer.ts'
import type { VenueFields } from '../venues/venue.ts'
import { createSharing } from './sharing.ts'
import type { Recordings, Remark, Sourced, SourceEntry, SourceEvent, SourceTerm } from './source.ts'

/** What is known of an event until it is its turn. Of all of them at once there would be more texts than memory. */
export type PlannedEvent = Pick<SourceEvent, keyof Sourced | 'start' | 'zone' | 'hasImage'>

/** What is known of it while others are looked through. */
type EventOutline = PlannedEvent & Pick<SourceEvent, 'modifiedAt' | 'categories' | 'tags' | 'venues' | 'organizers'>

/** What is to be written, in this order: each once, and nothing before what it names. */
export interface Plan {
  readonly terms: readonly SourceTerm[]
  readonly venues: readonly SourceEntry<VenueFields>[]
  readonly organizers: readonly SourceEntry<OrganizerFields>[]
  readonly events: readonly PlannedEvent[]
  /** How many events stand in the files once more. */
  readonly repeatedEvents: number
  /** What cannot be read. */
  readonly faults: readonly Remark[]
}

/** What is to be written of these recordings. */
export async function planImport(recordings: Recordings): Promise<Plan> {
  const share = createSharing()
  const events: EventOutline[] = []
  const faults: Remark[] = []
  for await (const recording of recordings) {
    for (const event of share(recording).events) events.push(outlineOf(event))
    for (const fault of recording.faults) faults.push(fault)
  }
  const newestEvents = newestOf(events)
  return {
    terms: parentsFirst(newestOf(newestEvents.flatMap(({ categories, tags }) => [...categories, ...tags]))),
    venues: newestOf(newestEvents.flatMap(({ venues }) => venues)),
    organizers: newestOf(newestEvents.flatMap(({ organizers }) => organizers)),
    events: newestEvents.map(plannedOf),
    repeatedEvents: events.length - newestEvents.length,
    faults,
  }
}

function outlineOf(event: SourceEvent): EventOutline {
  const { file, path, source, modifiedAt, start, zone, hasImage, categories, tags, venues, organizers } = event
  return { file, path, source, modifiedAt, start, zone, hasImage, categories, tags, venues, organizers }
}

function plannedOf({ file, path, source, start, zone, hasImage }: EventOutline): PlannedEvent {
  return { file, path, source, start, zone, hasImage }
}

/**
 * The planned events in full, in the order of the recordings.
 *
 * @param waiting Those that are planned, by source: what is found is taken out.
 */
export async function* plannedEvents(
  waiting: Map<string, PlannedEvent>,
  recordings: Recordings,
): AsyncGenerator<SourceEvent> {
  for await (const { events } of recordings) {
    for (const event of events) {
      const outline = waiting.get(event.source)
      // The same event may stand in another place, in an older form.
      if (outline?.file !== event.file || outline.path !== event.path) continue
      waiting.delete(event.source)
      yield event
    }
  }
}

/** Of records with the same source the one changed last, else the first: the order of the files must not matter twice. */
function newestOf<R extends Sourced & { readonly modifiedAt?: string }>(records: readonly R[]): readonly R[] {
  const newest = new Map<string, R>()
  for (const record of records) {
    const known = newest.get(record.source)
    if (!known || (record.modifiedAt ?? '') > (known.modifiedAt ?? '')) newest.set(record.source, record)
  }
  return [...newest.values()]
}

/** Categories behind those above them; a loop in the source ends where it closes. */
function parentsFirst(terms: readonly SourceTerm[]): readonly SourceTerm[] {
  const bySource = new Map(terms.map((term) => [term.source, term]))
  const ordered = new Set<SourceTerm>()
  const add = (term: SourceTerm, below: ReadonlySet<SourceTerm>) => {
    const parent = term.parent === undefined ? undefined : bySource.get(term.parent)
    if (parent && !below.has(parent)) add(parent, new Set([...below, parent]))
    ordered.add(term)
  }
  for (const term of terms) add(term, new Set([term]))
  return [...ordered]
}
