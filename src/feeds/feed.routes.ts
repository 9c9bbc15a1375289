import { type ListArguments, listArguments } from '../events/event.list.arguments.ts'
import { type ListCall, listAsked } from '../events/event.list.service.ts'
import { asSent, pageHeaders, pageRequest } from '../http/paging.ts'
import { type Answer, endpoint, openToAll, type Route } from '../http/route.ts'
import { TEXT_LANGUAGE_CODES } from '../languages/language.ts'
import { contentLanguage } from '../translations/viewer.ts'
import { feedUrl } from './feed.addresses.ts'
import { calendarIdentity } from './feed.identity.repository.ts'
import { FEED_FORMATS, type FeedFormat, type WriteFeed, withoutSecrets } from './feed.ts'
import { writeCalendar } from './ical.ts'
import { writeAtom, writeRss } from './news.ts'
import { writeTable } from './table.ts'

/** How a list is answered in one form. */
interface FeedForm {
  readonly write: WriteFeed
  readonly operation: string
  /** How many events it has where nobody says so, and at most: it is made whole, in memory. */
  readonly sizes: { readonly perPage: number; readonly maxPerPage: number }
}

// Calendars and spreadsheets do not turn pages: by default a year with two or three events a day. Readers of news do
// not either, but they ask often and show what is new.
const whole = { perPage: 1000, maxPerPage: 2000 }
const recent = { perPage: 50, maxPerPage: 500 }

const forms: Readonly<Record<FeedFormat, FeedForm>> = {
  ics: { write: writeCalendar, operation: 'listEventsAsCalendar', sizes: whole },
  rss: { write: writeRss, operation: 'listEventsAsRss', sizes: recent },
  atom: { write: writeAtom, operation: 'listEventsAsAtom', sizes: recent },
  csv: { write: writeTable, operation: 'listEventsAsTable', sizes: whole },
}

/** The twins of the list of events, which take the same parameters. */
export const feedRoutes: readonly Route[] = FEED_FORMATS.map((format) => ({
  path: `/events.${format}`,
  tag: 'Events',
  isExtension: true,
  endpoints: [
    endpoint({
      methods: ['GET'],
      operation: forms[format].operation,
      path: {},
      args: argumentsFor(forms[format]),
      isOpenTo: openToAll,
      handle: (call) => answerFeed(call, format),
    }),
  ],
}))

function argumentsFor({ sizes }: FeedForm): ListArguments {
  return { ...listArguments, per_page: { ...listArguments.per_page, default: () => String(sizes.perPage) } }
}

/** A list of events in one of these forms: the same events, for the same callers. */
export async function answerFeed(call: ListCall, format: FeedFormat): Promise<Answer> {
  const { deps, addresses, values } = call
  const { write, sizes } = forms[format]
  const request = pageRequest(values, sizes)
  const { items, total, isMasked, freshUntil } = await listAsked(call, request)
  const document = write({
    ...{ config: deps.config, addresses },
    language: call.language ?? TEXT_LANGUAGE_CODES[call.textLanguage],
    self: selfOf(call, format),
    identity: await calendarIdentity(deps.storage),
    events: items.map((event) => (isMasked(event) ? withoutSecrets(event) : event)),
  })
  return {
    status: 200,
    body: {},
    document,
    headers: {
      ...pageHeaders(total, request.perPage),
      ...contentLanguage(items),
      'Content-Disposition': `${format === 'csv' ? 'attachment' : 'inline'}; filename="events.${format}"`,
    },
    ...freshUntil,
  }
}

/** What was asked for, as an address; none where it names a password. */
function selfOf({ addresses, sent }: ListCall, format: FeedFormat): string | undefined {
  if (sent.password !== undefined) return undefined
  return feedUrl(
    addresses,
    format,
    Object.entries(sent).map(([name, raw]) => [name, asSent(raw)]),
  )
}
