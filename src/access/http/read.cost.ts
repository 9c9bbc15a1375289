import type { AskedRead, Endpoint } from './route.ts'

// Which reads are surely short. They are answered in the main thread, because sending them to a reader thread would
// cost more than answering them. Everything that is not listed here counts as long.

const shortPage = { perPage: 50, page: 20 }
const maxFilters = 2
const number = /^\d{1,15}$/
/** An id, or that only featured events are wanted. The others have no index. */
const oneValue = /^(?:\d{1,15}|true)$/
const shortText = /^[^,]{0,100}$/

/** Parameters that only shape a response (conventions.md §6). */
const shaping = ['_fields', '_envelope', '_jsonp', 'context']

/** The rule of reads that are short with any parameters, such as those of a few rows. */
export const alwaysShort = (): boolean => true

/** The parameters of a list that keep it short. */
interface ShortList {
  /** Parameters that cost nothing, such as dates, which limit a range of an index. */
  readonly free: readonly string[]
  /** Filters with an index. At most two of them may be sent, each with one value. */
  readonly filters: readonly string[]
}

/**
 * Returns the rule of a list: for a visitor, a small page near the start is short, if only these parameters are sent.
 */
export function shortList({ free, filters }: ShortList): (asked: AskedRead) => boolean {
  const freely = new Set([...free, ...shaping])
  return ({ query, actor, languageParameter }) => {
    if (actor.kind !== 'visitor') return false
    let count = 0
    for (const [name, value] of Object.entries(query)) {
      if (typeof value !== 'string') return false
      if (name === 'per_page' || name === 'page') {
        if (!number.test(value) || Number(value) > (name === 'page' ? shortPage.page : shortPage.perPage)) return false
      } else if (filters.includes(name)) {
        count += 1
        if (count > maxFilters || value === '0' || !oneValue.test(value)) return false
      } else if (!(freely.has(name) || name === languageParameter) || !shortText.test(value)) return false
    }
    return true
  }
}

/**
 * Returns whether the response to a read is surely short.
 *
 * @param asked The parameters as the endpoint will see them, because parsers of queries differ.
 */
export function isShortRead(
  { path, isShort }: Pick<Endpoint, 'path' | 'isShort'>,
  asked: AskedRead & { readonly body?: Buffer | undefined },
): boolean {
  // Filters may also be in a body.
  if (asked.body?.length) return false
  return isShort ? isShort(asked) : Object.keys(path).length > 0
}
