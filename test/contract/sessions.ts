import { namespace, readPairs } from './recorded-answer.ts'
import type { RecordedSite } from './recorded-site.ts'

/** Files that were recorded one after the other on one site, and the changes there between the recorded pairs. */
export interface Session {
  readonly name: string
  readonly zone: string
  readonly files: readonly string[]
  /** By file and number of the pair. */
  readonly before: Readonly<Record<string, (site: RecordedSite) => Promise<void>>>
}

type Sent = Readonly<Record<string, unknown>>

const dates = { start_date: '2027-08-01 10:00:00', end_date: '2027-08-01 12:00:00' }
const past = { start_date: '2020-01-01 10:00:00', end_date: '2020-01-01 11:00:00' }

const directory: Session = {
  name: 'venues, organizers, categories and tags',
  zone: 'UTC+0',
  files: [
    ...['venues-create', 'venues-list', 'venues-single', 'venues-update', 'venues-delete', 'venues-errors'],
    ...['venues-image', 'organizers-create', 'organizers-list', 'organizers-single', 'organizers-update'],
    ...['categories-create', 'categories-list', 'categories-single', 'tags-all', 'categories-update'],
  ],
  before: {
    'venues-list 0': async (site) => {
      await site.reach('record', 11)
      await site.given('/venues', { venue: 'Secret Draft', status: 'draft' })
      await site.given('/events', { title: 'Coming', ...dates, venue: 5 })
      await site.given('/events', { title: 'Gone', ...past, venue: 4 })
    },
    'venues-update 0': async (site) => {
      await site.reach('record', 14)
      await site.given('/venues', {
        venue: 'Upd Hall',
        description: 'Desc',
        address: '1 Main',
        state: 'ST',
        status: 'draft',
      })
    },
    'venues-update 1': async (site) => void (await site.changed('/venues/14', { status: 'publish' })),
    'venues-update 9': async (site) => {
      await site.changed('/venues/14', { description: 'Desc', status: 'publish' })
    },
    'venues-delete 7': async (site) => void (await site.changed('/venues/14', { status: 'publish' })),
    'venues-image 0': async (site) => {
      await givenPicture(site, 17, pictureOf('venues-image', 0))
      await givenPicture(site, 18, pictureOf('venues-image', 1))
    },
    'organizers-list 0': async (site) => {
      await site.reach('record', 26)
      await site.given('/organizers', { organizer: 'Draft', status: 'draft' }, 'contributor')
      await site.given('/events', { title: 'Evening', ...dates, organizer: [23] })
    },
    'organizers-update 4': async (site) =>
      void (await site.changed('/organizers/23', { status: 'publish', phone: '8' })),
    'categories-list 0': async (site) => {
      await site.reach('record', 29)
      await site.reach('term', 8)
      await site.given('/tags', { name: 'red' }, 'editor')
      await site.given('/tags', { name: 'blue' }, 'editor')
      await site.given('/events', { title: 'Loud', ...dates, categories: [3], tags: [8, 9] })
    },
  },
}

const events: Session = {
  name: 'events',
  zone: 'UTC+0',
  files: [
    ...['events-create-rich', 'events-text', 'events-cost', 'events-create-errors', 'events-list-dates'],
    ...[
      'events-list-paging',
      'events-list-errors',
      'events-list-filters',
      'events-create-forms',
      'events-update',
      'events-delete',
    ],
    ...['events-password', 'events-access'],
  ],
  before: {
    'events-create-rich 0': async (site) => {
      await site.reach('term', 2)
      await site.given('/categories', { name: 'Music' })
      await site.given('/categories', { name: 'Rock', parent: 2 })
      await site.given('/tags', { name: 'kids' })
      await givenPicture(site, 4, pictureOf('events-create-rich', 0))
      await givenPicture(site, 5, pictureOf('events-update', 0))
      await site.given('/venues', {
        ...{
          venue: 'Théâtre du Parc',
          description: 'A *grand* hall',
          image: '5',
          address: '1 rue X',
          city: 'Montréal',
        },
        ...{ country: 'Canada', province: 'QC', zip: 'H2X 1Y4', phone: '+1 514 555 0100' },
        ...{ website: 'https://globe.example/?a=1&b=2', show_map_link: 'false' },
      })
      await site.given('/venues', { venue: 'Salle B' })
      await site.given('/organizers', {
        ...{ organizer: "O'Neil Productions", description: 'We organise.', phone: '555-0199' },
        ...{ website: 'https://oneil.example/', email: 'info@oneil.example' },
      })
      await site.given('/organizers', { organizer: 'Ville de Laval' })
    },
    'events-list-dates 0': async (site) => {
      // When the lists were recorded, no record of the earlier pairs existed except event 10.
      await trashEventsAfter(site, 10)
      await site.reach('record', 48)
      await givenEvents(site, [
        ['A starts d9 23:59:59', '2027-06-09 23:59:59', '2027-06-10 00:00:00'],
        ['B', '2027-06-10 00:00:00', '2027-06-10 01:00:00'],
        ['C', '2027-06-10 12:00:00', '2027-06-10 13:00:00'],
        ['D d9-d12', '2027-06-09 12:00:00', '2027-06-12 12:00:00'],
        ['E all day d10', '2027-06-10', '2027-06-10', { all_day: true }],
        ['F ends 23:59:59', '2027-06-10 22:00:00', '2027-06-10 23:59:59'],
        ['G ends d11 00:00', '2027-06-10 22:00:00', '2027-06-11 00:00:00'],
        ['H d11', '2027-06-11 00:00:00', '2027-06-11 01:00:00'],
      ])
    },
    'events-list-filters 0': async (site) => {
      const at = (hour: number) => [`2027-07-01 ${hour}:00:00`, `2027-07-01 ${hour}:30:00`] as const
      const own = { author: 4 } // Shown to the contributor who asks for them (events.md §8 row 7).
      await givenEvents(site, [
        ['café concert', ...at(10), { description: 'live <b>música</b> and live musicians' }],
        ['cat music', ...at(11), { categories: [2] }],
        ['cat rock', ...at(12), { categories: [3] }],
        ['kids', ...at(13), { tags: [4] }],
        ['at B', ...at(14), { venue: 7 }],
        ['draft', ...at(15), { status: 'draft', ...own }],
        ['private', ...at(16), { status: 'private', ...own }],
        ['hidden', ...at(17), { hide_from_listings: true }],
      ])
      await site.reach('record', 64)
      const tie = ['2027-07-02 10:00:00', '2027-07-02 11:00:00'] as const
      await givenEvents(site, [
        ['past', past.start_date, past.end_date],
        ['tie later post date', ...tie, { date: '2026-05-05 00:00:00', featured: true }],
        ['tie earlier post date', ...tie, { date: '2026-04-04 00:00:00', sticky: true }],
      ])
    },
    'events-update 0': async (site) => {
      await site.reach('record', 87)
      await site.given('/events', {
        ...{
          title: 'Full',
          slug: 'upd',
          ...dates,
          date: '2026-01-01 10:00:00',
          timezone: 'America/Vancouver',
          image: '5',
        },
        ...{ cost: '10', website: 'https://e.example/x', categories: [2], tags: [4], venue: 7, organizer: [9] },
        ...{ show_map: true, show_map_link: true, hide_from_listings: true, sticky: true, featured: true },
      })
      await site.reach('record', 90)
      await site.given('/events', { title: 'Draft', ...dates, status: 'draft' })
      await site.reach('record', 93)
      await site.given('/events', { title: 'Dated', ...dates })
      await site.reach('record', 95)
      await site.given('/events', { title: 'Costly', ...dates, cost: '10' })
      await site.reach('record', 97)
      await site.given('/events', { title: 'Linked', ...dates, categories: [2], tags: [4], venue: 7, organizer: [9] })
      await site.reach('record', 99)
      await site.given('/events', { title: 'To trash', ...dates })
    },
    'events-delete 0': async (site) => {
      await site.reach('record', 101)
      await site.given('/events', { title: 'Bye', ...dates })
    },
    'events-password 0': async (site) => {
      const day = { start_date: '2027-09-01 10:00:00', end_date: '2027-09-01 11:00:00' }
      const more = { description: 'Hidden', cost: '$5', venue: 7, event_password: 's3cret' }
      await site.reach('record', 103)
      await site.given('/events', { title: 'Secret', ...day, ...more })
    },
    'events-access 0': async (site) => {
      await site.reach('record', 105)
      await site.given('/events', { title: 'Draft', ...dates, status: 'draft' })
      await site.given('/events', { title: 'Private', ...dates, status: 'private' })
      await site.given('/events', { title: 'Future', ...dates, date: '2030-01-01 10:00' })
    },
  },
}

const zones: Session = {
  name: 'events on a site in Toronto',
  zone: 'America/Toronto',
  files: ['events-timezones'],
  before: { 'events-timezones 0': (site) => site.reach('record', 2) },
}

const protocol: Session = {
  name: 'protocol, authentication and index',
  zone: 'UTC+0',
  files: ['auth-errors', 'auth-protocol', 'index-namespace', 'index-params', 'index-ml-language', 'index-doc'],
  before: {
    'auth-errors 0': async (site) => {
      await site.reach('record', 4)
      for (const number of [1, 2, 3, 4, 5, 6, 7]) await site.given('/venues', { venue: `Open ${number}` })
      for (const number of [1, 2, 3, 4]) await site.given('/venues', { venue: `Draft ${number}`, status: 'draft' })
      await site.given('/events', { title: 'Loud', ...dates, categories: ['Music'] })
    },
  },
}

export const SESSIONS: readonly Session[] = [directory, events, zones, protocol]

async function givenEvents(
  site: RecordedSite,
  list: readonly (readonly [title: string, start: string, end: string, more?: Sent])[],
): Promise<void> {
  for (const [title, start_date, end_date, more = {}] of list) {
    await site.given('/events', { title, start_date, end_date, ...more })
  }
}

async function trashEventsAfter(site: RecordedSite, id: number): Promise<void> {
  const list = await site.send({
    method: 'GET',
    path: `${namespace}/events?per_page=100&starts_after=2000-01-01`,
    as: 'admin',
  })
  for (const event of (list.body as { readonly events: readonly { readonly id: number }[] }).events) {
    if (event.id > id) await site.changed(`/events/${event.id}`, { status: 'trash' })
  }
}

interface RecordedPicture {
  readonly url: string
  readonly extension: string
  readonly width: number
  readonly height: number
  readonly filesize: number
  readonly sizes?: Readonly<Record<string, Sent>>
}

function pictureOf(file: string, index: number): RecordedPicture {
  const { body, body_part } = readPairs(file)[index]?.response ?? {}
  return ((body ?? body_part) as { readonly image: RecordedPicture }).image
}

/** A picture of the library: no route uploads one. */
async function givenPicture({ deps, reach }: RecordedSite, id: number, picture: RecordedPicture): Promise<void> {
  await reach('record', id)
  const fileOf = (url: unknown) => String(url).replace('{site}/wp-content/uploads/', '')
  const sizes = Object.entries(picture.sizes ?? {}).map(([name, { width, height, filesize, url, ...type }]) => [
    name,
    { file: fileOf(url), mimeType: type['mime-type'], width, height, sizeBytes: filesize },
  ])
  await deps.storage.write(async (tx) => {
    const record = await tx
      .insertInto('records')
      .values({
        ...{ kind: 'media', status: 'publish', slug: `picture-${id}`, author_id: 1, language: 'en' },
        ...{ status_before_trash: null, password: null, image_id: null, parent_id: null, group_id: null },
        ...{
          title: '',
          title_folded: '',
          title_html: '',
          content: '',
          content_html: '',
          excerpt: '',
          excerpt_html: '',
        },
        ...{ created_at: deps.now(), modified_at: deps.now(), dated_at: deps.now(), is_dated: 1, search_text: '' },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('media')
      .values({
        ...{ record_id: record.id, file: fileOf(picture.url), mime_type: `image/${picture.extension}` },
        ...{ extension: picture.extension, width: picture.width, height: picture.height, source_url: null },
        ...{ size_bytes: picture.filesize, sizes: JSON.stringify(Object.fromEntries(sizes)) },
      })
      .execute()
  })
}
