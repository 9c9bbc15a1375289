import { COUNTS, YEARS } from './dataset.ts'
import type { Calendar, Caller, Kind, Value } from './dear.kind.ts'
import { allYears, knownValues, searches } from './dear.values.ts'

// The dear kinds of requests: searches, filters, pages of lists, feeds, pages, and lists of editors. At most 150, so that
// all of them are measured in some minutes.

const api = '/cal/events/v1'
const service = '/cal/service/v1'
const year = Math.round((YEARS.first + YEARS.last) / 2)
const yearsOfPage = { from: `${YEARS.first}-01-01`, to: `${YEARS.last}-12-31` }

type Query = Kind['query']

function get(path: string, query: Query = {}, caller: Caller = 'visitor'): Kind {
  return { caller, path, query }
}

/** Returns the same list of events in the default window of two years, and in all years. */
const inBoth = (query: Query): readonly Kind[] =>
  [query, { ...query, ...allYears }].map((one) => get(`${api}/events`, one))
const inAllYears = (query: Query, caller?: Caller) => get(`${api}/events`, { ...query, ...allYears }, caller)

/** Returns as many ids in each turn, the most used ones first. */
const ids =
  (first: number, count: number): Value =>
  (turn) =>
    Array.from({ length: count }, (_, at) => first + turn + at).join()
const venues = (count: number) => ({ venue: ids(1, count) })
const tags = (count: number) => ({ tags: ids(COUNTS.categories + 1, count) })
const letter: Value = (turn) => 'aeo'[turn % 3] ?? ''

export function kindsOf(calendar: Calendar): readonly Kind[] {
  const values = knownValues(calendar)
  const filters = (['categories', 'tags', 'venue', 'organizer', 'include'] as const).flatMap((name) =>
    values[name].slice(0, 4).map((value): Query => ({ [name]: value })),
  )
  const near = ['1', '30', '20000'].map((radius) => ({
    geoloc_lat: '45.5',
    geoloc_lng: '-73.6',
    geoloc_radius: radius,
  }))
  const frequent = { search: searches.frequentPiece }
  return [
    ...Object.values(searches).flatMap((search) => inBoth({ search })),
    ...[{}, { featured: 'true' }, ...filters, ...near].flatMap(inBoth),
    ...[5, 100].flatMap((count) => [
      ...inBoth({ ...venues(count), ...tags(count) }),
      inAllYears(venues(count)),
      inAllYears(tags(count)),
    ]),
    inAllYears({ ...tags(100), ...frequent }),
    inAllYears({ ...venues(100), ...frequent }),
    inAllYears({ ...tags(100), ...venues(100), ...frequent, featured: 'true' }),
    ...[{ per_page: '50', page: values.page[2] }, { per_page: '1000000' }, { orderby: 'title' }].map((query) =>
      inAllYears(query),
    ),
    ...['ics', 'csv', 'rss'].flatMap((format) =>
      [{}, frequent, { per_page: '1000', page: (turn: number) => String(1 + turn * 7) }].map((query) =>
        get(`${api}/events.${format}`, { ...query, ...allYears }),
      ),
    ),
    ...(['venues', 'organizers', 'categories', 'tags'] as const).flatMap((kind) => [
      get(`${api}/${kind}`, { search: letter }),
      get(
        `${api}/${kind}`,
        kind === 'venues' || kind === 'organizers' ? { has_events: 'true' } : { hide_empty: 'true' },
      ),
    ]),
    ...['/events/', `/events/month/${year}-06/`, '/events/map/'].flatMap((view) => [
      get(view),
      get(view, { search: letter, category: letter, tag: letter, venue: letter, ...yearsOfPage }),
    ]),
    ...['/sitemap.xml', '/sitemap-1.xml', '/events/category/term-1/', '/venue/place-1/'].map((path) => get(path)),
    ...(['administrator', 'author'] as const).flatMap((caller) => [
      inAllYears(frequent, caller),
      inAllYears({ search: searches.oneLetter, status: 'publish,draft,pending' }, caller),
      get(`${service}/events`, { search: letter, ...allYears }, caller),
      get(`${service}/events/counts`, { search: letter, ...allYears }, caller),
      get(`${service}/events`, { orderby: 'title', ...allYears }, caller),
    ]),
  ]
}
