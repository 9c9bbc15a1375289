import type { RawParameters } from '../../access/http/arguments/argument.ts'
import type { Config } from '../../base/config/config.ts'
import type { FeedFormat } from '../feeds/feed.ts'

// Finds the view that an address requests (addresses.md): by its path below `/events/`, a category or a tag, and by the
// parameters of the reference in addition to our own.

export type ViewName = 'list' | 'month' | 'day' | 'map'

export interface ViewRequest {
  /** The pattern of this part of the address. */
  readonly route: string
  readonly view: ViewName
  /** The month or the day in the address. */
  readonly named: string | undefined
  /** Whether it replaces a view that the service does not have. */
  readonly isNearest: boolean
  /** Parameters that the path expresses. */
  readonly words: RawParameters
  /** The format, if the request asks for the events of the view as a feed. */
  readonly format: FeedFormat | undefined
}

interface ViewPath extends Pick<ViewRequest, 'route' | 'view'> {
  readonly pattern: RegExp
  readonly isNearest?: boolean
  readonly words?: RawParameters
}

const views: readonly ViewPath[] = [
  { route: '', pattern: /^(?:list)?$/, view: 'list' },
  { route: 'month/', pattern: /^month$/, view: 'month' },
  { route: 'month/{month}/', pattern: /^(?:month\/)?(\d{4}-\d\d)$/, view: 'month' },
  { route: 'today/', pattern: /^today$/, view: 'day' },
  { route: '{day}/', pattern: /^(\d{4}-\d\d-\d\d)$/, view: 'day' },
  { route: 'map/', pattern: /^map$/, view: 'map' },
  { route: 'day/{day}/', pattern: /^day(?:\/(\d{4}-\d\d-\d\d))?$/, view: 'day', isNearest: true },
  { route: 'week/', pattern: /^week(?:\/(\d{4}-\d\d-\d\d))?$/, view: 'month', isNearest: true },
  { route: 'photo/', pattern: /^(?:photo|summary)(?:\/(\d{4}-\d\d-\d\d))?$/, view: 'list', isNearest: true },
  { route: 'past/', pattern: /^past$/, view: 'list', isNearest: true, words: { past: '1' } },
]

/** Parts of a path for the values of `eventDisplay`. */
const displays: Readonly<Record<string, string>> = {
  ...{ month: 'month', day: 'today', map: 'map', week: 'week', photo: 'photo', summary: 'summary' },
}

const longestTail = 5

/**
 * Returns the number of parts before the name of a view, at least one. The name of the view takes as many parts as it
 * can.
 */
export function partsBeforeView(parts: readonly string[]): number {
  for (let before = Math.max(1, parts.length - longestTail); before < parts.length; before += 1) {
    if (parseViewPath(parts.slice(before))) return before
  }
  return parts.length
}

/** Returns the view that the last parts of a path name, or undefined if they name none. */
export function parseViewPath(parts: readonly string[]): ViewRequest | undefined {
  if (parts.length > longestTail) return undefined
  const { rest: others, format } = withoutFeed(parts)
  const { rest: unpaged, page } = withoutPage(others)
  const path = unpaged.filter((part) => part !== 'featured').join('/')
  const isFeatured = unpaged.includes('featured')
  for (const { pattern, route, view, isNearest = false, words } of views) {
    const match = pattern.exec(path)
    if (!match) continue
    const own = { ...words, ...(isFeatured ? { featured: '1' } : {}), ...(page === undefined ? {} : { page }) }
    return { route, view, named: match[1], isNearest, words: own, format }
  }
  return undefined
}

/** `…/ical/`, `…/feed/`, `…/feed/atom/`. */
function withoutFeed(parts: readonly string[]) {
  const [last = '', before = ''] = parts.toReversed()
  if (last === 'ical') return { rest: parts.slice(0, -1), format: 'ics' as const }
  if (last === 'feed') return { rest: parts.slice(0, -1), format: 'rss' as const }
  const format = before === 'feed' ? syndicationFormat(last) : undefined
  return { rest: format === undefined ? parts : parts.slice(0, -2), format }
}

/** `…/page/2/`. */
function withoutPage(parts: readonly string[]) {
  const [last = '', before = ''] = parts.toReversed()
  return before === 'page' && /^\d{1,6}$/.test(last)
    ? { rest: parts.slice(0, -2), page: last }
    : { rest: parts, page: undefined }
}

function syndicationFormat(name: string): FeedFormat | undefined {
  if (name === 'atom') return 'atom'
  return /^(?:rss2?|rdf|feed)$/.test(name) ? 'rss' : undefined
}

/**
 * First words of vendor parameters: the configured one, and that of the reference, whose links exist on other sites.
 */
export function vendorWords({ vendorWord }: Pick<Config, 'vendorWord'>): readonly string[] {
  return [...new Set([vendorWord, 'tribe'])]
}

/** Returns the value of a parameter whose name is a vendor word and this ending, for example `_events_cat`. */
export function vendorParameter(
  config: Pick<Config, 'vendorWord'>,
  query: RawParameters,
  ending: string,
): string | undefined {
  for (const word of vendorWords(config)) {
    const text = textIn(query, `${word}${ending}`)
    if (text !== undefined) return text
  }
  return undefined
}

function textIn(query: RawParameters, name: string): string | undefined {
  const text = query[name]
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/**
 * Returns the feed format that a query requests for the events of a view, or undefined if it requests the view itself.
 */
export function requestedFormat(query: RawParameters): FeedFormat | undefined {
  const isOn = (name: string) => (textIn(query, name) ?? '0') !== '0'
  if (isOn('ical') || isOn('outlook-ical')) return 'ics'
  const feed = textIn(query, 'feed')
  return feed === undefined ? undefined : syndicationFormat(feed)
}

/** Returns the view of an address, from its path and the parameters of the reference. */
export function resolveView(asked: ViewRequest, query: RawParameters): ViewRequest {
  const display = asked.route === '' ? displays[textIn(query, 'eventDisplay') ?? ''] : undefined
  const shown = display === undefined ? undefined : parseViewPath([display])
  if (!shown) return asked
  return { ...asked, ...shown, words: { ...asked.words, ...shown.words }, format: asked.format }
}

/**
 * Translates the query of a view to our own parameters. Those of the reference mean the same; the path takes
 * precedence.
 */
export function normalizedQuery(
  config: Pick<Config, 'vendorWord'>,
  query: RawParameters,
  { words, view, named }: ViewRequest,
): RawParameters {
  const date = named ?? dateIn(config, query)
  const found = {
    search: textIn(query, 'search') ?? vendorParameter(config, query, '-bar-search'),
    category: textIn(query, 'category') ?? vendorParameter(config, query, '_events_cat'),
    from: textIn(query, 'from') ?? (view === 'list' && date !== undefined ? wholeDate(date) : undefined),
    page: textIn(query, 'page') ?? textIn(query, 'paged'),
    past: textIn(query, 'past') ?? (textIn(query, 'eventDisplay') === 'past' ? '1' : undefined),
    featured: /^(?:1|true)$/.test(textIn(query, 'featured') ?? '') ? '1' : undefined,
    ...words,
  }
  const { featured: _featured, ...others } = query
  return { ...others, ...Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined)) }
}

/** Returns the month or the day that a view must show, or undefined if the address names none. */
export function requestedDate(
  config: Pick<Config, 'vendorWord'>,
  query: RawParameters,
  { view, named }: ViewRequest,
): string | undefined {
  const date = named ?? dateIn(config, query)
  if (date === undefined) return undefined
  return view === 'month' ? date.slice(0, 7) : wholeDate(date)
}

function dateIn(config: Pick<Config, 'vendorWord'>, query: RawParameters): string | undefined {
  const text = textIn(query, 'eventDate') ?? vendorParameter(config, query, '-bar-date')
  return text !== undefined && /^\d{4}-\d\d(?:-\d\d)?$/.test(text) ? text : undefined
}

function wholeDate(date: string): string {
  return date.length === 7 ? `${date}-01` : date
}
