import { mayRead } from '../../access/auth/policy.ts'
import type { RawParameters } from '../../access/http/arguments/argument.ts'
import type { Config } from '../../base/config/config.ts'
import { TEXT_LANGUAGE_PATHS, textLanguageOf } from '../../base/languages/language.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { partsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import { findEventOfPage } from '../../calendar/events/read/read.service.ts'
import { listSuccessors } from '../../calendar/records/former.repository.ts'
import { findOwnedRecord, findRecordKind } from '../../calendar/records/record.repository.ts'
import { listTranslationAddresses } from '../../calendar/records/record.translations.repository.ts'
import type { RecordKind } from '../../calendar/records/record.ts'
import { findByOldId } from '../../calendar/sources/source.repository.ts'
import { calendarOfEvent } from '../feeds/event.calendar.routes.ts'
import type { FeedFormat } from '../feeds/feed.ts'
import { eventFrame } from './event/event.frame.ts'
import { datePage, eventPage, hasEventPage } from './event/event.page.ts'
import { absolute } from './frame/meta.ts'
import type { PageAnswer, PageCall, PlainText } from './frame/page.ts'
import { guidePage } from './guides/guide.page.ts'
import { organizerPage, venuePage } from './list/directory.page.ts'
import { today, untilMidnight } from './list/event.lists.ts'
import { inLanguage, pathOf } from './page.addresses.ts'
import { notFoundPage } from './problem.page.ts'
import { sitemapFile, sitemapIndex } from './robots/sitemap.ts'
import { allDatesPage, noDatePage, seriesPage, seriesRedirect } from './series/series.page.ts'
import {
  parseViewPath,
  partsBeforeView,
  requestedFormat,
  resolveView,
  type ViewRequest,
  vendorParameter,
  vendorWords,
} from './view.address.ts'
import { categoryView, viewPage } from './view.page.ts'

/** Robots may read the months and days of this many years before and after the current one. */
const yearsBefore = 1
const yearsAfter = 2

/**
 * Answers `/robots.txt` (RFC 9309). Robots may read the interface, feeds and pages (addresses.md). Unbounded addresses
 * are disallowed: searches, distant months and days, views of the map, and methods other than reading ones.
 *
 * The longest matching rule wins. Some robots take the first match instead, so `Allow` rules come first.
 */
async function robots(call: PageCall): Promise<PlainText> {
  const { addresses } = call
  const below = new URL(addresses.site).pathname.replace(/\/$/, '')
  const { year } = partsOfLocalDateTime(today(call))
  const years = Array.from({ length: yearsBefore + 1 + yearsAfter }, (_, place) =>
    String(year - yearsBefore + place).padStart(4, '0'),
  )
  const views = Object.values(TEXT_LANGUAGE_PATHS).flatMap((language) =>
    ['/events/', '/events/month/'].map((path) => `${language}${path}`),
  )
  const open = views.flatMap((view) => years.map((near) => `${view}${near}-`))
  const closed = [
    ...[
      '/*?*search=',
      '/*?*_method=',
      ...Object.values(TEXT_LANGUAGE_PATHS).map((language) => `${language}/events/map/*?`),
      ...Object.values(TEXT_LANGUAGE_PATHS).map((language) => `${language}/admin/`),
    ],
    ...views.flatMap((view) => Array.from({ length: 10 }, (_, digit) => `${view}${digit}`)),
  ]
  const lines = [
    'User-agent: *',
    ...open.map((path) => `Allow: ${below}${path}`),
    ...closed.map((path) => `Disallow: ${below}${path}`),
    '',
    `Sitemap: ${absolute(addresses, '/sitemap.xml')}`,
    '',
  ]
  return { kind: 'text', type: 'text/plain; charset=utf-8', text: lines.join('\n'), freshUntil: untilMidnight(call) }
}

/** The function that makes the page of an address. */
type PageHandler = (call: PageCall) => Promise<PageAnswer>

/** A page that was found, with the pattern of its address. */
export interface PageMatch {
  readonly route: string
  readonly show: PageHandler
  /** The format, if the request asks for the content of the page as a feed. */
  readonly format?: FeedFormat | undefined
  /** Whether it surely takes no more than a few milliseconds. All other pages are made in reader threads. */
  readonly isShort?: boolean | undefined
}

interface PageRoute {
  readonly route: string
  readonly pattern: RegExp
  readonly show: (call: PageCall, ...parts: string[]) => Promise<PageAnswer>
  readonly isShort?: boolean
  /** The format of the feed that the address itself requests. */
  readonly format?: FeedFormat
}

/** The day of a date of a series, and its number if the day has several. */
const datePattern = String.raw`(\d{4}-\d\d-\d\d)(?:/(\d{1,4}))?`

/**
 * Pages of a single record, by their path below the language. Each ends with a slash; a path without it redirects
 * there.
 */
const recordRoutes: readonly PageRoute[] = [
  {
    route: '/event/{slug}/',
    pattern: /^\/event\/([^/]+)$/,
    show: async (call, slug = '') =>
      (call.format === 'ics' && (await eventCalendar(call, slug))) ||
      ((await eventPage(call, slug)) ?? seriesPage(call, slug)),
    isShort: true,
  },
  { route: '/event/{slug}/embed/', pattern: /^\/event\/([^/]+)\/embed$/, show: eventFrame, isShort: true },
  { route: '/event/{slug}/ical/', pattern: /^\/event\/([^/]+)\/ical$/, show: seriesPage, format: 'ics' },
  {
    route: '/event/{slug}/{date}/',
    pattern: new RegExp(`^/event/([^/]+)/${datePattern}$`),
    show: async (call, slug = '', ...date) => {
      const path = [slug, ...date].filter((part) => part !== '').join('/')
      return (
        (call.format === 'ics' && (await eventCalendar(call, path))) ||
        ((await datePage(call, path)) ?? (await singleEvent(call, slug)) ?? noDatePage(call, slug))
      )
    },
    isShort: true,
  },
  {
    route: '/event/{slug}/{date}/embed/',
    pattern: new RegExp(`^/event/([^/]+)/${datePattern}/embed$`),
    show: (call, ...parts) => eventFrame(call, parts.filter((part) => part !== '').join('/')),
    isShort: true,
  },
  {
    route: '/event/{slug}/all/',
    pattern: /^\/event\/([^/]+)\/all$/,
    show: async (call, slug = '') => (await singleEvent(call, slug)) ?? allDatesPage(call, slug),
  },
  { route: '/event/{slug}/all/ical/', pattern: /^\/event\/([^/]+)\/all\/ical$/, show: seriesPage, format: 'ics' },
  { route: '/series/{slug}/', pattern: /^\/series\/([^/]+)$/, show: seriesRedirect, isShort: true },
  { route: '/venue/{slug}/', pattern: /^\/venue\/([^/]+)$/, show: venuePage },
  { route: '/organizer/{slug}/', pattern: /^\/organizer\/([^/]+)$/, show: organizerPage },
]

/** Files for machines, at the root of the site. */
const fileRoutes: readonly PageRoute[] = [
  { route: '/robots.txt', pattern: /^\/robots\.txt$/, show: robots, isShort: true },
  { route: '/sitemap.xml', pattern: /^\/sitemap\.xml$/, show: sitemapIndex },
  {
    route: '/wp-sitemap.xml',
    pattern: /^\/wp-sitemap\.xml$/,
    show: async (call) => ({ kind: 'elsewhere', status: 301, url: pathOf(call, '/sitemap.xml') }),
    isShort: true,
  },
  {
    route: '/sitemap-{number}.xml',
    pattern: /^\/sitemap-(\d{1,6})\.xml$/,
    show: async (call, number = '') => (await sitemapFile(call, number)) ?? notFoundPage(call),
  },
]

/** Returns the page at a path below the language, or undefined if no page has that path. */
export function matchPage(config: Config, path: string, query: RawParameters): PageMatch | undefined {
  const front = matchRootQuery(config, path, query)
  if (front) return front
  for (const { route, pattern, show, isShort } of fileRoutes) {
    const match = pattern.exec(path)
    if (match) return { route, isShort, show: (call) => show(call, ...match.slice(1)) }
  }
  const bare = path.replace(/\/$/, '')
  const found = matchView(bare, query) ?? matchRecord(bare, query) ?? matchGuide(bare)
  return found && (path.endsWith('/') ? found : { route: found.route, show: redirectWithSlash, isShort: true })
}

function matchRecord(bare: string, query: RawParameters): PageMatch | undefined {
  for (const { route, pattern, show, isShort, format = requestedFormat(query) } of recordRoutes) {
    const match = pattern.exec(bare)
    const parts = match?.slice(1).map((part = '') => slugFrom(part))
    if (parts) return { route, isShort, show: (call) => show(call, ...parts), format }
  }
  return undefined
}

/** Matches guides. The files of the API reference beside them have an extension. */
function matchGuide(bare: string): PageMatch | undefined {
  const [, name] = /^\/docs\/([a-z0-9/-]+)$/.exec(bare) ?? []
  return name === undefined ? undefined : { route: '/docs/{guide}/', show: (call) => guidePage(call, name) }
}

/** Redirects to the page of an ordinary event, from addresses that only series have. */
async function singleEvent(call: PageCall, slug: string): Promise<PageAnswer | undefined> {
  return (await hasEventPage(call, slug)) ? redirectTo(call, `/event/${slug}/`, 302) : undefined
}

/** Matches views of all events, of a category and of a tag. All three have the same parts below them. */
function matchView(bare: string, query: RawParameters): PageMatch | undefined {
  const [, first = '', ...parts] = bare.split('/')
  const found = (
    base: string,
    asked: ViewRequest | undefined,
    show: (call: PageCall, view: ViewRequest) => ReturnType<PageHandler>,
  ) => {
    if (!asked) return undefined
    const view = resolveView(asked, query)
    const format = view.format ?? requestedFormat(query)
    return { route: `${base}${view.route}`, format, show: (call: PageCall) => show(call, view) }
  }
  const ofAll = (call: PageCall, view: ViewRequest) => viewPage(call, { taxonomy: undefined }, view)
  if (first === 'event' && parts.length === 0) return found('/event/', parseViewPath([]), ofAll)
  if (first === 'feed') return found('/', parseViewPath([first, ...parts]), ofAll)
  const [second, slug = '', ...others] = first === 'tag' ? ['tag', ...parts] : parts
  if (first !== 'events' && first !== 'tag') return undefined
  if (second === 'category' && slug !== '') {
    const line = [slug, ...others]
    const slugs = partsBeforeView(line)
    return found('/events/category/{slug}/', parseViewPath(line.slice(slugs)), (call, asked) =>
      categoryView(call, line, { slugs, asked }),
    )
  }
  if (second === 'tag' && slug !== '') {
    const base = first === 'tag' ? '/tag/{slug}/' : '/events/tag/{slug}/'
    return found(base, parseViewPath(others), (call, view) =>
      viewPage(call, { taxonomy: 'tag', line: slugFrom(slug) }, view),
    )
  }
  return first === 'events' ? found('/events/', parseViewPath(parts), ofAll) : undefined
}

/** Record kinds that the reference has a parameter for, by the word of the parameter: `/?tribe_events={slug}`. */
const rootQueryKinds: Readonly<Record<string, string>> = { events: 'event', venue: 'venue', organizer: 'organizer' }

/** Matches requests to the root by parameters alone, as sites without readable addresses use them (addresses.md). */
function matchRootQuery(config: Config, path: string, query: RawParameters): PageMatch | undefined {
  if (!/^\/(?:index\.php)?$/.test(path) || query.rest_route !== undefined) return undefined
  if (typeof query.p === 'string' && query.p !== '')
    return { route: '/?p={id}', show: idPage, format: requestedFormat(query) }
  for (const [ending, kind] of Object.entries(rootQueryKinds)) {
    const slug = vendorParameter(config, query, `_${ending}`)
    const found = slug === undefined ? undefined : matchRecord(`/${kind}/${encodeURIComponent(slug)}`, query)
    if (found) return found
  }
  const category = vendorParameter(config, query, '_events_cat')
  if (category !== undefined) {
    const slugs = category.split('/').map(slugFrom).join('/')
    return {
      route: '/?{vendor}_events_cat={slug}',
      show: async (call) => redirectTo(call, `/events/category/${slugs}/`, 301),
      isShort: true,
    }
  }
  const isOfEvents = vendorWords(config).some((word) => query.post_type === `${word}_events`)
  return isOfEvents || requestedFormat(query) ? matchView('/events', query) : undefined
}

/** Reports if a parameter only selects the page. The address of the page replaces it. */
function isRoutingParameter(config: Config, name: string): boolean {
  return name === 'post_type' || vendorWords(config).some((word) => name === `${word}_events_cat`)
}

/** Redirects to a path below the language and keeps all other parameters. */
function redirectTo(call: PageCall, path: string, status: 301 | 302): PageAnswer {
  const kept = new URLSearchParams(call.search)
  for (const name of [...kept.keys()]) if (isRoutingParameter(call.deps.config, name)) kept.delete(name)
  const query = kept.size === 0 ? '' : `?${kept}`
  return { kind: 'elsewhere', status, url: pathOf(call, `${inLanguage(call, path)}${query}`) }
}

async function redirectWithSlash(call: PageCall): Promise<PageAnswer> {
  const { addresses, path, search } = call
  const address = `${inLanguage(call, path)}/${search === '' ? '' : `?${search}`}`
  return { kind: 'elsewhere', status: 301, url: pathOf({ addresses }, address) }
}

/**
 * Answers `/event/{slug}/?ical=1` with the calendar of one event. Undefined if visitors see no event there.
 *
 * @param end The slug, or the path of a date of a series.
 */
async function eventCalendar(call: PageCall, end: string): Promise<PageAnswer | undefined> {
  const { deps, viewer } = call
  const event = await findEventOfPage(deps.storage, viewer, end)
  if (!event) return undefined
  const { type, text, fileName, lastModified } = await calendarOfEvent(deps, call, event)
  return { kind: 'text', type, text, fileName, lastModified }
}

/**
 * Answers `/?p={id}`, with or without `post_type`: the address of an unpublished record, or of one on the site from which
 * it was imported. Old addresses come first: nobody but the editors knows those of this service. Visitors get 404 until
 * the record is published, and a redirect to its page afterwards (addresses.md).
 */
async function idPage(call: PageCall): Promise<PageAnswer> {
  const { deps, addresses, viewer, query } = call
  const { db } = deps.storage
  const sent = typeof query.p === 'string' && /^\d{1,15}$/.test(query.p) ? Number(query.p) : 0
  const known = (await findByOldId(db, sent, new URL(addresses.site).host)) ?? sent
  const id = (await listSuccessors(db, ['venue', 'organizer'], [known])).get(known) ?? known
  const found = await findRecordKind(db, id)
  // Pictures and templates of series have no page.
  const kind = found === 'media' || found === 'series' ? undefined : (found as RecordKind | undefined)
  const owned = kind === undefined ? undefined : await findOwnedRecord(db, kind, id)
  const [version] = owned && mayRead(viewer.actor, owned) ? await listTranslationAddresses(db, [id]) : []
  if (!version || kind === undefined || owned?.status === 'trash') return notFoundPage(call)
  const path = inLanguage(call, `/${kind}/${version.end}/`, textLanguageOf(version.language))
  return { kind: 'elsewhere', status: 301, url: pathOf(call, path) }
}
