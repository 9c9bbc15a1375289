import { accepted, acceptedAs, itemsOf, refused } from '../../../access/http/arguments/argument.rules.ts'
import { type JsonSchema, wordSchema } from '../../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments } from '../../../access/http/arguments/argument.ts'
import { FACETS, type FacetFilter, type StateFacet } from '../../index/event.index.ts'
import { ATTENDANCES, EVENT_STATUSES, eventStatusFrom } from '../model/state.ts'
import type { EventQuery } from './query.ts'

// Lists of events with some statuses or attendances.

/** One or more of these words, as a list or separated by commas. `read` also understands other spellings. */
const someOf =
  <W extends string>(
    words: readonly W[],
    { read, example }: { readonly read: (item: string) => W | undefined; readonly example: string },
  ): ArgumentRule<readonly W[]> =>
  (raw) => {
    const fault = refused('fault.words', { allowed: words.join(', '), example })
    const items = itemsOf(raw)
    if ('fault' in items || items.value.length === 0) return fault
    const chosen = items.value.map((item) => (typeof item === 'string' && item !== '' ? read(item) : undefined))
    if (!chosen.every((word) => word !== undefined)) return fault
    const shown = [...new Set(chosen)]
    return chosen.every((word, place) => word === items.value[place])
      ? accepted(shown)
      : acceptedAs(shown, shown.join())
  }

const someSchema = (words: readonly string[]): JsonSchema => ({ type: 'array', items: wordSchema(words), minItems: 1 })

/** The filters of lists and feeds by what happens to events. */
export const stateFilterArguments = {
  event_status: {
    read: someOf(EVENT_STATUSES, { read: eventStatusFrom, example: 'canceled,postponed' }),
    description: 'event_status.filter',
    schema: someSchema(EVENT_STATUSES),
    isExtension: true,
  },
  attendance: {
    read: someOf(ATTENDANCES, { read: (item) => ATTENDANCES.find((one) => one === item), example: 'online,mixed' }),
    description: 'attendance.filter',
    schema: someSchema(ATTENDANCES),
    isExtension: true,
  },
} as const satisfies Arguments

export function stateFacetFilters({ eventStatuses, attendances }: EventQuery): readonly FacetFilter[] {
  return [...filterOf(EVENT_STATUSES, eventStatuses), ...filterOf(ATTENDANCES, attendances)]
}

/** Nearly all events have the first word, which has no facet: they have none of the other words. */
function filterOf<const W extends string>(
  [usual, ...others]: readonly [W, ...StateFacet[]],
  chosen: readonly (W | StateFacet)[] | undefined,
): readonly FacetFilter[] {
  if (!chosen) return []
  const isWithout = (chosen as readonly string[]).includes(usual)
  const facets = others.filter((word) => chosen.includes(word) !== isWithout).map(FACETS.state)
  return facets.length === 0 ? [] : [{ facets, isWithout }]
}
