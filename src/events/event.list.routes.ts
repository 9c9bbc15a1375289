import { mayCreate } from '../auth/policy.ts'
import type { Values } from '../http/argument.ts'
import { asSent, type Pairs, pageHeaders, pageLinks, pageRequest, totalPages } from '../http/paging.ts'
import { type Answer, type Call, endpoint, openToAll } from '../http/route.ts'
import { listPreference } from '../languages/chain.ts'
import { fail, failParameter } from '../problems.ts'
import { searchTerms } from '../text/fold.ts'
import { utcZone } from '../time/zone.ts'
import { contentLanguage, viewerOf } from '../translations/viewer.ts'
import { openedByPassword } from './event.guesses.ts'
import { type ListArguments, listArguments } from './event.list.arguments.ts'
import { listEvents } from './event.list.repository.ts'
import { opensPassword } from './event.password.ts'
import type { Surroundings } from './event.place.repository.ts'
import { presentEvent } from './event.present.ts'
import type { LinkedEvent } from './event.ts'
import { type EventWindow, lastSecondOfDay, windowOf } from './event.window.ts'

type ListCall = Call<Record<never, never>, ListArguments>

const defaultRadiusKm = 40

/** `GET /events` (events.md §1). */
export const listEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listEvents',
  path: {},
  args: listArguments,
  isOpenTo: openToAll,
  handle: answerList,
})

async function answerList(call: ListCall): Promise<Answer> {
  const { deps, values, addresses } = call
  const { config, storage } = deps
  const request = pageRequest(values, config)
  const window = windowOf(values, {
    isStrict: values.strict_dates ?? false,
    hasInclude: values.include !== undefined,
    siteZone: config.siteZone,
    now: deps.now(),
  })
  const { items, total } = await listEvents(storage.db, storage.dialect, viewerOf(call), {
    ...request,
    window,
    status: values.status,
    preference: listPreference(call.language, config, config.eventsFallback),
    search: values.search === undefined ? undefined : searchTerms(values.search),
    categoryIds: values.categories,
    tagIds: values.tags,
    venueIds: values.venue,
    organizerIds: values.organizer,
    isFeatured: values.featured,
    ids: values.include,
    parentIds: values.post_parent,
    hasTickets: values.ticketed,
    hasPlace: values.geoloc ?? false,
    around: surroundings(values),
  })
  if (request.page > 1 && request.page > totalPages(total, request.perPage)) fail('event-archive-page-not-found')
  const guarded = items.filter(({ passwordDigest }) => passwordDigest !== undefined)
  // Contract: the password of the list request is tried on each protected event (events.md §6).
  const opened = openedByPassword(call, values.password, guarded, opensEvent)
  const isMasked = (event: LinkedEvent) => event.passwordDigest !== undefined && !opened.has(event)
  return {
    status: 200,
    body: {
      events: items.map((event) => presentEvent(event, { config, addresses, isMasked: isMasked(event) })),
      ...pageLinks(call, '/events', linkPairs(call, window, request.perPage), request, total),
      total,
      total_pages: totalPages(total, request.perPage),
    },
    headers: { ...pageHeaders(total, request.perPage), ...contentLanguage(items) },
    ...freshnessOf(call, window),
  }
}

/** A date that is the same one tomorrow. */
const fixedDate = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?(?:Z|[+-]\d\d:?\d\d)?$/

/**
 * How long the clock gives the same window: for ever where it was named, and the default one, which is of whole days,
 * until one of the two clocks behind it begins a new day.
 */
function freshnessOf({ deps, values, sent }: ListCall, window: EventWindow): Pick<Answer, 'freshUntil'> {
  const names = Object.keys(window.shown)
  const isDefault = names.some((name) => sent[name] === undefined)
  const isFixed = names.every((name) => sent[name] === undefined || fixedDate.test(String(sent[name])))
  if (!isFixed || (isDefault && values.strict_dates)) return {}
  if (!isDefault) return { freshUntil: Number.POSITIVE_INFINITY }
  const now = deps.now()
  return { freshUntil: Math.min(...[utcZone, deps.config.siteZone].map((zone) => lastSecondOfDay(now, zone))) }
}

function opensEvent({ passwordDigest }: LinkedEvent, password: string): boolean {
  return passwordDigest !== undefined && opensPassword(passwordDigest, password)
}

/** The point to look around, where `geoloc` asks for it. A coordinate without the other is refused. */
function surroundings(values: Values<ListArguments>): Surroundings | undefined {
  const { geoloc, geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: radiusKm = defaultRadiusKm } = values
  if (latitude === undefined && longitude === undefined) return undefined
  if (latitude === undefined) return failParameter('geoloc_lng', 'fault.coordinates')
  if (longitude === undefined) return failParameter('geoloc_lat', 'fault.coordinates')
  return geoloc ? { latitude, longitude, radiusKm } : undefined
}

/** The parameters in force, in the order of the contract (events.md §1 "URLs", §8 row 16; decisions.md 29). */
function linkPairs({ values, sent, actor }: ListCall, { shown }: EventWindow, perPage: number): Pairs {
  const asCame = (name: string): Pairs => (sent[name] === undefined ? [] : [[name, asSent(sent[name])]])
  const date = (name: keyof typeof shown): Pairs => (shown[name] === undefined ? [] : [[name, shown[name]]])
  const status = sent.status === undefined ? (mayCreate(actor) ? 'any' : 'publish') : asSent(sent.status)
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
  ]
}
