import { mayCreate, mayEdit } from '../../../access/auth/policy.ts'
import { type PageRequest, totalPages } from '../../../access/http/arguments/paging.ts'
import type { Call } from '../../../access/http/call.ts'
import { endpoint, type Route } from '../../../access/http/route.ts'
import type { SeriesMembership } from '../../occurrences/occurrence.ts'
import { readContext } from '../../translations/viewer.ts'
import type { LinkedEvent } from '../model/event.ts'
import { presentEvent } from '../present/event.present.ts'
import { textsOfDate } from '../present/series.present.ts'
import { countByStatus } from './counts.repository.ts'
import { eventListRequest, type QueryCall } from './list.request.ts'
import { countArguments, rowArguments } from './rows.arguments.ts'
import type { EventVersion } from './rows.repository.ts'
import { readEventRows } from './rows.service.ts'

type CountCall = Call<Record<never, never>, typeof countArguments>

const maxPerPage = 100
const defaultPerPage = 25

/** Returns the query of a request. It has the filters of the contract's list, except those that name events. */
function queryOf(call: CountCall, page: PageRequest) {
  const values = { include: undefined, post_parent: undefined, password: undefined, ...call.values }
  const { query } = eventListRequest({ ...call, values } satisfies QueryCall, page)
  return { ...query, withoutLanguage: call.values.without_language }
}

const rowsEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listEventRows',
  summary: 'events.rows',
  about: 'events.rows.about',
  answer: { schema: async () => (await import('./rows.schema.ts')).EventRowsSchema },
  problems: ['rest_forbidden', 'event-archive-page-not-found'],
  args: rowArguments,
  hasLanguage: true,
  isOpenTo: mayCreate,
  handle: async (call) => {
    const { page = 1, per_page: asked = defaultPerPage, check, names_language: namesLanguage } = call.values
    const perPage = Math.min(asked, maxPerPage)
    const query = { ...queryOf(call, { page, perPage }), hasNoVenue: check === 'no-venue' }
    const { items, versions, total, isPartial } = await readEventRows(readContext(call), query, {
      check: check === 'no-venue' ? undefined : check,
      namesLanguage,
    })
    const events = items.map((event) => presentRow(call, event, versions.get(event.groupId) ?? []))
    return { status: 200, body: { events, total, total_pages: totalPages(total, perPage), is_partial: isPartial } }
  },
})

const countsEndpoint = endpoint({
  methods: ['GET'],
  operation: 'countEvents',
  summary: 'events.counts',
  about: 'events.counts.about',
  answer: { schema: async () => (await import('./rows.schema.ts')).EventCountsSchema },
  problems: ['rest_forbidden'],
  args: countArguments,
  hasLanguage: true,
  isOpenTo: mayCreate,
  handle: async (call) => {
    const query = queryOf(call, { page: 1, perPage: 1 })
    return { status: 200, body: await countByStatus(readContext(call), query) }
  },
})

/** What the table of editors shows: events in short, and how many there are in each state. */
export const eventRowRoutes: readonly Route[] = [
  { path: '/events', tag: 'Events', endpoints: [rowsEndpoint] },
  { path: '/events/counts', tag: 'Events', endpoints: [countsEndpoint] },
]

function presentRow(
  { deps: { config }, addresses, actor }: Pick<Call, 'deps' | 'addresses' | 'actor'>,
  event: LinkedEvent,
  versions: readonly EventVersion[],
) {
  // A password hides the links of an event from those who may not change it.
  const isMasked = event.passwordDigest !== undefined && !mayEdit(actor, event)
  const shown = presentEvent(event, { config, addresses, isMasked, isSignedIn: true })
  const places = [shown.venue].flat()
  const own = versions.find(({ id }) => id === event.id)
  return {
    ...presentVersion(own ?? event, isMasked),
    url: shown.url,
    modified: shown.modified,
    start_date: shown.start_date,
    end_date: shown.end_date,
    all_day: event.isAllDay,
    timezone: shown.timezone,
    venue: places.flatMap((place) => ('id' in place ? [{ id: place.id, venue: place.venue }] : [])),
    organizer: shown.organizer.map(({ id, organizer }) => ({ id, organizer })),
    categories: [shown.categories].flat().map(({ id, name }) => ({ id, name })),
    event_status: event.eventStatus,
    translations: versions.filter(({ id }) => id !== event.id).map((version) => presentVersion(version, isMasked)),
    ...(event.membership && !isMasked ? { series: presentRowSeries(event.membership) } : {}),
  }
}

/** The series of an event, in short. */
function presentRowSeries(series: SeriesMembership) {
  const { seriesId: id, recurrenceId } = series
  return { id, recurrence_id: recurrenceId as string, texts: textsOfDate(series) }
}

function presentVersion(
  {
    id,
    language,
    status,
    titleHtml,
    authorId,
    changeCount,
  }: Pick<EventVersion, 'id' | 'language' | 'status' | 'titleHtml' | 'authorId' | 'changeCount'>,
  isMasked: boolean,
) {
  // The number of changes would tell that something behind the password has changed.
  const version = isMasked ? 0 : changeCount
  return { id: Number(id), language, status, title: titleHtml, author: String(authorId), version }
}
