import type { Facts, RecordFacts } from './facts.ts'
import * as see from './visibility.ts'

/** One question to a calendar, with the expected response for each caller. */
export interface Question {
  /** Below the namespace, or from the root if it begins with `//`. */
  readonly path: string
  readonly method?: 'GET' | 'OPTIONS'
  /** The properties of the request that matter, except the caller. */
  readonly asking?: Omit<see.Asking, 'caller'>
  /** The caller for whom the response is made, independent of the sender. */
  readonly seenBy?: see.Caller
  readonly expect: (caller: see.Caller) => ExpectedAnswer
}

/** The parts of a response that depend on the caller. */
export interface ExpectedAnswer {
  readonly status: number
  readonly code?: string
  readonly total?: number
  /** The items of the response; those of lists in order of id. */
  readonly shown?: readonly ExpectedItem[]
  /** For responses without ids: numbers of the events whose titles are in the response. */
  readonly events?: readonly number[]
  /** The field `Allow`, if the question is about it. */
  readonly allow?: string
}

export interface ExpectedItem {
  readonly id: number
  readonly isMasked?: boolean
  readonly venues?: readonly number[]
  readonly organizers?: readonly number[]
  readonly categories?: readonly number[]
  readonly tags?: readonly number[]
  readonly count?: number
}

/** A way to read something. Add every new route that shows records here. */
export interface ReadPath {
  readonly title: string
  readonly questions: (facts: Facts) => readonly Question[]
}

export const languages = [undefined, 'fr-CA', 'en-CA'] as const
export const statuses = [
  ...[undefined, 'publish', 'any', '', 'draft', 'pending', 'private', 'future', 'trash'],
  'publish,draft,trash',
] as const

export const ids = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id).toSorted((a, b) => a - b)
export const byId = <T extends { readonly id: number }>(items: readonly T[]) => items.toSorted((a, b) => a.id - b.id)
export const eventsOf = ({ records }: Facts) => records.filter(({ kind }) => kind === 'event')
export const entriesOf = ({ records }: Facts, kind: 'venue' | 'organizer') =>
  records.filter((record) => record.kind === kind)
export const queryOf = (pairs: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(pairs)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`)
    .join('&')

/**
 * Contract: an event that the caller may not read gives the same response as an event that does not exist
 * (rulings.md 10).
 */
export function named(facts: Facts, event: RecordFacts, caller: see.Caller, question: Question): ExpectedAnswer {
  const isNameable = see.nameableVersions(facts, caller, event).some(({ id }) => id === event.id)
  return isNameable ? question.expect(caller) : { status: 400, code: 'rest_invalid_param' }
}

export const everything = 'per_page=100'
