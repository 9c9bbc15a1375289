import { COUNTS, YEARS } from './dataset.ts'
import { randomFrom } from './random.ts'
import { searchedWords } from './texts.ts'

/** Yields lists that were not requested before: random date filters, other filters and pages, the same at every run. */
export function* newLists(seed: number): Generator<string> {
  const random = randomFrom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const first = Date.UTC(YEARS.first, 0, 1)
  const days = (Date.UTC(YEARS.last, 11, 31) - first) / 86_400_000
  const day = (number: number) => new Date(first + number * 86_400_000).toISOString().slice(0, 10)
  const filters = [
    () => `categories=${1 + below(COUNTS.categories)}`,
    () => `tags=${COUNTS.categories + 1 + below(COUNTS.tags)}`,
    () => `venue=${1 + below(COUNTS.venues)}`,
    () => `organizer=${COUNTS.venues + 1 + below(COUNTS.organizers)}`,
    () => 'featured=true',
  ]
  for (;;) {
    // From a week to two years, short ones more often.
    const length = Math.round(7 * (730 / 7) ** random())
    const start = below(days - length)
    const pairs = [`start_date=${day(start)}`, `end_date=${day(start + length)}`, `per_page=${10 + below(41)}`]
    for (let count = below(3); count > 0; count -= 1) pairs.push(filters[below(filters.length)]?.() ?? '')
    if (below(4) === 0) pairs.push('ml_language=fr-CA')
    if (below(3) === 0) pairs.push(`page=${1 + below(3)}`)
    yield `/events?${pairs.join('&')}`
  }
}

/** Returns searches within the default date range, each once. */
export function newSearches(): readonly string[] {
  return searchedWords().map((word) => `/events?search=${encodeURIComponent(word)}`)
}
