import type { OrganizerFields } from '../organizers/organizer.ts'
import type { VenueFields } from '../venues/venue.ts'
import type { Recording, Sourced, SourceEntry, SourceEvent, SourceTerm } from './source.ts'

/** What is to be written, in this order: each once, and nothing before what it names. */
export interface Plan {
  readonly terms: readonly SourceTerm[]
  readonly venues: readonly SourceEntry<VenueFields>[]
  readonly organizers: readonly SourceEntry<OrganizerFields>[]
  readonly events: readonly SourceEvent[]
  /** How many events stand in the files once more. */
  readonly repeatedEvents: number
}

export function planImport(recordings: readonly Recording[]): Plan {
  const events = recordings.flatMap((recording) => recording.events)
  const newestEvents = newestOf(events)
  return {
    terms: parentsFirst(newestOf(newestEvents.flatMap(({ categories, tags }) => [...categories, ...tags]))),
    venues: newestOf(newestEvents.flatMap(({ venues }) => venues)),
    organizers: newestOf(newestEvents.flatMap(({ organizers }) => organizers)),
    events: newestEvents,
    repeatedEvents: events.length - newestEvents.length,
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
