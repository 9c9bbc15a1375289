import type { WindowDays } from './certain.days.ts'
import { IdSet } from './id.set.ts'
import type { SetPart } from './set.parts.repository.ts'
import { visitDays, visitMembers } from './set.segments.ts'

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

/**
 * Selected events without an order, as columns of whole numbers: four bytes for each, and no objects. A column that was
 * taken is valid until the next event is added.
 */
export class Selected {
  #days = new Int32Array(256)
  #ids = new Int32Array(256)
  #classes = new Int32Array(256)
  length = 0
  readonly classNames: readonly string[]

  /** @param classNames The classes of all events that may be added. */
  constructor(classNames: readonly string[] = []) {
    this.classNames = classNames
  }

  /** @param classPlace The place of the class of the event among `classNames`. */
  add(day: number, id: number, classPlace: number): void {
    if (this.length === this.#ids.length) {
      this.#days = longer(this.#days)
      this.#ids = longer(this.#ids)
      this.#classes = longer(this.#classes)
    }
    this.#days[this.length] = day
    this.#ids[this.length] = id
    this.#classes[this.length] = classPlace
    this.length += 1
  }

  /** The days on which the events begin. */
  get days(): Int32Array {
    return this.#days.subarray(0, this.length)
  }

  get ids(): Int32Array {
    return this.#ids.subarray(0, this.length)
  }

  /** The places of their classes among `classNames`. */
  get classes(): Int32Array {
    return this.#classes.subarray(0, this.length)
  }
}

/** Moves numbers to twice their room. Large arrays that are left to the garbage collector make it run more often. */
function longer({ buffer, byteLength }: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  return new Int32Array(buffer.transfer(byteLength * 2))
}

/** Selected events: those that are certainly in the window, and those whose times must be compared with it. */
export interface Selection {
  readonly certain: Selected
  readonly uncertain: Selected
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
  const tests = testsOf({ required, excluded, added, removed })
  const seen = first?.isOfMany ? new IdSet() : undefined
  const classNames = [...new Set(first?.parts.map((part) => part.class))]
  const placeOfClass = new Map(classNames.map((name, place) => [name, place]))
  const certain = new Selected(classNames)
  const uncertain = new Selected(classNames)
  for (const { class: className, isLong, isWhole, members } of first?.parts ?? []) {
    const classPlace = placeOfClass.get(className) ?? 0
    const possibleDays = isLong ? days.possibleLong : days.possible
    const certainDays = isLong ? days.certainLong : days.certain
    const { wanted, unwanted } = isWhole ? tests.whole : tests.some
    visitDays(members, (day, ids, count) => {
      if (day < possibleDays.first || day > possibleDays.last) return
      const selected = day >= certainDays.first && day <= certainDays.last ? certain : uncertain
      for (let place = 0; place < count; place += 1) {
        const id = ids[place] ?? 0
        if (wanted !== undefined && !wanted.has(id)) continue
        if (unwanted?.has(id)) continue
        if (seen !== undefined) {
          if (seen.has(id)) continue
          seen.add(id)
        }
        selected.add(day, id, classPlace)
      }
    })
  }
  return { certain, uncertain }
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
  for (const { members } of parts) visitMembers(members, (_day, id) => set.add(id))
  return set
}
