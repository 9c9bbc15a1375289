import type { Arguments } from '../../src/access/http/argument.ts'
import type { DescribedRoute } from '../../src/access/http/namespace.ts'
import { contract, serviceNamespaces } from '../../src/api.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { CALLERS, type Calendar, type Kind } from './dear.kind.ts'
import { otherKinds } from './dear.others.ts'
import { allYears, type Piece, piecesOf, searches } from './dear.values.ts'

// The kinds come from the tables of arguments: every parameter alone at its bounds, and together with the dear ones.

const partnersOfList = 4
const partnersOfFeed = 6

type Endpoint = DescribedRoute['endpoints'][number]

/** Parameters of all endpoints of the contract, which shape an answer. */
const shapes: readonly Piece[] = [
  [['_fields', 'id,title,venue.venue']],
  [['_fields', Array.from({ length: 500 }, (_, place) => `f${place}.x.y`).join()]],
  [['_embed', '1']],
  [['_envelope', '1']],
  [['_jsonp', 'show']],
  [['_pretty', '1']],
  [['ml_language', 'fr-CA']],
]

/** Returns all kinds of requests, of all callers. */
export function kindsOf(calendar: Calendar): readonly Kind[] {
  const config = readConfig({ DATA_DIR: '.', LOG_LEVEL: 'silent' })
  const namespaces = [contract, ...serviceNamespaces].filter(({ isServed }) => isServed?.(config) !== false)
  const reads = namespaces.flatMap((namespace) =>
    namespace.routes.flatMap((route) =>
      route.endpoints
        .filter(({ methods }) => methods.includes('GET'))
        .map((endpoint) => ({
          path: filled(`${config.restPrefix}/${namespace.name(config)}${route.path}`, calendar),
          shapes: namespace.policy.document.hasSharedParameters ? shapes : [],
          endpoint,
        })),
    ),
  )
  return [
    ...CALLERS.flatMap((caller) =>
      reads.flatMap(({ path, endpoint, shapes }) => {
        const feed = /\.(\w+)$/.exec(path)?.[1]
        // Feeds take what the list of events takes, so one format and one caller are enough for each parameter.
        const queries =
          feed === undefined || (feed === 'ics' && caller === 'visitor')
            ? queriesOf(endpoint, calendar, feed === undefined ? shapes : undefined)
            : [[], ...dearPieces(endpoint, calendar).slice(0, partnersOfFeed)]
        return queries.map((query): Kind => ({ caller, method: 'GET', path, query }))
      }),
    ),
    ...otherKinds(calendar),
  ]
}

function filled(path: string, { firstEvent }: Calendar): string {
  const ids: readonly (readonly [string, number, string])[] = [
    ['/events/', firstEvent, 'event-1'],
    ['/venues/', 1, 'place-1'],
    ['/organizers/', 2001, 'place-2001'],
    ['/categories/', 1, 'term-1'],
    ['/tags/', 61, 'term-61'],
    ['', 1, '1'],
  ]
  const [, id = 1, slug = ''] = ids.find(([part]) => path.includes(part)) ?? []
  return path.replace('{id}', String(id)).replace('{slug}', slug).replace('{user}', 'me')
}

/**
 * Returns the queries of an endpoint: nothing, each piece alone, and each together with each dear one.
 *
 * @param shapes Undefined for a feed, which has one value of each parameter: it reads up to two thousand events each time.
 */
function queriesOf(endpoint: Endpoint, calendar: Calendar, shapes: readonly Piece[] | undefined): readonly Piece[] {
  const isFeed = shapes === undefined
  const alone = Object.entries(endpoint.args as Arguments).flatMap(([name, { schema }]) =>
    piecesOf(name, schema, calendar).slice(isFeed ? -1 : 0),
  )
  const dear = dearPieces(endpoint, calendar)
  const isListOfEvents = endpoint.args.start_date !== undefined
  const partners = dear.slice(0, isListOfEvents && !isFeed ? partnersOfList : 1)
  const pairs = isListOfEvents && !isFeed ? dear : []
  return distinct([
    [],
    ...alone,
    ...dear,
    ...(shapes ?? []),
    ...partners.flatMap((partner) => alone.map((piece) => joined(piece, partner))),
    ...pairs.flatMap((one, place) => pairs.slice(place + 1).map((other) => joined(one, other))),
    ...(dear.length > 2 ? [dear.reduce(joined, [])] : []),
  ])
}

/** Returns what is dear together with other parameters, the usual partners first. */
function dearPieces({ args }: Endpoint, calendar: Calendar): readonly Piece[] {
  const has = (name: string) => args[name] !== undefined
  const piece = (name: string, place: number): readonly Piece[] =>
    has(name) ? [piecesOf(name, args[name]?.schema ?? {}, calendar).at(place) ?? []] : []
  return [
    ...(has('start_date') ? [allYears] : []),
    ...(has('search') ? [[['search', searches.frequentPiece ?? '']] as Piece] : []),
    ...piece('venue', 1),
    ...piece('tags', 1),
    ...(has('start_date') ? [[...allYears, ['per_page', '1000000'] as const]] : []),
    ...(has('search') ? [[['search', searches.oneLetter ?? '']] as Piece] : []),
    ...piece('organizer', 1),
    ...piece('categories', 1),
    ...piece('featured', 1),
    ...piece('geoloc_radius', 1),
    ...piece('status', -1),
    ...piece('has_events', 1),
    ...piece('hide_empty', 1),
    ...piece('per_page', 1),
    ...(has('page') && has('start_date') ? [joined(piece('page', 2)[0] ?? [], allYears)] : []),
  ]
}

/** Returns both pieces. A parameter of the first one stays. */
function joined(one: Piece, other: Piece): Piece {
  return [...one, ...other.filter(([name]) => !one.some(([taken]) => taken === name))]
}

function distinct(queries: readonly Piece[]): readonly Piece[] {
  const told = (query: Piece) =>
    query
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : value(0)}`)
      .toSorted()
      .join('&')
  return [...new Map(queries.map((query) => [told(query), query])).values()]
}
