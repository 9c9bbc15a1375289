import { isSignedIn } from '../../../access/auth/actor.ts'
import { mayCreate, mayEdit } from '../../../access/auth/policy.ts'
import {
  formatSent,
  pageLinks,
  pageRequest,
  type QueryPairs,
  totalHeaders,
  totalPages,
} from '../../../access/http/arguments/paging.ts'
import { shortList } from '../../../access/http/read.cost.ts'
import { type EndpointResult, endpoint, openToAll } from '../../../access/http/route.ts'
import { Problem } from '../../../base/problems.ts'
import { changesCursorHeader } from '../../changelog/change.log.repository.ts'
import { contentLanguage } from '../../translations/viewer.ts'
import type { LinkedEvent } from '../model/event.ts'
import { lengthInList, maxListCharacters } from '../model/length.ts'
import { presentEvent } from '../present/event.present.ts'
import { eventListArguments } from './list.arguments.ts'
import { eventListRequest, type ListCall } from './list.request.ts'
import { readEventPage } from './list.service.ts'
import type { EventWindow } from './window.ts'

/** `GET /events` (events.md §1). */
export const listEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listEvents',
  summary: 'events.list',
  about: 'events.list.about',
  answer: {
    schema: async () => (await import('../present/event.schema.ts')).EventListSchema,
    headers: ['X-TEC-Total', 'X-TEC-TotalPages', 'X-Changes-Cursor'],
  },
  problems: ['event-archive-page-not-found'],
  readsContext: true,
  args: eventListArguments,
  isOpenTo: openToAll,
  isShort: shortList({
    free: ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after', 'strict_dates'],
    filters: ['categories', 'tags', 'venue', 'organizer', 'featured'],
  }),
  handle: answerList,
})

async function answerList(call: ListCall): Promise<EndpointResult> {
  const { deps, addresses, actor } = call
  const { config } = deps
  const view = { config, addresses, isSignedIn: isSignedIn(actor) }
  const request = pageRequest(call, config)
  const { reader, query, window, freshUntil } = eventListRequest(call, request)
  const cursor = await changesCursorHeader(deps.storage.db)
  const { items, total, ...page } = await readEventPage(reader, query)
  // As for one event, a caller who may edit needs no password (events.md §6).
  const isMasked = (event: LinkedEvent) => page.isMasked(event) && !(call.context === 'edit' && mayEdit(actor, event))
  reportIgnoredParameters(call)
  assertListNotTooLong(items.filter((event) => !isMasked(event)))
  return {
    status: 200,
    body: {
      events: items.map((event) => presentEvent(event, { ...view, isMasked: isMasked(event) })),
      ...pageLinks(call, { path: '/events', pairs: linkPairs(call, window, request.perPage) }, { request, total }),
      total,
      total_pages: totalPages(total, request.perPage),
    },
    headers: { ...totalHeaders(total, request.perPage), ...cursor, ...contentLanguage(items) },
    ...freshUntil,
  }
}

/** Reports dates that `include` overrides, and a place without `geoloc` (events.md §8 row 14; rulings.md 28). */
export function reportIgnoredParameters({ values, sent, parameterReport }: ListCall): void {
  const unread = [
    ...(values.include ? ['start_date', 'end_date'] : []),
    ...(values.geoloc ? [] : ['geoloc_lat', 'geoloc_lng']),
    ...(values.geoloc && values.geoloc_lat !== undefined ? [] : ['geoloc_radius']),
  ]
  for (const name of unread) if (sent[name] !== undefined) parameterReport.ignore(name)
}

/**
 * Rejects a list with so many long texts that its response would use the memory of all other responses. A single event
 * is always shown.
 *
 * @throws rest_invalid_param, naming `per_page`
 */
function assertListNotTooLong(items: readonly LinkedEvent[]): void {
  const length = items.reduce((sum, event) => sum + lengthInList(event), 0)
  if (items.length > 1 && length > maxListCharacters) {
    throw new Problem('rest_invalid_param', {
      faults: { per_page: { text: 'fault.too-much-text', values: { most: String(maxListCharacters / 1024 / 1024) } } },
    })
  }
}

/** Returns the parameters in force, in the order of the contract (events.md §1 "URLs", §8 row 16; rulings.md 29). */
function linkPairs({ values, sent, actor }: ListCall, { shown }: EventWindow, perPage: number): QueryPairs {
  const asCame = (name: string): QueryPairs => (sent[name] === undefined ? [] : [[name, formatSent(sent[name])]])
  const date = (name: keyof typeof shown): QueryPairs => (shown[name] === undefined ? [] : [[name, shown[name]]])
  const status = sent.status === undefined ? (mayCreate(actor) ? 'any' : 'publish') : formatSent(sent.status)
  return [
    ['per_page', perPage],
    ...date('start_date'),
    ...date('end_date'),
    ...asCame('search'),
    ...(values.geoloc ? [['geoloc', 1] as const, ...asCame('geoloc_lat'), ...asCame('geoloc_lng')] : []),
    ['status', status],
    ...asCame('post_parent'),
    ...asCame('include'),
    ...date('starts_before'),
    ...date('starts_after'),
    ...date('ends_before'),
    ...date('ends_after'),
    ...asCame('categories'),
    ...asCame('tags'),
    ...(values.strict_dates ? [['strict_dates', 1] as const] : []),
    ...asCame('venue'),
    ...asCame('organizer'),
    ...(values.featured === undefined ? [] : [['featured', values.featured ? 1 : 0] as const]),
    ...(values.ticketed === undefined ? [] : [['ticketed', values.ticketed ? 1 : 0] as const]),
    ...(values.geoloc ? asCame('geoloc_radius') : []),
    ...asCame('series'),
    ...asCame('occurrences'),
    ...asCame('event_status'),
    ...asCame('attendance'),
    ...asCame('modified_after'),
    ...asCame('modified_before'),
    ...(values.orderby === undefined ? [] : asCame('orderby')),
    ...(values.order === undefined ? [] : asCame('order')),
  ]
}
