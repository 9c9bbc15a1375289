import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHTMLStrict } from 'entities'
import { site, startTestApp, type TestAnswer, type TestApp } from '../../../../test/support/app.ts'
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
function linksIn({ text, headers, body }: TestAnswer): readonly string[] {
  const type = String(headers['content-type'])
  if (headers.location !== undefined) return [headers.location]
  if (type.startsWith('text/html')) {
    const attributes = [...text.matchAll(/\s(?:href|src|action|content|srcset)="([^"]*)"/g)]
      .flatMap(([, value = '']) => decodeHTMLStrict(value).split(/\s\d+w(?:, |$)/))
      .filter((value) => /^(?:\/|https?:|webcal:|\?)/.test(value))
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1]
    return [...attributes, ...(data === undefined ? [] : urlsIn(JSON.parse(data)))]
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
  return body === undefined ? [] : urlsIn(body)
}

function urlsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.startsWith(`${site}/`) && !/[\s{}<]/.test(value) ? [value] : []
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(urlsIn) : []
}

/** Calendars are unbounded, so the crawl does not follow links from distant dates or from other views of the map. */
function isFollowed({ pathname, search }: URL): boolean {
  const [, year] = /\/events\/(?:month\/)?(\d{4}-\d\d)/.exec(pathname) ?? []
  return (year === undefined || year === '2030-01') && !/[?&]z=/.test(search)
}

test('every address within the site that anything of it names is answered', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '0' })
  const secret = await fill(app)
  const start = ['/events/', '/fr/events/', '/sitemap.xml', '/robots.txt', '/cal/events/v1/events']
  const waiting = start.map((path) => ({ url: `${site}${path}`, from: 'the test' }))
  const seen = new Set(waiting.map(({ url }) => url))
  const lost: string[] = []
  const kinds = new Map<string, number>()

  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { url, from } = next
    const answer = await app.send({ path: `/${url.slice(site.length)}` })
    const type = String(answer.headers['content-type'] ?? answer.status).split(';')[0] ?? ''
    kinds.set(type, (kinds.get(type) ?? 0) + 1)
    if (![200, 301, 302].includes(answer.status)) lost.push(`${answer.status} ${url} of ${from}`)
    if (!isFollowed(new URL(url))) continue
    for (const link of linksIn(answer)) {
      const found = new URL(link.replace(/^webcal:/, 'http:'), url)
      found.hash = ''
      if (found.origin !== site || seen.has(found.href)) continue
      seen.add(found.href)
      waiting.push({ url: found.href, from: url })
    }
  }

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
