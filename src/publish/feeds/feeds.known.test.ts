import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { isOnPostgres } from '../../../test/support/database.ts'
import { changed, givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { runs } from '../../../test/support/long.ts'
import { form, picture } from '../../../test/support/pictures.ts'
import { createSeriesOf } from '../../../test/support/series.calls.ts'
import { service } from '../../../test/support/signing.ts'
import { withoutReadCache } from '../../../test/support/uncached.ts'
import { randomFrom } from '../../../tools/bench/random.ts'
import type { Role } from '../../access/auth/actor.ts'
import { createApp } from '../../app.ts'
import { FEED_FORMATS } from './feed.ts'

// Venues, organizers and terms of feeds are cached, and a client that has a feed gets it again only if it is another one.

/** The ids of what a calendar has. Some of it is in the trash or gone. */
interface Known {
  readonly events: number[]
  readonly venues: number[]
  readonly organizers: number[]
  readonly categories: number[]
  readonly tags: number[]
  readonly pictures: number[]
  readonly series: number[]
  /** The addresses that undo merges. */
  readonly undos: string[]
}

async function givenCalendar(app: TestApp): Promise<Known> {
  const venues = [
    await givenVenue(app, { venue: 'Hall', city: 'Québec' }),
    await givenVenue(app, { venue: 'Barn', status: 'private' }, 'author'),
    await givenVenue(app, { venue: 'Tent' }),
  ]
  await givenVenue(app, { venue: 'Salle', ml_language: 'fr-CA', ml_translation_of: venues[0].id })
  const organizers = [await givenOrganizer(app, { organizer: 'Club', email: 'club@example.org' })]
  const categories = [await givenTerm(app, 'categories', { name: 'Music' })]
  await givenTerm(app, 'categories', { name: 'Musique', ml_language: 'fr-CA', ml_translation_of: categories[0].id })
  const tags = [await givenTerm(app, 'tags', { name: 'loud' }), await givenTerm(app, 'tags', { name: 'free' })]
  const ids = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id)
  const events: { readonly id: number }[] = []
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) {
    const place = events.length
    const links = { venue: venues[place % 4]?.id ?? [], organizer: place % 2 ? ids(organizers) : [] }
    const terms = { categories: place % 3 ? ids(categories) : [], tags: ids(tags.slice(place % 3)) }
    const sent = { title, description: `<p>About ${title}</p>`, ...links, ...terms }
    events.push(await givenEvent(app, sent, place % 3 ? 'administrator' : 'author'))
  }
  const date = await createSeriesOf(
    app,
    { rrule: 'FREQ=WEEKLY;COUNT=3' },
    { start_date: '2030-01-23 10:00:00', end_date: '2030-01-23 11:00:00' },
  )
  const uploaded = await app.send({
    as: 'author',
    method: 'POST',
    path: service('/media'),
    ...form(await picture(64, 48)),
  })
  assert.equal(uploaded.status, 201, uploaded.text)
  return {
    ...{ events: [...ids(events), date.id], venues: ids(venues), organizers: ids(organizers) },
    ...{
      categories: ids(categories),
      tags: ids(tags),
      pictures: [uploaded.body.id],
      series: [date.series.id],
      undos: [],
    },
  }
}

type Random = (below: number) => number
type Write = (known: Known, random: Random, word: string) => TestRequest

const one = (ids: readonly number[], random: Random) => ids[random(ids.length)]
const event: (json: (known: Known, random: Random, word: string) => object) => Write =
  (json) => (known, random, word) => ({
    ...{ method: 'PATCH', path: `/events/${one(known.events, random)}`, json: json(known, random, word) },
  })

function directoryWrites(plural: 'venues' | 'organizers', name: string): readonly Write[] {
  const path = (known: Known, random: Random) => `/${plural}/${one(known[plural], random)}`
  const statuses = ['publish', 'private', 'draft']
  return [
    (known, random, word) => ({ method: 'PATCH', path: path(known, random), json: { [name]: word } }),
    (known, random) => ({ method: 'PATCH', path: path(known, random), json: { status: statuses[random(3)] } }),
    (known, random) => ({ method: 'DELETE', path: path(known, random) }),
    (known, random) => ({ method: 'POST', path: service(`${path(known, random)}/restore`), json: {} }),
    (known, random) => ({ method: 'DELETE', path: service(`/trash${path(known, random)}`) }),
    (known, random) => {
      const json = { into: one(known[plural], random) }
      return { method: 'POST', path: service(`${path(known, random)}/merge`), json }
    },
    (_known, _random, word) => ({ method: 'POST', path: `/${plural}`, json: { [name]: word } }),
    (known, random, word) => {
      const json = { [name]: word, ml_language: 'fr-CA', ml_translation_of: one(known[plural], random) }
      return { method: 'POST', path: `/${plural}`, json }
    },
  ]
}

function termWrites(plural: 'categories' | 'tags'): readonly Write[] {
  const path = (known: Known, random: Random) => `/${plural}/${one(known[plural], random)}`
  return [
    (known, random, word) => ({ method: 'PATCH', path: path(known, random), json: { name: word } }),
    (known, random) => ({ method: 'DELETE', path: path(known, random) }),
    (known, random) => {
      const json = { into: one(known[plural], random) }
      return { method: 'POST', path: service(`${path(known, random)}/merge`), json }
    },
    (_known, _random, word) => ({ method: 'POST', path: `/${plural}`, json: { name: word } }),
    (known, random, word) => {
      const json = { name: word, ml_translation_of: one(known[plural], random) }
      return { method: 'POST', path: `/${plural}?ml_language=fr-CA`, json }
    },
  ]
}

const writes: readonly Write[] = [
  event((_known, _random, word) => ({ title: word })),
  event((_known, _random, word) => ({ description: `<p>${word}</p>` })),
  event((_known, _random, word) => ({ slug: word })),
  event((_known, random) => ({ status: ['publish', 'publish', 'private', 'draft'][random(4)] })),
  event((_known, random) => ({ event_password: random(2) === 0 ? 'open sesame' : '' })),
  event((known, random) => ({ image: random(2) === 0 ? '' : String(one(known.pictures, random)) })),
  event((known, random) => ({ venue: random(3) === 0 ? [] : [one(known.venues, random), one(known.venues, random)] })),
  event((known, random) => ({ organizer: random(3) === 0 ? [] : one(known.organizers, random) })),
  event((known, random, word) => ({
    tags: [one(known.tags, random), word],
    categories: [one(known.categories, random)],
  })),
  event((_known, random) => ({
    all_day: random(2) === 0,
    start_date: '2030-01-24 08:00',
    end_date: '2031-01-24 09:00',
  })),
  event((_known, random) => ({ timezone: ['America/Toronto', 'Europe/Paris', 'UTC'][random(3)] })),
  event((_known, random, word) => ({
    event_status: ['canceled', 'postponed', 'scheduled'][random(3)],
    event_status_reason: word,
  })),
  event(() => ({ attendance: 'online', virtual_url: 'https://meet.example.org/', virtual_access: 'registered' })),
  (known, random) => ({ method: 'DELETE', path: `/events/${one(known.events, random)}` }),
  (known, random) => ({ method: 'POST', path: service(`/events/${one(known.events, random)}/restore`), json: {} }),
  (known, random) => ({ method: 'DELETE', path: service(`/trash/events/${one(known.events, random)}`) }),
  (known, random, word) => {
    const json = { title: word, ml_translation_of: one(known.events, random), status: 'publish' }
    return { method: 'POST', path: '/events?ml_language=fr-CA', json }
  },
  (_known, random, word) => {
    const times = { start_date: `2030-01-2${random(9)} 19:00:00`, end_date: '2030-02-01 21:00:00' }
    return { method: 'POST', path: '/events', json: { title: word, ...times } }
  },
  (known, random) => {
    const json = { where: { event: [one(known.events, random), one(known.events, random)] }, reason: 'Storm' }
    return { method: 'POST', path: service('/events/cancel'), json }
  },
  (known, random) => {
    const json = { event_ids: [one(known.events, random)] }
    return { method: 'POST', path: service(`/series/${one(known.series, random)}/from-events`), json }
  },
  (known, random, word) => ({
    method: 'PATCH',
    path: service(`/series/${one(known.series, random)}`),
    json: { title: word },
  }),
  (known, random, word) => ({
    method: 'PATCH',
    path: service(`/media/${one(known.pictures, random)}`),
    json: { alt_text: word },
  }),
  (known, random) => ({ ...{ method: 'POST', path: known.undos[random(known.undos.length)] ?? '/none', json: {} } }),
  ...directoryWrites('venues', 'venue'),
  ...directoryWrites('organizers', 'organizer'),
  ...termWrites('categories'),
  ...termWrites('tags'),
]

const readers: readonly (Role | undefined)[] = [undefined, 'author', 'administrator']
const asked = [
  '',
  '',
  '?ml_language=fr-CA',
  '?per_page=3',
  '?occurrences=each',
  '?status=publish,private',
  '?password=open+sesame',
]
const prefixes = ['', '/fr', '']
const hosts = ['calendar.test', 'calendar.test', 'elsewhere.test']

/** What a client sees of a feed, except when it was sent, and since when the app knows it. */
function visible({ status, headers, text }: TestAnswer) {
  const { date: _date, 'x-request-id': _id, 'last-modified': _since, ...others } = headers
  return { status, headers: others, text }
}

interface TwoApps {
  readonly app: TestApp
  readonly known: Known
  /**
   * Reads a feed from the app, and from an app without caches. A reader that has an earlier version of the feed gets the
   * same again only if it is the same.
   */
  read(feed: FeedRead): Promise<readonly object[]>
}

interface FeedRead {
  readonly path: string
  readonly as: Role | undefined
  readonly host: string
}

async function startTwoApps(t: TestContext, settings: Readonly<Record<string, string>>): Promise<TwoApps> {
  // Lists then show events with links in another language than their own.
  const app = await startTestApp(t, { EVENTS_FALLBACK: 'any', ...settings })
  const { storage, config } = app.deps
  const server = createApp({
    ...{ ...app.deps, config: { ...config, cacheMegabytes: 0, readers: 0 } },
    storage: withoutReadCache(storage),
  })
  t.after(() => server.close())
  const earlier = new Map<string, TestAnswer>()
  const read = async (feed: FeedRead) => {
    const { path, as, host } = feed
    const request = { path, headers: { host }, ...(as ? { as } : {}) }
    const known = earlier.get(JSON.stringify(feed))
    const headers = { host, 'if-none-match': known?.headers.etag ?? '' }
    const again = await app.send({ ...request, headers })
    const answers = [await app.send(request), await app.send({ ...request, server })]
    if (again.status === 304) assert.equal(known?.text, answers[1]?.text, `304 for ${JSON.stringify(feed)}`)
    if (answers[1]) earlier.set(JSON.stringify(feed), answers[1])
    return answers.map(visible)
  }
  return { app, known: await givenCalendar(app), read }
}

test('whoever reads a feed, in whatever language and at whatever address, gets entries of their own', async (t) => {
  const { app, known, read } = await startTwoApps(t, { READERS: '0' })
  const [first, second, third] = known.events
  await changed(app, `/events/${first}`, { event_password: 'open sesame', venue: known.venues[1] })
  const online = { attendance: 'mixed', virtual_url: 'https://meet.example.org/', virtual_access: 'registered' }
  await changed(app, `/events/${second}`, online)
  await changed(app, `/events/${third}`, { venue: known.venues[1], status: 'private' })
  const french = { title: 'Un', status: 'publish', ml_language: 'fr-CA', ml_translation_of: known.events[3] }
  await givenEvent(app, french)

  // Twice, so that each entry was written by somebody else first.
  for (const all of [readers, readers.toReversed()]) {
    for (const format of FEED_FORMATS) {
      for (const query of ['', '?ml_language=fr-CA', '?occurrences=each', '?password=open+sesame']) {
        for (const as of all) {
          for (const [place, prefix] of prefixes.entries()) {
            const feed = { path: `/${prefix}/cal/events/v1/events.${format}${query}`, as, host: hosts[place] ?? '' }
            const [cached, written] = await read(feed)
            assert.deepEqual(cached, written, `${feed.path} as ${as}`)
          }
        }
      }
    }
  }
})

/** Changes a calendar at random, and compares feeds with those of an app without caches after each change. */
async function compareFeeds(t: TestContext, seed: number, settings: Readonly<Record<string, string>>): Promise<number> {
  const { app, known, read } = await startTwoApps(t, settings)
  const next = randomFrom(seed)
  const random: Random = (below) => Math.floor(next() * below)
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T
  // Few feeds, so that each is read repeatedly.
  const formats = [pick(FEED_FORMATS), pick(FEED_FORMATS)]
  const feeds = Array.from({ length: 10 }, () => ({
    path: `/${pick(prefixes)}/cal/events/v1/events.${pick(formats)}${pick(asked)}`,
    as: pick(readers),
    host: pick(hosts),
  }))
  let writesDone = 0
  for (let step = 0; step < 40; step += 1) {
    const request = pick(writes)(known, random, `w${seed}-${step}`)
    const { status, body, text } = await app.send({ as: random(4) === 0 ? 'author' : 'administrator', ...request })
    assert.ok(status < 500, `${request.method} ${request.path}: ${text}`)
    if (status < 300) {
      writesDone += 1
      const [, plural] = /^\/(events|venues|organizers|categories|tags)(?:\?|$)/.exec(request.path) ?? []
      if (status === 201 && plural) known[plural as 'events'].push(body.id)
      const url = String(body.undo?.url ?? '')
      if (url !== '') known.undos.push(`/${new URL(url).pathname}`)
      app.pass(1)
    }
    for (const feed of [pick(feeds), pick(feeds), pick(feeds), pick(feeds)]) {
      const [cached, written] = await read(feed)
      const context = `Seed ${seed}, step ${step}: ${feed.path} as ${feed.as ?? 'visitor'} after ${request.method} ${request.path} (${status})`
      assert.deepEqual(cached, written, context)
    }
  }
  return writesDone
}

const threads = isOnPostgres() ? [{ READERS: '0' }] : [{ READERS: '0' }, { READERS: '1', QUERY_TIMEOUT_MS: '120000' }]

for (const settings of threads) {
  test(`whatever is written, feeds are those of an app without caches, with ${settings.READERS} reader threads`, async (t) => {
    const first = Math.floor(Math.random() * 1_000_000)
    t.diagnostic(`seeds from ${first}`)
    let done = 0
    for (let seed = first; seed < first + runs(2, 40); seed += 1) done += await compareFeeds(t, seed, settings)
    assert.ok(done > runs(2, 40) * 15, `Only ${done} writes were successful.`)
  })
}
