import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { picture } from './pictures.ts'

// A double of a WordPress site with The Events Calendar. It answers as such a site was seen to: no single list has all
// events, and only an administrator sees the raw form.

interface Post {
  readonly id: number
  readonly title: string
  readonly status?: string
  readonly author?: number
  readonly slug?: string
  readonly image?: number
}

interface EventPost extends Post {
  readonly start?: string
  readonly end?: string
  readonly startUtc?: string
  readonly isHidden?: boolean
  readonly password?: string
  readonly meta?: object
  readonly venue?: number
  readonly organizer?: number
  readonly categories?: readonly number[]
  readonly content?: string
}

const later = { start: '2031-05-03 19:30:00', end: '2031-05-03 22:00:00' }
export const referenceEvents: readonly EventPost[] = [
  { id: 101, title: 'Over', start: '2021-05-03 19:30:00', end: '2021-05-03 22:00:00', author: 2, venue: 201 },
  { id: 102, title: 'Concert', ...later, author: 2, venue: 202, organizer: 301, categories: [402], image: 501 },
  { id: 103, title: 'Hidden', ...later, isHidden: true },
  { id: 104, title: 'Hidden and over', start: '2021-06-01 10:00:00', end: '2021-06-01 11:00:00', isHidden: true },
  { id: 105, title: 'Draft', ...later, status: 'draft', author: 3, slug: '' },
  { id: 106, title: 'Pending', ...later, status: 'pending', author: 3, slug: '' },
  { id: 107, title: 'Private', ...later, status: 'private' },
  { id: 108, title: 'Hidden draft', ...later, status: 'draft', isHidden: true, slug: '' },
  { id: 109, title: 'Trashed', ...later, status: 'trash', slug: 'trashed__trashed' },
  { id: 110, title: 'Reversed', start: '2031-05-03 22:00:00', end: '2031-05-03 19:30:00' },
  { id: 111, title: 'Protected', ...later, password: 'sesame', content: 'For members.' },
  {
    ...{ id: 112, title: 'Postponed', ...later },
    meta: { _tribe_events_status: 'postponed', _tribe_events_status_reason: 'The hall is flooded.' },
  },
  {
    ...{ id: 113, title: 'Second hour', start: '2031-11-02 01:30:00', end: '2031-11-02 03:00:00' },
    startUtc: '2031-11-02 06:30:00',
  },
  { id: 114, title: 'Blues\u00a0-\u00a0live', ...later, content: 'First.\n\nSecond.' },
  ...Array.from({ length: 12 }, (_, place) => ({ id: 120 + place, title: `Market ${place}`, ...later })),
]
const venues: readonly Post[] = [
  { id: 201, title: 'Hall' },
  { id: 202, title: 'Cellar', status: 'draft', author: 2, slug: '', image: 502 },
  { id: 203, title: 'Roof', status: 'private' },
  { id: 204, title: 'Attic', status: 'draft', slug: '' },
  { id: 205, title: 'Demolished', status: 'trash', slug: 'demolished__trashed' },
]
const organizers: readonly Post[] = [
  { id: 301, title: 'Club', author: 3 },
  { id: 302, title: 'Choir', status: 'pending', slug: '' },
]
const users = [
  { id: 1, username: 'admin', name: 'Admin', email: 'admin@example.org', roles: ['administrator'] },
  { id: 2, username: 'alice', name: 'Alice A.', email: 'alice@example.org', roles: ['editor'] },
  { id: 3, username: 'bob', name: 'Bob', email: 'bob@example.org', roles: ['contributor'] },
  { id: 4, username: 'carol', name: 'Carol', email: 'carol@example.org', roles: ['subscriber'] },
]
const categories = [
  { id: 401, name: 'Music', slug: 'music', parent: 0 },
  { id: 402, name: 'Jazz', slug: 'jazz', parent: 401 },
]
const media = [
  { id: 501, alt_text: 'A trumpet', caption: { raw: 'Photo: Alice' }, title: { raw: 'Trumpet' }, author: 2 },
  { id: 502, alt_text: '', caption: { raw: '' }, title: { raw: 'Door' }, author: 1 },
]

export const referencePassword = 'abcd efgh ijkl mnop qrst uvwx'
const zone = 'America/New_York'
const namespaces = ['oembed/1.0', 'tribe/events/v1', 'tec/v1', 'wp/v2']
const perPage = 10

/** What a test makes the site answer instead, by the address and the number of the request. */
type Fault = (path: string, count: number) => { status: number; body: string; headers?: object } | undefined

/** Starts the site. `requests` are the addresses that were asked for. */
export async function startReferenceSite(t: TestContext, { fault }: { readonly fault?: Fault } = {}) {
  const requests: string[] = []
  const file = await picture(320, 240)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    requests.push(`${url.pathname}${url.search}`)
    const faulty = fault?.(url.pathname, requests.length)
    if (faulty) return response.writeHead(faulty.status, { ...faulty.headers }).end(faulty.body)
    if (/^\/uploads\//.test(url.pathname)) return response.writeHead(200, { 'content-type': 'image/jpeg' }).end(file)
    answer(url, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

function answer(url: URL, { headers }: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, body: unknown, sent = {}) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...sent }).end(JSON.stringify(body))
  const refuse = (status: number, code: string) => send(status, { code, message: code, data: { status } })
  const sentKey = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
  const isAdmin = sentKey === `admin:${referencePassword}`
  if (headers.authorization && !isAdmin) return void refuse(401, 'incorrect_password')
  // Where the site has no addresses of words, the path is in the query.
  const path = (url.searchParams.get('rest_route') ?? url.pathname.replace(/^\/wp-json/, '')).replace(/^\//, '')
  const query = url.searchParams
  const page = Number(query.get('page') ?? 1)
  const statuses = (query.get('status') ?? 'publish').split(',')
  const mayList = ({ status = 'publish' }: Post) => statuses.includes(status) && (isAdmin || status === 'publish')
  const [, list = '', id] = /^(.*?)(?:\/(\d+))?$/.exec(path) ?? []
  const pages = <T>(items: readonly T[]) => Math.ceil(items.length / perPage)
  const part = <T>(items: readonly T[]) => items.slice((page - 1) * perPage, page * perPage)
  /** A list of the interface for visitors: the size of its pages is silently limited. */
  const v1 = (name: string, items: readonly object[]) =>
    page > pages(items) && name === 'events'
      ? refuse(404, 'event-archive-page-not-found')
      : send(200, { [name]: part(items), total: items.length, total_pages: pages(items), rest_url: url.href })
  const raw = (items: readonly object[]) => {
    if (!isAdmin) return refuse(401, 'rest_forbidden_context')
    return send(200, part(items), { 'X-WP-Total': items.length, 'X-WP-TotalPages': pages(items) })
  }
  const one = <P extends { readonly id: number }>(items: readonly P[]) => items.find((item) => item.id === Number(id))
  const isReversed = ({ start = '', end = '' }: EventPost) => end < start
  const isOver = ({ end = '' }: EventPost) => end < '2026'
  const events = referenceEvents.filter((event) => !isReversed(event))
  const site = url.origin
  if (path === '') return void send(200, { name: 'Old site', timezone_string: zone, namespaces })
  if (list === 'tribe/events/v1/events' && id) {
    const event = one(referenceEvents)
    if (!event || event.status === 'trash') return void refuse(404, 'event-not-found')
    if ((event.status ?? 'publish') !== 'publish' && !isAdmin) return void refuse(403, 'event-not-accessible')
    return void send(200, v1Event(site, event, query.get('password')))
  }
  if (list === 'tribe/events/v1/events') {
    const listed = events.filter((event) => mayList(event) && !event.isHidden && event.status !== 'trash')
    return void v1(
      'events',
      listed.map((event) => v1Event(site, event, null)),
    )
  }
  if (list === 'tec/v1/events') {
    if (!headers['x-tec-eea']) return void refuse(400, 'tec_rest_experimental')
    return void raw(events.filter((event) => mayList(event) && event.status !== 'trash'))
  }
  if (list === 'wp/v2/tribe_events' && id) {
    const event = one(referenceEvents)
    return void (isAdmin && event ? send(200, rawEvent(event)) : refuse(401, 'rest_forbidden_context'))
  }
  if (list === 'wp/v2/tribe_events') return void raw(events.filter((event) => mayList(event) && !isOver(event)))
  if (list === 'tribe/events/v1/venues')
    return void v1(
      'venues',
      venues.filter(mayList).map((post) => v1Entry(site, 'venue', post)),
    )
  if (list === 'tribe/events/v1/organizers')
    return void v1(
      'organizers',
      organizers.filter(mayList).map((post) => v1Entry(site, 'organizer', post)),
    )
  if (list === 'tribe/events/v1/categories')
    return void v1(
      'categories',
      categories.map((term) => v1Term(site, term)),
    )
  if (list === 'tribe/events/v1/tags') return void v1('tags', [])
  if (list === 'wp/v2/tribe_venue') return void raw(venues.filter(mayList).map((post) => rawPost(post)))
  if (list === 'wp/v2/tribe_organizer') return void raw(organizers.filter(mayList).map((post) => rawPost(post)))
  if (list === 'wp/v2/users') return void raw(users)
  if (list === 'wp/v2/settings')
    return void (isAdmin ? send(200, { title: 'Old site' }) : refuse(401, 'rest_forbidden'))
  if (list === 'wp/v2/media' && one(media)) {
    return void send(200, { ...one(media), source_url: `${site}/uploads/${id}.jpg`, mime_type: 'image/jpeg' })
  }
  refuse(404, 'rest_no_route')
}

const host = (site: string) => new URL(site).host

function v1Post(site: string, type: string, { id, title, status = 'publish', author = 1, slug, image }: Post) {
  return {
    ...{ id, global_id: `${host(site)}?id=${id}`, author: String(author), status, slug: slug ?? slugOf(title) },
    ...{ date: '2022-01-01 07:00:00', date_utc: '2022-01-01 12:00:00' },
    modified_utc: '2022-01-02 12:00:00',
    url: `${site}/${type}/${slugOf(title)}/`,
    image: image ? { id: image, url: `${site}/uploads/${image}.jpg` } : false,
  }
}

function v1Event(site: string, event: EventPost, password: string | null) {
  const { id, title, start = '', end = '', isHidden = false, content = '', venue, organizer } = event
  const isOpen = !event.password || event.password === password
  const named = <P extends Post>(type: string, posts: readonly P[], of?: number) =>
    posts.filter((post) => post.id === of).map((post) => v1Entry(site, type, post))
  return {
    ...v1Post(site, 'event', event),
    ...{ rest_url: `${site}/wp-json/tribe/events/v1/events/${id}`, title: title.replace(/\s-\s/, ' &#8211; ') },
    ...{ description: isOpen ? `<p>${content}</p>` : '', excerpt: '', all_day: isOpen ? false : null },
    ...{ start_date: start, end_date: end, timezone: zone, utc_start_date: event.startUtc ?? utc(start) },
    ...{ cost: '', website: '', show_map: true, show_map_link: true, hide_from_listings: isHidden },
    ...{ sticky: false, featured: id === 102, tags: [] },
    categories: categories.filter((term) => event.categories?.includes(term.id)).map((term) => v1Term(site, term)),
    venue: named('venue', venues, venue)[0] ?? [],
    organizer: named('organizer', organizers, organizer),
  }
}

function v1Entry(site: string, type: string, post: Post) {
  return { ...v1Post(site, type, post), [type]: post.title, description: '' }
}

function v1Term(site: string, term: { readonly id: number }) {
  return { ...term, description: '', urls: { self: `${site}/wp-json/tribe/events/v1/categories/${term.id}` } }
}

function rawPost({ id, title, status = 'publish', author = 1, slug, image = 0 }: Post) {
  return {
    ...{
      id,
      title: { raw: title },
      content: { raw: '' },
      excerpt: { raw: '' },
      status,
      author,
      slug: slug ?? slugOf(title),
    },
    ...{ date_gmt: '2022-01-01T12:00:00', modified_gmt: '2022-02-02T12:00:00', featured_media: image, meta: {} },
  }
}

function rawEvent(event: EventPost) {
  const { start = '', end = '', venue, organizer, content = '', password = '', meta } = event
  return {
    ...rawPost(event),
    ...{ password, content: { raw: content }, tribe_events_cat: event.categories ?? [], tags: [] },
    meta: {
      ...{ _EventStartDate: start, _EventEndDate: end, _EventTimezone: zone },
      ...{
        _EventStartDateUTC: event.startUtc ?? utc(start),
        _EventEndDateUTC: utc(end),
        _EventCost: '',
        _EventURL: '',
      },
      ...{ _EventVenueID: venue ? String(venue) : '', _EventOrganizerID: organizer ? String(organizer) : '' },
      ...{ _EventAllDay: false, ...meta },
    },
  }
}

/** Daylight saving time, in which these events are, except one. */
const utc = (local: string) =>
  new Date(Date.parse(`${local.replace(' ', 'T')}-04:00`)).toISOString().slice(0, 19).replace('T', ' ')
const slugOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
