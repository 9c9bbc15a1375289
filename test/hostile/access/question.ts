import type { Facts, RecordFacts } from './facts.ts'
import * as see from './visibility.ts'

/** One thing to ask of a calendar, and what each caller is to be told. */
export interface Question {
  /** Below the namespace, or from the root where it begins with `//`. */
  readonly path: string
  readonly method?: 'GET' | 'OPTIONS'
  /** What the path says beside whom it asks about. */
  readonly asking?: Omit<see.Asking, 'caller'>
  /** Who is shown it, whoever asks. */
  readonly seenBy?: see.Caller
  readonly expect: (caller: see.Caller) => ExpectedAnswer
}

/** What an answer tells, as far as it depends on who asks. */
export interface ExpectedAnswer {
  readonly status: number
  readonly code?: string
  readonly total?: number
  /** What is shown: of lists in order of id. */
  readonly shown?: readonly ExpectedItem[]
  /** Of what has no ids: numbers of the events whose titles are in it. */
  readonly events?: readonly number[]
  /** The header `Allow`, where the question is about it. */
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

/** A way to read something. Whoever adds a route that shows records adds it here. */
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

/** Contract: an event that the caller may not read is as unknown as one that is not there (rulings.md 10). */
export function named(facts: Facts, event: RecordFacts, caller: see.Caller, question: Question): ExpectedAnswer {
  const isNameable = see.nameableVersions(facts, caller, event).some(({ id }) => id === event.id)
  return isNameable ? question.expect(caller) : { status: 400, code: 'rest_invalid_param' }
}

export const everything = 'per_page=100'
