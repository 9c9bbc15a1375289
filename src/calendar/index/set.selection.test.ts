import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/long.ts'
import { type Days, everyDay } from './certain.days.ts'
import { IdSet } from './id.set.ts'
import type { SetPart } from './set.parts.repository.ts'
import { encodeMembers, type Member, placeOf } from './set.segments.ts'
import { CombinedSets, Selection, type SetFilter, VisitedEvents, type VisitSelected } from './set.selection.ts'

interface DrawnEvent extends Member {
  readonly isLong: boolean
  readonly isWhole: boolean
  readonly facets: readonly number[]
}

const facets = [1, 2, 3, 4]
const days = fc
  .tuple(fc.integer({ min: 95, max: 125 }), fc.integer({ min: 95, max: 125 }))
  .map(([first, last]) => ({ first, last }))
/** Ids far from each other are in pages of their own. */
const id = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 2 ** 20 - 3, max: 2 ** 20 + 3 }))
const event = fc.record({
  ...{ id, day: fc.integer({ min: 100, max: 120 }), isLong: fc.boolean(), isWhole: fc.boolean() },
  facets: fc.subarray(facets),
})
const filter = fc.record({ facets: fc.subarray(facets, { minLength: 1 }), isWithout: fc.boolean() })
const some = fc.array(id, { maxLength: 40 })
const question = fc.record({
  filters: fc.array(filter, { minLength: 1, maxLength: 4 }),
  ...{ possible: days, possibleLong: days, certain: days, certainLong: days },
  ...{ among: fc.option(some, { nil: undefined }), except: some, added: some, removed: some, inWindow: some },
  ...{ dropped: fc.option(some, { nil: undefined }), within: fc.oneof(fc.constant(everyDay), days) },
  segment: fc.integer({ min: 1, max: 9 }),
})

const className = ({ isLong, isWhole }: DrawnEvent) => `${isLong ? 'long' : 'short'} ${isWhole ? 'whole' : 'some'}`

/** Returns the segments of all sets. */
function partsOf(events: readonly DrawnEvent[], size: number): readonly SetPart[] {
  const sets = facets.flatMap((facet) =>
    [...Map.groupBy(events, className)].map(([name, all]) => ({
      facet,
      name,
      members: all.filter((one) => one.facets.includes(facet)).toSorted((one, other) => placeOf(one) - placeOf(other)),
    })),
  )
  return sets.flatMap(({ facet, name, members }) =>
    Array.from({ length: Math.ceil(members.length / size) }, (_, place): SetPart => {
      const part = members.slice(place * size, (place + 1) * size)
      return {
        ...{ facet, class: name, language: 'en', venues: 0, size: part.length, members: encodeMembers(part) },
        ...{ isLong: name.startsWith('long'), isWhole: name.endsWith('whole') },
        // The first segment of a set begins with the first day that can be written.
        ...{ firstDay: place === 0 ? 0 : (part[0]?.day ?? 0), lastDay: part.at(-1)?.day ?? 0 },
      }
    }),
  )
}

const isOn = ({ day }: Member, { first, last }: Days) => day >= first && day <= last

test('a selection has the events that each of its filters leaves, each once', () => {
  fc.assert(
    fc.property(fc.uniqueArray(event, { selector: (one) => one.id, maxLength: 60 }), question, (events, asked) => {
      const { possible, possibleLong, certain, certainLong, among, except, added, removed, inWindow, dropped } = asked
      const filters: readonly SetFilter[] = asked.filters.some(({ isWithout }) => !isWithout)
        ? asked.filters
        : [{ facets: [1] }, ...asked.filters]
      const matches = (one: DrawnEvent) =>
        isOn(one, one.isLong ? possibleLong : possible) &&
        filters.every(
          (each) => each.facets.some((facet) => one.facets.includes(facet)) !== (each.isWithout ?? false),
        ) &&
        (among === undefined || among.includes(one.id)) &&
        !except.includes(one.id) &&
        (one.isWhole ? !removed.includes(one.id) : added.includes(one.id))
      const isCertain = (one: DrawnEvent) => isOn(one, one.isLong ? certainLong : certain)
      const sets = new CombinedSets({
        parts: partsOf(events, asked.segment),
        filters,
        days: { possible, possibleLong, certain, certainLong },
        among: among ? [IdSet.of(among)] : [],
        ...{ except: [IdSet.of(except)], added: IdSet.of(added), removed: IdSet.of(removed) },
      })
      const told = (some: readonly DrawnEvent[]) =>
        some.map((one) => [one.id, one.day, className(one)].join()).toSorted()
      const collect = () => {
        const list: string[] = []
        const visit: VisitSelected = ({ ids, days: begin, length }, name) => {
          for (let place = 0; place < length; place += 1) list.push([ids[place], begin[place], name].join())
        }
        return { list, visit }
      }

      const [sure, unsure, all, again] = [collect(), new VisitedEvents(), collect(), collect()]
      sets.visit(sure.visit, unsure.add)
      const selection = new Selection(sets, IdSet.of(inWindow))
      const kept = dropped ? selection.without(IdSet.of(dropped)) : selection
      kept.visit(all.visit, asked.within)
      assert.deepEqual(sure.list.toSorted(), told(events.filter((one) => matches(one) && isCertain(one))))
      const uncertain = events.filter((one) => matches(one) && !isCertain(one))
      assert.deepEqual([...unsure.ids].toSorted(), uncertain.map((one) => one.id).toSorted())
      unsure.visit(selection.siftUncertain(again.visit))
      assert.deepEqual(again.list.toSorted(), told(uncertain.filter((one) => inWindow.includes(one.id))))
      const expected = events.filter(
        (one) =>
          matches(one) &&
          (isCertain(one) || inWindow.includes(one.id)) &&
          isOn(one, asked.within) &&
          !dropped?.includes(one.id),
      )
      assert.deepEqual(all.list.toSorted(), told(expected))
    }),
    { numRuns: runs(500, 5000) },
  )
})
