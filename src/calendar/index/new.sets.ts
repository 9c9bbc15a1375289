import { maxMembers, memberAt, type NewSegment, newSegment, placeOf } from './set.segments.ts'

/** A segment of the set of the events of a class with a facet. */
export interface SetSegment extends NewSegment {
  readonly facet: number
  readonly class: string
}

/** An event that sets gain. */
export interface NewMember {
  readonly id: number
  readonly day: number
  readonly class: string
  readonly facets: readonly number[]
}

/** The members of a set of which no segment is made yet. */
interface WaitingSet {
  readonly facet: number
  readonly class: string
  /** In no order. */
  places: number[]
  /** Whether the set has a segment. The first one begins at 0. */
  isBegun: boolean
}

/** Members that wait, in all sets together, until segments are made that are not full: 16 MB. */
const mostWaiting = 2_000_000

/**
 * Makes the segments of new sets from events that come in the order of their days. Each segment is made once, when it is
 * full. Changing it for each event would write a kilobyte for each event and filter value, and leave as much behind on
 * PostgreSQL until the transaction is over.
 */
export class NewSets {
  readonly #most: number
  readonly #byClass = new Map<string, Map<number, WaitingSet>>()
  /** Sets with members for at least one full segment. */
  readonly #full = new Set<WaitingSet>()
  #waiting = 0
  #day = 0

  /** @param most Another limit for the members that wait, in tests. */
  constructor(most = mostWaiting) {
    this.#most = most
  }

  /** Adds an event to its sets. Its day is not before that of the event before. */
  add({ id, day, class: className, facets }: NewMember): void {
    this.#day = day
    const sets = this.#byClass.get(className) ?? new Map<number, WaitingSet>()
    this.#byClass.set(className, sets)
    for (const facet of facets) {
      const set = sets.get(facet) ?? { facet, class: className, places: [], isBegun: false }
      sets.set(facet, set)
      set.places.push(placeOf({ day, id }))
      if (set.places.length === maxMembers) this.#full.add(set)
    }
    this.#waiting += facets.length
  }

  /** Returns the segments that are complete if the next event begins on this day. All of them must be read. */
  before(day: number): Iterable<SetSegment> {
    if (day === this.#day) return []
    return this.#waiting > this.#most ? this.end() : this.#complete()
  }

  /** Returns the segments of all members that are left. */
  *end(): Generator<SetSegment> {
    for (const sets of this.#byClass.values()) for (const set of sets.values()) yield* this.#segmentsOf(set, 1)
    this.#full.clear()
  }

  *#complete(): Generator<SetSegment> {
    for (const set of this.#full) yield* this.#segmentsOf(set, maxMembers)
    this.#full.clear()
  }

  /** @param least The number of members that make a segment. */
  *#segmentsOf(set: WaitingSet, least: number): Generator<SetSegment> {
    const places = set.places.sort((one, other) => one - other)
    let used = 0
    while (places.length - used >= least) {
      const some = places.slice(used, used + maxMembers)
      const first = set.isBegun ? (some[0] ?? 0) : 0
      yield { facet: set.facet, class: set.class, ...newSegment(first, some.map(memberAt)) }
      set.isBegun = true
      used += some.length
    }
    set.places = places.slice(used)
    this.#waiting -= used
  }
}
