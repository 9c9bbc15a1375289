import { isSignedIn } from '../../access/auth/actor.ts'
import { dateHeader, etagOf } from '../../access/http/answers/etag.ts'
import { oneOf } from '../../access/http/arguments/argument.rules.ts'
import { wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import { formatSent, pageRequest, totalHeaders } from '../../access/http/arguments/paging.ts'
import type { Call } from '../../access/http/call.ts'
import { type EndpointResult, endpoint, openToAll, type Route } from '../../access/http/route.ts'
import { TEXT_LANGUAGE_CODES } from '../../base/languages/language.ts'
import { clientNetworkOf } from '../../base/limits/client.ts'
import {
  type EventListArguments,
  eventListArguments,
  type Occurrences,
  occurrencesArgument,
} from '../../calendar/events/list/list.arguments.ts'
import { eventListRequest, type ListCall } from '../../calendar/events/list/list.request.ts'
import { reportIgnoredParameters } from '../../calendar/events/list/list.routes.ts'
import { type EventKeyPage, readEventKeyPage } from '../../calendar/events/list/list.service.ts'
import { orderFrom } from '../../calendar/events/list/order.ts'
import type { EventOrder } from '../../calendar/events/list/query.ts'
import { contentLanguage } from '../../calendar/translations/viewer.ts'
import { readShownLinks } from '../../storage/database/revision.ts'
import { referenceTable, table } from './csv.ts'
import { feedUrl } from './feed.addresses.ts'
import { generateFeed } from './feed.generation.ts'
import { calendarIdentity } from './feed.identity.repository.ts'
import { feedMemory, feedState } from './feed.known.ts'
import { readSeriesOfFeed } from './feed.series.repository.ts'
import { FEED_FORMATS, type Feed, type FeedFormat, type FeedWriter } from './feed.ts'
import { repeatingCalendar } from './ical.series.ts'
import { atom, rss } from './rss.atom.ts'

/** The columns that a table can have: those of the list as JSON, or those of The Events Calendar. */
const profileArgument = {
  profile: {
    read: oneOf(['tec'] as const),
    description: 'profile',
    schema: wordSchema(['tec']),
    isExtension: true,
  },
} as const satisfies Arguments

type FeedArguments = EventListArguments & Partial<typeof profileArgument>

/** How a process that gives out a whole calendar reads its feeds. */
export interface WholeCalendar {
  readonly maxPerPage: number
  readonly onRead?: ((done: number, total: number) => void) | undefined
}

interface FeedOptions {
  readonly writer: FeedWriter
  /** How the dates of series are written if the request does not say. */
  readonly occurrences: Occurrences
  /** What it is ordered by if the request does not say. By default as lists are. */
  readonly orderby?: EventOrder['by']
  readonly operation: string
  readonly mimeType: string
  /** Default and maximum number of events. */
  readonly sizes: { readonly perPage: number; readonly maxPerPage: number }
}

// Calendars and spreadsheets do not turn pages. Their default has room for a year with two or three events a day. News
// readers do not turn pages either, but they poll often and show new entries.
const whole = { perPage: 1000, maxPerPage: 2000 }
const recent = { perPage: 50, maxPerPage: 500 }

const forms: Readonly<Record<FeedFormat, FeedOptions>> = {
  ics: {
    ...{ writer: repeatingCalendar, operation: 'listEventsAsCalendar', mimeType: 'text/calendar', sizes: whole },
    occurrences: 'rule',
  },
  // News readers would show each date of a series as something new. Many show entries in the order of the feed.
  rss: {
    ...{ writer: rss, operation: 'listEventsAsRss', mimeType: 'application/rss+xml', sizes: recent },
    ...{ occurrences: 'next', orderby: 'published' },
  },
  atom: {
    ...{ writer: atom, operation: 'listEventsAsAtom', mimeType: 'application/atom+xml', sizes: recent },
    ...{ occurrences: 'next', orderby: 'published' },
  },
  csv: {
    ...{ writer: table, operation: 'listEventsAsTable', mimeType: 'text/csv', sizes: whole },
    occurrences: 'each',
  },
}

/** Returns the feeds of the list of events, which accept the same parameters as the list. */
export const feedRoutesOf = (whole?: WholeCalendar): readonly Route[] =>
  FEED_FORMATS.map((format) => ({
    path: `/events.${format}`,
    tag: 'Events',
    isExtension: true,
    endpoints: [
      endpoint({
        methods: ['GET'],
        operation: forms[format].operation,
        summary: `events.${format}`,
        about: 'events.feed.about',
        answer: {
          schema: async () => (await import('./feed.schema.ts')).FeedSchema,
          type: forms[format].mimeType,
          headers: ['X-TEC-Total', 'X-TEC-TotalPages'],
        },
        problems: ['event-archive-page-not-found'],
        args: argumentsFor(forms[format]),
        isOpenTo: openToAll,
        handle: (call) => call.deps.limits.streams.inTurn(() => answerFeed(call, format, whole)),
      }),
    ],
  }))

export const feedRoutes = feedRoutesOf()

function argumentsFor({ writer, sizes, occurrences, orderby }: FeedOptions): FeedArguments {
  return {
    ...eventListArguments,
    ...(writer === table ? profileArgument : {}),
    ...(orderby ? { orderby: { ...eventListArguments.orderby, default: orderby } } : {}),
    per_page: { ...eventListArguments.per_page, default: () => String(sizes.perPage) },
    occurrences: occurrencesArgument(occurrences),
  }
}

/** Answers with a list of events in one of these formats: the same events as in JSON, for the same callers. */
async function answerFeed(
  call: Call<Record<never, never>, FeedArguments>,
  format: FeedFormat,
  whole: WholeCalendar | undefined,
): Promise<EndpointResult> {
  const { deps, addresses, actor } = call
  const { config, storage } = deps
  const { sizes, ...usual } = forms[format]
  const { occurrences = usual.occurrences, orderby = usual.orderby, order, profile } = call.values
  const writer = profile === undefined ? usual.writer : referenceTable
  const request = pageRequest(call, { ...sizes, ...whole })
  // Precedes the reading of events: a concurrent write must make the feed outdated.
  const [identity, changes] = await Promise.all([
    calendarIdentity(storage),
    // With replicas, a statement may read an older database than the previous statement. The next write corrects the feed.
    config.databaseReplicas.length > 0 ? storage.revision() : readShownLinks(storage.db),
  ])
  const { reader, query, freshUntil } = eventListRequest(call, request)
  const listed = { isNextOnly: occurrences === 'next', ...orderFrom({ orderby, order }) }
  const page = await readEventKeyPage(reader, { ...query, ...listed })
  reportIgnoredParameters(call)
  const series = await readSeriesOfFeed(storage, page.items)
  const memberships = series?.memberships
  let done = 0
  const found: EventKeyPage = {
    ...page,
    read: (ids, isOutline) => {
      if (!isOutline) done += ids.length
      if (!isOutline) whole?.onRead?.(done, page.items.length)
      return page.read(ids, isOutline, memberships)
    },
  }
  const feed: Feed = {
    ...{ config, addresses, identity, isSignedIn: isSignedIn(actor), memberships },
    language: call.language ?? TEXT_LANGUAGE_CODES[call.textLanguage],
    self: selfUrl(call, format),
  }
  const { viewer } = reader
  const parts = { writer, feed, viewer, changes, found, series: occurrences === 'rule' ? series : undefined }
  const state = feedState(parts)
  // A feed without an address of its own is not remembered.
  const memory = feed.self === undefined ? undefined : feedMemory(storage.db, feed.self, feed.language, viewer)
  const known = memory?.find(state)
  const matched = known && call.matchedForm(known)
  if (matched !== undefined) return { status: 304, body: {}, headers: { ETag: matched, ...dateHeader(known) } }

  const source = { ...parts, state, streams: deps.limits.streams, client: clientNetworkOf(call.address) }
  const { document, metadata } = await generateFeed(source, deps.limits.feedLimits)
  const etag = 'text' in document ? etagOf(document.text) : document.etag
  return {
    status: 200,
    body: {},
    document,
    headers: {
      ...totalHeaders(found.total, request.perPage),
      ...contentLanguage([...metadata.languages].map((shown) => ({ language: shown }))),
      ...dateHeader(memory?.keep(state, etag, deps.now())),
      'Content-Disposition': `${format === 'csv' ? 'attachment' : 'inline'}; filename="events.${format}"`,
    },
    ...freshUntil,
  }
}

/** Returns the requested address, or undefined if it contains a password. */
function selfUrl({ addresses, sent }: ListCall, format: FeedFormat): string | undefined {
  if (sent.password !== undefined && sent.password !== '') return undefined
  return feedUrl(
    addresses,
    format,
    Object.entries(sent).map(([name, raw]) => [name, formatSent(raw)]),
  )
}
