import type { Recording, SourceEvent, SourceReference } from './source.ts'

/**
 * Makes recordings hold what many events name only once: a calendar of a hundred thousand events names some thousand
 * places, and every event was read with a copy of its own.
 */
export function createDeduplicator(): (recording: Recording) => Recording {
  const known = new Map<string, SourceReference>()
  const shared = <R extends SourceReference>(record: R): R => {
    // Where it stands is no part of what it is; the first place is as good as any.
    const { file, path, ...content } = record
    const key = JSON.stringify(content)
    const same = known.get(key)
    // One key, one content: it is of the same kind.
    if (same) return same as R
    known.set(key, record)
    return record
  }
  const withShared = (event: SourceEvent): SourceEvent => ({
    ...event,
    venues: event.venues.map(shared),
    organizers: event.organizers.map(shared),
    categories: event.categories.map(shared),
    tags: event.tags.map(shared),
  })
  return ({ events, ...others }) => ({ ...others, events: events.map(withShared) })
}
