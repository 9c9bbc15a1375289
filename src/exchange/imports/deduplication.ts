import type { SourceEvent, SourceReference } from './source.ts'

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
