import { decodeEntities } from '../../base/text/escape.ts'
import { withoutControlCharacters } from '../../base/text/lines.ts'
import { rawFields, textOf } from '../imports/moved.merge.ts'
import { listOf, trimmedText } from '../imports/tec.values.ts'
import type { PulledEvent, PulledPicture, PullFolder } from '../pull/pull.folder.ts'
import { type Form, isObject, recordsIn } from '../pull/pull.lists.ts'

// A fetched calendar of this service as the importer of WordPress reads it: WXR 1.2, an extension of RSS.

const opening = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
`
const closing = '</channel>\n</rss>\n'

const taxonomies = { categories: 'tribe_events_cat', tags: 'post_tag' } as const
const postTypes = { venues: 'tribe_venue', organizers: 'tribe_organizer' } as const

type Value = string | number

/** Returns elements with these texts, in the order of their names. */
function elements(texts: Readonly<Record<string, Value>>): string {
  return Object.entries(texts)
    .map(([name, text]) => {
      const shown = withoutControlCharacters(String(text)).replaceAll(']]>', ']]]]><![CDATA[>')
      return `<${name}><![CDATA[${shown}]]></${name}>\n`
    })
    .join('')
}

/** A record of the interface as a post of WordPress. */
interface Post {
  readonly form: Form
  readonly type: string
  readonly texts?: Form | undefined
  readonly status?: string
  readonly order?: number
  readonly url?: string
  readonly terms?: string
  /** Fields by their names; empty ones are left out. */
  readonly meta: readonly (readonly [name: string, value: unknown])[]
}

/** Yields the parts of the file, a record each. Only terms, venues and organizers are in memory. */
export async function* wxrOf(
  folder: PullFolder,
  {
    site,
    onProgress,
  }: { readonly site: string; readonly onProgress?: ((done: number, total: number) => void) | undefined },
): AsyncGenerator<string> {
  const logins = new Map<string, string>()
  yield opening
  yield elements({
    title: site,
    link: site,
    'wp:wxr_version': '1.2',
    'wp:base_site_url': site,
    'wp:base_blog_url': site,
  })
  for (const user of (await recordsIn(folder, 'raw/users-')).values()) {
    const [id, login] = [trimmedText(user.id), trimmedText(user.username)]
    logins.set(id, login)
    const named = { 'wp:author_display_name': trimmedText(user.name), 'wp:author_email': trimmedText(user.email) }
    yield `<wp:author>${elements({ 'wp:author_id': id, 'wp:author_login': login, ...named })}</wp:author>\n`
  }
  for (const list of ['categories', 'tags'] as const) {
    for (const term of parentsFirst([...(await recordsIn(folder, `lists/${list}-`)).values()])) yield termOf(term, list)
  }
  const item = (post: Post) => itemOf(post, logins.get(trimmedText(post.form.author)) ?? '')
  for (const file of await folder.list('media')) {
    const { id, url, raw } = (await folder.readJson<PulledPicture>(file)) as PulledPicture
    const form: Form = { ...(isObject(raw) ? raw : {}), id }
    const meta = [['_wp_attachment_image_alt', isObject(raw) ? raw.alt_text : '']] as const
    yield item({ form: { ...form, title: textOf(form.title) }, type: 'attachment', status: 'inherit', url, meta })
  }
  for (const [list, type] of Object.entries(postTypes)) {
    const kind = list === 'venues' ? 'venue' : 'organizer'
    for (const entry of (await recordsIn(folder, `lists/${list}-`)).values()) {
      const own = Object.entries(rawFields[kind]).map(([name, key]) => [key, plain(entry[name])] as const)
      const map = kind === 'venue' ? maps('_Venue', entry) : []
      const form = { ...entry, title: entry[kind] }
      yield item({ form, type, meta: [...own, ...map, ['_thumbnail_id', pictureOf(entry)]] })
    }
  }
  const files = await folder.list('events')
  for (const [place, file] of files.entries()) {
    const event = (await folder.readJson<PulledEvent>(file)) as PulledEvent
    if (isObject(event.v1)) yield item(eventPost(event.v1, event))
    onProgress?.(place + 1, files.length)
  }
  yield closing
}

function eventPost(v1: Form, { source }: PulledEvent): Post {
  const { start_date: start, end_date: end, cost_details: details, website, url } = v1
  const { currency_symbol, currency_position, currency_code } = isObject(details) ? details : {}
  const idsOf = (linked: unknown) => listOf(linked).map((one) => (one as Form).id)
  const seconds = (Date.parse(`${v1.utc_end_date}Z`) - Date.parse(`${v1.utc_start_date}Z`)) / 1000
  const typed = isObject(source) ? source : undefined
  // Nobody can read its password, and without one everybody would read the event.
  const isProtected = typed !== undefined && v1.status === 'publish' && v1.json_ld === undefined
  return {
    ...{ form: v1, type: 'tribe_events', texts: typed, order: v1.sticky === true ? -1 : 0 },
    status: isProtected ? 'private' : trimmedText(v1.status),
    terms: (['categories', 'tags'] as const)
      .flatMap((list) => (listOf(v1[list]) as readonly Form[]).map((term) => categoryOf(term, taxonomies[list])))
      .join(''),
    meta: [
      ...([
        ['_EventStartDate', start],
        ['_EventEndDate', end],
        ['_EventStartDateUTC', v1.utc_start_date],
        ['_EventEndDateUTC', v1.utc_end_date],
        ['_EventDuration', seconds],
        ['_EventTimezone', v1.timezone],
        ['_EventTimezoneAbbr', v1.timezone_abbr],
        ['_EventAllDay', v1.all_day === true ? 'yes' : ''],
        ['_EventCost', typed ? listOf(typed.cost).join(' – ') : plain(v1.cost)],
        ['_EventCurrencySymbol', plain(currency_symbol)],
        ['_EventCurrencyPosition', currency_position],
        ['_EventCurrencyCode', currency_code],
        ['_EventURL', website === url ? '' : plain(website)],
        ['_EventHideFromUpcoming', v1.hide_from_listings === true ? 'yes' : ''],
        ['_tribe_featured', v1.featured === true ? '1' : ''],
        ['_tribe_events_status', v1.event_status === 'scheduled' ? '' : v1.event_status],
        ['_tribe_events_status_reason', v1.event_status_reason],
        ['_thumbnail_id', pictureOf(v1)],
      ] as const),
      ...maps('_Event', v1),
      ...idsOf(v1.venue).map((id) => ['_EventVenueID', id] as const),
      ...idsOf(v1.organizer).map((id) => ['_EventOrganizerID', id] as const),
    ],
  }
}

function itemOf({ form, type, texts = form, status, order = 0, url, terms = '', meta }: Post, author: string): string {
  const text = (name: string) => trimmedText(form[name])
  const fields = meta.flatMap(([name, value]) =>
    trimmedText(value) === ''
      ? []
      : [`<wp:postmeta>${elements({ 'wp:meta_key': name, 'wp:meta_value': trimmedText(value) })}</wp:postmeta>\n`],
  )
  return `<item>
${elements({
  ...{ title: trimmedText(texts.title ?? form.title), link: text('url'), 'dc:creator': author },
  ...{ 'content:encoded': trimmedText(texts.description), 'excerpt:encoded': trimmedText(texts.excerpt) },
  ...{ 'wp:post_id': text('id'), 'wp:post_date': text('date'), 'wp:post_date_gmt': text('date_utc') },
  ...{ 'wp:post_modified': text('modified'), 'wp:post_modified_gmt': text('modified_utc') },
  ...{
    'wp:comment_status': 'closed',
    'wp:ping_status': 'closed',
    'wp:post_name': text('slug').replace(/__trashed$/, ''),
  },
  ...{ 'wp:status': status ?? text('status'), 'wp:post_parent': 0, 'wp:menu_order': order, 'wp:post_type': type },
  ...{ 'wp:post_password': '', 'wp:is_sticky': 0, ...(url === undefined ? {} : { 'wp:attachment_url': url }) },
})}${terms}${fields.join('')}</item>
`
}

function termOf(term: Form & { readonly parentSlug?: string }, list: keyof typeof taxonomies): string {
  return `<wp:term>${elements({
    ...{ 'wp:term_id': trimmedText(term.id), 'wp:term_taxonomy': taxonomies[list] },
    ...{ 'wp:term_slug': trimmedText(term.slug), 'wp:term_parent': term.parentSlug ?? '' },
    ...{ 'wp:term_name': plain(term.name), 'wp:term_description': trimmedText(term.description) },
  })}</wp:term>\n`
}

function categoryOf({ name, slug }: Form, taxonomy: string): string {
  const nicename = trimmedText(slug).replace(/[^\p{L}\p{N}%_-]/gu, '')
  return elements({ category: plain(name) }).replace(
    '<category>',
    `<category domain="${taxonomy}" nicename="${nicename}">`,
  )
}

/** Returns terms after their parents, with the slugs of these. */
function parentsFirst(terms: readonly Form[]): readonly (Form & { readonly parentSlug?: string })[] {
  const byId = new Map(terms.map((term) => [term.id, term]))
  const depth = (term: Form | undefined): number => (term?.parent ? 1 + depth(byId.get(term.parent)) : 0)
  return terms
    .map((term) => ({ ...term, parentSlug: trimmedText(byId.get(term.parent)?.slug) }))
    .toSorted((one, other) => depth(one) - depth(other))
}

function maps(beginning: string, { show_map: map, show_map_link: link }: Form) {
  return (
    [
      ['ShowMap', map],
      ['ShowMapLink', link],
    ] as const
  ).map(([name, isShown]) => [`${beginning}${name}`, isShown === true ? '1' : '0'] as const)
}

function pictureOf({ image }: Form): unknown {
  return isObject(image) ? image.id : ''
}

function plain(text: unknown): string {
  return decodeEntities(trimmedText(text))
}
