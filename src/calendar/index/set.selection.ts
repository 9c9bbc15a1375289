import { type Days, everyDay, overlap, type WindowDays } from './certain.days.ts'
import { IdSet } from './id.set.ts'
import type { SetPart } from './set.parts.repository.ts'
import { MemberList } from './set.segments.ts'

/** A filter of a list: events must be in at least one of some sets, or in none of them. */
export interface SetFilter {
  readonly facets: readonly number[]
  /** Whether events of the sets are excluded. */
  readonly isWithout?: boolean
  /** Whether a set counts for events in a language. By default it counts for all. */
  readonly counts?: (facet: number, language: string) => boolean
}

/** What a selection combines. */
export interface SelectionInput {
  readonly parts: readonly SetPart[]
  readonly filters: readonly SetFilter[]
  readonly days: WindowDays
  /** Events must be in all of these sets. */
  readonly among: readonly IdSet[]
  /** Events must be in none of these sets. */
  readonly except: readonly IdSet[]
  /** Shown events of classes that the list does not show as a whole. */
  readonly added: IdSet
  /** Events that the list does not show, of classes that it shows otherwise. */
  readonly removed: IdSet
}

/** Receives selected events of a class. The list is used again for the next ones, so a visit may change it. */
export type VisitSelected = (events: MemberList, className: string) => void

const visited = new MemberList()
const uncertain = new MemberList()

/**
 * The events that the filters of a list leave. They are not kept: a visit reads the sets again, because a million events
 * are read faster than they are stored as an array.
 */
export class CombinedSets {
  readonly #parts: readonly SetPart[]
  readonly #days: WindowDays
  readonly #tests: ReturnType<typeof testsOf>
  /** Whether an event may be in several parts. */
  readonly #isOfMany: boolean

  /** Reads the smallest filter member by member, and tests the others as bitmaps. */
  constructor({ parts, filters, days, among, except, added, removed }: SelectionInput) {
    const byFacet = Map.groupBy(parts, ({ facet }) => facet)
    const partsOf = ({ facets, counts }: SetFilter) => {
      const some = facets.flatMap((facet) => byFacet.get(facet) ?? [])
      return counts ? some.filter(({ facet, language }) => counts(facet, language)) : some
    }
    const sizeOf = (some: readonly SetPart[]) => some.reduce((sum, { size }) => sum + size, 0)
    const [first, ...others] = filters
      .filter(({ isWithout }) => !isWithout)
      .map((filter) => ({ parts: partsOf(filter), isOfMany: filter.facets.length > 1 }))
      .toSorted((one, other) => sizeOf(one.parts) - sizeOf(other.parts))
    const required = [...among, ...others.map((other) => membersOfParts(other.parts))]
    const excluded = [
      ...except,
      ...filters.filter(({ isWithout }) => isWithout).map((filter) => membersOfParts(partsOf(filter))),
    ]
    this.#tests = testsOf({ required, excluded, added, removed })
    this.#parts = first?.parts ?? []
    this.#isOfMany = first?.isOfMany ?? false
    this.#days = days
  }

  /**
   * Visits the events of some days that are certainly in the window, each once.
   *
   * @param visitUncertain Receives those whose times have to be compared with the window.
   */
  visit(visit: VisitSelected, visitUncertain: VisitSelected = () => {}, within: Days = everyDay): void {
    const seen = this.#isOfMany ? new IdSet() : undefined
    for (const { class: className, isLong, isWhole, members, firstDay, lastDay } of this.#parts) {
      const possible = overlap(isLong ? this.#days.possibleLong : this.#days.possible, within)
      if (firstDay > possible.last || lastDay < possible.first) continue
      const { wanted, unwanted } = isWhole ? this.#tests.whole : this.#tests.some
      visited.read(members)
      visited.keepDays(possible)
      if (wanted !== undefined) wanted.sift(visited, true)
      if (unwanted !== undefined) unwanted.sift(visited, false)
      if (seen !== undefined) seen.addNew(visited)
      uncertain.length = 0
      visited.keepDays(isLong ? this.#days.certainLong : this.#days.certain, uncertain)
      if (visited.length > 0) visit(visited, className)
      if (uncertain.length > 0) visitUncertain(uncertain, className)
    }
  }
}

/** The events of a list. */
export class Selection {
  readonly #sets: CombinedSets | undefined
  readonly #inWindow: IdSet
  readonly #dropped: IdSet | undefined

  /**
   * @param sets Undefined: there are no events.
   * @param inWindow The uncertain events that are in the window.
   * @param dropped Events that are not selected although the sets have them.
   */
  constructor(sets?: CombinedSets, inWindow: IdSet = new IdSet(), dropped?: IdSet) {
    this.#sets = sets
    this.#inWindow = inWindow
    this.#dropped = dropped
  }

  without(dropped: IdSet): Selection {
    return new Selection(this.#sets, this.#inWindow, dropped)
  }

  /** Visits the events that begin on some days, by default on all, each once. */
  visit(visit: VisitSelected, within: Days = everyDay): void {
    const sifted = siftedBy(this.#dropped, false, visit)
    this.#sets?.visit(sifted, this.siftUncertain(sifted), within)
  }

  /** Returns a visit of those uncertain events only that are in the window. */
  siftUncertain(visit: VisitSelected): VisitSelected {
    return siftedBy(this.#inWindow, true, visit)
  }
}

/** Returns a visit of those events only that are in a set, or are not. */
function siftedBy(set: IdSet | undefined, isKept: boolean, visit: VisitSelected): VisitSelected {
  if (set === undefined) return visit
  return (events, className) => {
    set.sift(events, isKept)
    if (events.length > 0) visit(events, className)
  }
}

/** Events that were visited. */
export class VisitedEvents {
  readonly #byClass = new Map<string, MemberList>()

  add: VisitSelected = ({ days, ids, length }, className) => {
    const list = this.#byClass.get(className) ?? new MemberList()
    this.#byClass.set(className, list)
    for (let place = 0; place < length; place += 1) list.add(days[place] ?? 0, ids[place] ?? 0)
  }

  get ids(): readonly number[] {
    return [...this.#byClass.values()].flatMap(({ ids, length }) => [...ids.subarray(0, length)])
  }

  /** Visits the events. They are gone then. */
  visit(visit: VisitSelected): void {
    for (const [className, events] of this.#byClass) visit(events, className)
  }
}

/** What the events of a class must be tested for. */
interface MemberTest {
  readonly wanted: IdSet | undefined
  readonly unwanted: IdSet | undefined
}

/** Makes one test of many, for classes that the list shows as a whole, and for the others. */
function testsOf({
  required,
  excluded,
  added,
  removed,
}: {
  readonly required: readonly IdSet[]
  readonly excluded: readonly IdSet[]
} & Pick<SelectionInput, 'added' | 'removed'>): { readonly whole: MemberTest; readonly some: MemberTest } {
  const unwanted = new IdSet()
  for (const set of excluded) unwanted.or(set)
  const some = { wanted: IdSet.inAll([added, ...required]).andNot(unwanted), unwanted: undefined }
  unwanted.or(removed)
  if (required.length > 0)
    return { some, whole: { wanted: IdSet.inAll(required).andNot(unwanted), unwanted: undefined } }
  return { some, whole: { wanted: undefined, unwanted: unwanted.isEmpty() ? undefined : unwanted } }
}

function membersOfParts(parts: readonly SetPart[]): IdSet {
  const set = new IdSet()
  for (const { members } of parts) {
    visited.read(members)
    set.addAll(visited.ids, visited.length)
  }
  return set
}
