import type { WindowDays } from './certain.days.ts'
import { IdSet } from './id.set.ts'
import type { SetPart } from './set.parts.repository.ts'
import { visitMembers } from './set.segments.ts'

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

/** Events with the days on which they begin and their classes, as columns without an order. */
export interface Selected {
  readonly days: Column
  readonly ids: Column
  /** The places of their classes among `classNames`. */
  readonly classes: Column
  readonly classNames: readonly string[]
}

/** @param classNames The classes of all events that may be appended. */
export function noneSelected(classNames: readonly string[] = []): Selected {
  return { days: new Column(), ids: new Column(), classes: new Column(), classNames }
}

/** Selected events: those that are certainly in the window, and those whose times must be compared with it. */
export interface Selection {
  readonly certain: Selected
  readonly uncertain: Selected
}

/** A growing list of whole numbers below 2 ** 31. It takes four bytes for each. */
class Column {
  #numbers = new Int32Array(256)
  length = 0

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const longer = new Int32Array(this.length * 2)
      longer.set(this.#numbers)
      this.#numbers = longer
    }
    this.#numbers[this.length] = number
    this.length += 1
  }

  numbers(): Int32Array {
    return this.#numbers.subarray(0, this.length)
  }
}

/** Combines the filters of a list. Reads the smallest one member by member, and tests the others as bitmaps. */
export function combineSets({ parts, filters, days, among, except, added, removed }: SelectionInput): Selection {
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
  const seen = first?.isOfMany ? new IdSet() : undefined
  const classNames = [...new Set(first?.parts.map((part) => part.class))]
  const placeOfClass = new Map(classNames.map((name, place) => [name, place]))
  const certain = noneSelected(classNames)
  const uncertain = noneSelected(classNames)
  for (const { class: className, isLong, isWhole, members } of first?.parts ?? []) {
    const classPlace = placeOfClass.get(className) ?? 0
    const possibleDays = isLong ? days.possibleLong : days.possible
    const certainDays = isLong ? days.certainLong : days.certain
    visitMembers(members, (day, id) => {
      if (day < possibleDays.first || day > possibleDays.last) return
      if (isWhole ? removed.has(id) : !added.has(id)) return
      for (const set of required) if (!set.has(id)) return
      for (const set of excluded) if (set.has(id)) return
      if (seen) {
        if (seen.has(id)) return
        seen.add(id)
      }
      const {
        days: dayColumn,
        ids,
        classes,
      } = day >= certainDays.first && day <= certainDays.last ? certain : uncertain
      dayColumn.push(day)
      ids.push(id)
      classes.push(classPlace)
    })
  }
  return { certain, uncertain }
}

function membersOfParts(parts: readonly SetPart[]): IdSet {
  const set = new IdSet()
  for (const { members } of parts) visitMembers(members, (_day, id) => set.add(id))
  return set
}
