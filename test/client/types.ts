// What the compiler must accept from users of the client, and what it must refuse: `npm run types` is the test.
import type {
  ApiError,
  CalendarEvent,
  Client,
  Language,
  NewEvent,
  Page,
  ProblemCode,
  Tag,
} from '../../packages/client/src/index.ts'
import { createClient, isApiError, venuesOf } from '../../packages/client/src/index.ts'

const times = { start_date: '2030-05-01 19:00', end_date: 'tomorrow' }
const moment = new Date(0)

/** Never called. */
export async function accepted({ events, categories, tags, media, keys }: Client, error: unknown): Promise<void> {
  const page: Page<CalendarEvent> = await events.list({ starts_after: moment, categories: ['music', 3], status: 'any' })
  const [event] = page.items
  const language: Language | undefined = event?.ml_language
  const year: `${number}-${number}-${number} ${number}:${number}:${number}` | undefined = event?.start_date
  const tag: Tag | undefined = await tags.bySlug('brass')
  const ids: number[] = await Array.fromAsync(categories.all({ parent: 0 }), ({ id }) => id)
  if (isApiError(error, 'term_exists', 'rest_forbidden')) {
    const code: 'term_exists' | 'rest_forbidden' = error.code
    console.log(code)
  }
  if (isApiError(error)) console.log(error.code satisfies ApiError['code'], error.faults.title?.length)
  await events.create({ title: 'A', start_date: moment, end_date: 'tomorrow', timezone: 'UTC', cost: [5, '10'] })
  await events.update(1, { start_date: 'today', image: null, venue: [1, { venue: 'Hall' }] })
  await events.translate(1, 'fr-CA', { title: 'B' })
  console.log(language, year, tag?.name, ids, event && venuesOf(event)[0]?.city, (await media.get(1)).filesize)
  console.log((await keys.create({ label: 'program' })).secret)
}

/** Never called. */
export async function refused({ events, venues, tags, media, users }: Client, error: unknown): Promise<void> {
  // @ts-expect-error An address is required.
  createClient({})
  // @ts-expect-error A secret alone is called token.
  createClient({ baseUrl: 'https://a.example', credentials: { secret: 'a' } })
  // @ts-expect-error The service has no texts in this language.
  createClient({ baseUrl: 'https://a.example', language: 'fr' })
  // @ts-expect-error A list of events has no such parameter.
  await events.list({ starts: 'today' })
  // @ts-expect-error `all` reads all pages.
  events.all({ page: 2 })
  // @ts-expect-error Only categories have parents.
  await tags.create({ name: 'A', parent: 1 })
  // @ts-expect-error A venue needs a name.
  await venues.create({ city: 'Montréal' })
  // @ts-expect-error No record has this status.
  await events.update(1, { status: 'published' })
  // @ts-expect-error A moment needs a zone.
  await events.update(1, { start_date: moment })
  // @ts-expect-error A time is missing.
  const event: NewEvent = { title: 'A', start_date: 'today' }
  // @ts-expect-error A picture needs the name of its file.
  await media.upload(new Blob([]), {})
  // @ts-expect-error No user has this role.
  await users.create({ name: 'eve', role: 'queen' })
  // @ts-expect-error The record may be undefined, so it has no name.
  console.log((await tags.bySlug('brass')).name)
  // @ts-expect-error Answers are read-only.
  ;(await events.get(1)).title = 'B'
  // @ts-expect-error The service has no such code.
  if (isApiError(error, 'event-not-found')) throw error
  // @ts-expect-error This code does not exist either.
  const code: ProblemCode = 'not-found'
  await events.create({ title: 'A', ...times })
  console.log(event, code)
}
