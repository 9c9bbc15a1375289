import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHTMLStrict } from 'entities'
import { site, startTestApp, type TestAnswer, type TestApp } from '../../../../test/support/app.ts'
import { givenDesk } from '../../../../test/support/desk.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../../test/support/given.ts'
import { form, picture } from '../../../../test/support/pictures.ts'

const french = { ml_language: 'fr-CA' }

/**
 * Creates records of every kind, in both languages.
 *
 * @returns The id of an event with a password. The interface reveals it to nobody without that password.
 */
async function fill(app: TestApp): Promise<number> {
  const { body } = await app.send({
    ...{ as: 'administrator', method: 'POST', path: '//cal/service/v1/media' },
    ...form(await picture(1600, 1000)),
  })
  const music = await givenTerm(app, 'categories', { name: 'Music & dance' })
  const musique = await givenTerm(app, 'categories', { name: 'Musique', ...french, ml_translation_of: music.id })
  const jazz = await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  await givenTerm(app, 'categories', { name: 'Le jazz', parent: musique.id, ...french, ml_translation_of: jazz.id })
  const hall = await givenVenue(app, { venue: 'Hall', city: 'Laval', geo_lat: 45.56, geo_lng: -73.71, image: body.id })
  await givenVenue(app, { venue: 'Salle', city: 'Laval', ...french, ml_translation_of: hall.id })
  const club = await givenOrganizer(app, { organizer: 'Club' })
  await givenOrganizer(app, { organizer: 'Le club', ...french, ml_translation_of: club.id })
  const linked = { venue: hall.id, organizer: club.id, categories: [jazz.id], tags: ['Déjà vu'], image: body.id }
  for (const title of ['Concert', 'été & “hiver”']) {
    const { id } = await givenEvent(app, {
      ...linked,
      title,
      description: `<p><a href="${site}/venue/hall/">Here</a></p>`,
    })
    await givenEvent(app, { title: `${title} fr`, ...french, ml_translation_of: id })
  }
  const over = { start_date: '2030-01-05 19:00:00', end_date: '2030-01-06 21:00:00' }
  for (let number = 0; number < 21; number += 1) await givenEvent(app, { ...linked, ...over, title: `Over ${number}` })
  return (await givenEvent(app, { title: 'Members', event_password: 'sesame' })).id
}

/** Returns the addresses in a response of any kind, as they are written there. */
function linksIn({ text, headers, body }: TestAnswer, root: string): readonly string[] {
  const type = String(headers['content-type'])
  if (headers.location !== undefined) return [headers.location]
  if (type.startsWith('text/html')) {
    const attributes = [...text.matchAll(/\s(?:href|src|action|content|srcset)="([^"]*)"/g)]
      .flatMap(([, value = '']) => decodeHTMLStrict(value).split(/\s\d+w(?:, |$)/))
      .filter((value) => /^(?:\/|https?:|webcal:|\?)/.test(value))
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1]
    return [...attributes, ...(data === undefined ? [] : urlsIn(JSON.parse(data), root))]
  }
  if (type.startsWith('text/calendar')) {
    return [...text.replaceAll('\r\n ', '').matchAll(/^(?:URL|IMAGE|ATTACH)[^:]*:(http\S+)/gm)].map(
      ([, url = '']) => url,
    )
  }
  if (/xml/.test(type)) {
    const urls = [...text.matchAll(/(?:<(?:loc|link)>|(?:href|url)=")(https?:[^<"]*)/g)].map(([, url = '']) => url)
    return urls.map(decodeHTMLStrict)
  }
  return body === undefined ? [] : urlsIn(body, root)
}

function urlsIn(value: unknown, root: string): readonly string[] {
  if (typeof value === 'string') return value.startsWith(`${root}/`) && !/[\s{}<]/.test(value) ? [value] : []
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap((one) => urlsIn(one, root)) : []
}

/** Calendars are unbounded, so the crawl does not follow links from distant dates or from other views of the map. */
function isFollowed({ pathname, search }: URL): boolean {
  const [, year] = /\/events\/(?:month\/)?(\d{4}-\d\d)/.exec(pathname) ?? []
  return (year === undefined || year === '2030-01') && !/[?&]z=/.test(search)
}

interface Crawled {
  /** Addresses that were not answered, with the page that names them. */
  readonly lost: readonly string[]
  readonly kinds: ReadonlySet<string>
  readonly seen: ReadonlySet<string>
}

/** Follows all links from some addresses, as `read` answers them. `root` is the address of the site, with its path. */
async function crawl(
  root: string,
  start: readonly string[],
  {
    read,
    isFollowed: follow = isFollowed,
    shapeOf = ({ href }) => href,
  }: {
    read: (path: string) => Promise<TestAnswer>
    isFollowed?: typeof isFollowed
    /** Only one address of each shape is read. */
    shapeOf?: (url: URL) => string
  },
): Promise<Crawled> {
  const { origin, pathname: below } = new URL(root)
  const waiting = start.map((path) => ({ url: `${root}${path}`, from: 'the test' }))
  const seen = new Set(waiting.map(({ url }) => url))
  const lost: string[] = []
  const kinds = new Set<string>()
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { url, from } = next
    // A proxy passes on what is below the path, and without it.
    const isBelow = below === '/' || `${new URL(url).pathname}/`.startsWith(`${below}/`)
    const answer = isBelow ? await read(url.slice(root.length) || '/') : undefined
    kinds.add(String(answer?.headers['content-type'] ?? answer?.status).split(';')[0] ?? '')
    if (!answer || ![200, 301, 302, 303].includes(answer.status)) lost.push(`${answer?.status} ${url} of ${from}`)
    if (!answer || !follow(new URL(url))) continue
    for (const link of linksIn(answer, root)) {
      const found = new URL(link.replace(/^webcal:/, new URL(root).protocol), url)
      found.hash = ''
      const shape = shapeOf(found)
      if (found.origin !== origin || seen.has(shape)) continue
      seen.add(shape)
      waiting.push({ url: found.href, from: url })
    }
  }
  return { lost, kinds, seen }
}

test('every address within the site that anything of it names is answered', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '0' })
  const secret = await fill(app)
  const start = ['/events/', '/fr/events/', '/sitemap.xml', '/robots.txt', '/cal/events/v1/events']
  const { lost, kinds, seen } = await crawl(site, start, { read: (path) => app.send({ path: `/${path}` }) })
  assert.deepEqual(
    lost.filter((line) => !line.includes(`/events/v1/events/${secret} `)),
    [],
  )
  for (const type of [
    'text/html',
    'text/calendar',
    'application/rss+xml',
    'application/xml',
    'application/json',
    'image/jpeg',
    'text/css',
  ])
    assert.ok(kinds.has(type), `${type} of ${[...kinds.keys()]}`)
  assert.ok(seen.size > 100, String(seen.size))
})

test('below a path, every address of pages and of the desk is answered, in both languages', async (t) => {
  const root = 'https://city.example/calendar'
  const app = await startTestApp(t, { RATE_LIMIT: '0', PUBLIC_URL: root })
  const secret = await fill(app)
  await givenEvent(app, { title: 'Tomorrow', start_date: '2030-01-16 10:00:00', end_date: '2030-01-16 11:00:00' })
  const pages = await crawl(root, ['/events/', '/fr/events/', '/sitemap.xml', '/robots.txt'], {
    read: (path) => app.send({ path: `/${path}` }),
    // The examples in the document name records that no calendar has.
    isFollowed: (url) => !url.pathname.endsWith('/v1/doc') && isFollowed(url),
  })
  const isSecret = (line: string) => line.includes(`/events/v1/events/${secret} `)
  assert.deepEqual(
    pages.lost.filter((line) => !isSecret(line)),
    [],
  )
  for (const path of [
    '/fr/events/month/2030-01/',
    '/fr/events/2030-01-22/',
    '/event/concert/',
    '/fr/event/concert-fr/',
  ])
    assert.ok(pages.seen.has(`${root}${path}`), path)

  const desk = await givenDesk(app, 'administrator')
  const { lost, seen } = await crawl(root, ['/admin/', '/fr/admin/'], {
    read: (path) => (path.includes('/sign-out/') ? app.send({ path: '//admin/sign-in/' }) : desk.get(path)),
    // Pages of one shape name the same links, and there are endless of them.
    shapeOf: (url) => `${url.pathname} ${[...url.searchParams.keys()]}`.replace(/\d+/g, '0'),
    isFollowed: (url) => /^\/calendar(?:\/fr)?\/admin\//.test(url.pathname),
  })
  assert.deepEqual(
    lost.filter((line) => !isSecret(line)),
    [],
  )
  for (const path of ['/admin/calendar/', '/fr/admin/calendar/', '/admin/venues/', '/fr/admin/events/'])
    assert.ok(seen.has(`/calendar${path} `), path)
})
