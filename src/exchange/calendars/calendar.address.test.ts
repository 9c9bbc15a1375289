import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp } from '../../../test/support/app.ts'
import type { Role } from '../../access/auth/actor.ts'
import { fetchDocument } from '../../base/outbound/outbound.ts'
import { utcZone } from '../../base/time/zone.ts'
import { readAddress } from './calendar.address.ts'

const service = '//cal/service/v1'
const site = 'https://club.example'

const publicNames = ['club.example', 'other.example']

type Page = string | RequestListener

const event = (name: string, more: object = {}) => ({
  ...{ '@type': 'Event', name, startDate: '2030-05-01T19:00:00-04:00', ...more },
})
const pageOf = (...events: readonly object[]) =>
  `<!DOCTYPE html><script type="application/ld+json">${JSON.stringify(events)}</script>`
const sitemapOf = (...pages: readonly string[]) =>
  `<urlset>${pages.map((page) => `<url><loc>${page.startsWith('/') ? site : ''}${page}</loc></url>`).join('')}</urlset>`

/**
 * A service, and a site with these pages. The names of the site are public, and others are within the network: the real
 * guard judges them, with the first address of this machine as the only public one.
 */
async function start(t: TestContext, pages: Record<string, Page>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { url = '', socket } = request
    asked.push(socket.localAddress === '127.0.0.1' ? url : `${socket.localAddress}${url}`)
    const page = pages[url]
    if (typeof page === 'function') page(request, response)
    else response.writeHead(page === undefined ? 404 : 200).end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const lookup: LookupFunction = (name, _options, done) =>
    done(null, [{ address: publicNames.includes(name) ? '127.0.0.1' : '127.0.0.2', family: 4 }])
  const app = await startTestApp(
    t,
    {},
    {
      fetchDocument: (url, options) => {
        const there = new URL(url)
        if (there.protocol === 'https:' && there.port === '') there.port = String(port)
        return fetchDocument(there.href.replace(/^https:/, 'http:'), {
          ...{ ...options, lookup, isAllowedPort: () => true },
          isAllowedAddress: (address) => address === '127.0.0.1',
        })
      },
    },
  )
  const send = (path: string, json?: object, as: Role = 'editor') =>
    app.send({ as, method: 'POST', path: `${service}${path}`, ...(json && { json }) })
  const fetch = (path: string, more: object = {}) => send('/sources/club/fetch', { url: `${site}${path}`, ...more })
  const titles = async () => {
    const { body } = await app.send({ path: '/events?start_date=2029-01-01&end_date=2040-01-01&per_page=50' })
    return body.events.map((one: { readonly title: string }) => one.title).sort()
  }
  return { app, port, asked, pages, send, fetch, titles }
}

test('the events of a site are tried row by row, imported by its sitemap, known again, and undone as a whole', async (t) => {
  const { asked, pages, send, fetch, titles } = await start(t, {
    '/sitemap.xml': `<sitemapindex><loc>${site}/more.xml</loc></sitemapindex>`,
    '/more.xml': sitemapOf('/about', '/event/a', '/event/b', '/event/gone', 'https://other.example/event/c'),
    '/about': pageOf({ '@type': 'WebSite', name: 'Club' }),
    '/event/a': pageOf(
      event('Tea &amp; cake', { location: { name: 'Hall' } }),
      event('Fair', { startDate: '2030-05-02' }),
    ),
    '/event/b': pageOf(event('Never', { startDate: 'soon' })),
  })

  const tried = await fetch('/sitemap.xml', { dry_run: true })

  assert.equal(tried.status, 200, tried.text)
  const { rows, created, failed, more_rows, notes } = tried.body
  assert.deepEqual([created, failed, more_rows, notes], [2, 1, 0, []])
  assert.deepEqual(
    rows.map((row: Record<string, string>) => [
      row.outcome,
      row.title,
      row.start_date,
      /start_date/.test(row.text ?? ''),
    ]),
    [
      ['failed', 'Never', 'soon', true],
      ['created', 'Tea & cake', '2030-05-01T19:00:00-04:00', false],
      ['created', 'Fair', '2030-05-02', false],
    ],
  )
  assert.deepEqual(asked, ['/sitemap.xml', '/more.xml', '/event/a', '/event/b', '/event/gone', '/about'])
  assert.deepEqual(await titles(), [])

  const done = await fetch('/sitemap.xml')
  assert.deepEqual([done.body.created, done.body.rows, done.body.problems.length], [2, undefined, 1])
  assert.deepEqual(await titles(), ['Fair', 'Tea &amp; cake'])

  pages['/event/a'] = pageOf(
    event('Tea &amp; cake', { location: { name: 'Hall' } }),
    event('Fête', { startDate: '2030-05-02' }),
  )
  // The home page of a site leads to its usual sitemaps, and a page has its own events.
  pages['/'] = '<html>'
  for (const path of ['', '/', '/event/a']) {
    const again = await fetch(path, { dry_run: true })
    assert.deepEqual([again.body.changed, again.body.unchanged, again.body.created], [1, 1, 0], again.text)
  }

  const { id } = done.body.undo
  assert.equal((await send(`/imports/${id}/undo`)).status, 200)
  assert.deepEqual(await titles(), [])
})

test('an address of a calendar is imported, and who may not, or what is none, is told why in both languages', async (t) => {
  const { app, fetch, send, titles } = await start(t, {
    '/a.ics':
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:Yoga\r\nDTSTART:20300501T190000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    '/cut.ics': 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n',
    '/page': '<html>',
  })

  assert.equal((await fetch('/a.ics')).body.created, 1)
  assert.deepEqual(await titles(), ['Yoga'])
  const told = async (url: string, as: Role = 'editor') => {
    const { status, body } = await send('/sources/club/fetch', { url }, as)
    return [status, body.code, body.errors?.url]
  }
  assert.deepEqual(await told(`${site}/page`), [400, 'not-a-calendar', undefined])
  assert.deepEqual(await told(`${site}/cut.ics`), [400, 'not-a-calendar', undefined])
  const statusText = '“url” cannot be fetched: the site answers with the status 404.'
  assert.deepEqual(await told(`${site}/none`), [400, 'rest_invalid_param', statusText])
  assert.match(String(await told('ftp://club.example/')), /must be a full address/)
  assert.match(String(await told('https://127.0.0.2/')), /the address leads to a private network/)
  assert.match(String(await told('https://inside.example/')), /the site cannot be reached/)
  assert.deepEqual((await told(`${site}/a.ics`, 'author')).slice(0, 2), [403, 'rest_forbidden'])
  const json = { url: `${site}/none` }
  const french = await app.send({ as: 'editor', method: 'POST', path: '//fr/cal/service/v1/sources/club/fetch', json })
  assert.match(
    french.text,
    /ne peut pas être récupéré\\u00a0: le site répond par le code 404|récupéré\u00a0: le site répond/,
  )
})

test('a site that names pages inside, or has no end, gets nothing but its own pages read', async (t) => {
  const { asked, fetch, port } = await start(t, {
    '/inside.xml': (_request, response) =>
      response.end(
        sitemapOf(
          ...[
            'http://127.0.0.2/secret',
            `http://127.0.0.2:${port}/secret`,
            'http://169.254.169.254/',
            'file:///etc/passwd',
          ],
          ...[
            'https://www.club.example/secret',
            `${site}:${port}/secret`,
            'javascript:alert(1)',
            'https://[::1]/secret',
          ],
          '/event/a',
        ),
      ),
    '/event/a': pageOf(event('Fair'), { '@type': 'Event', name: 'x'.repeat(100_000), startDate: { not: 'a date' } }),
    '/many.xml': sitemapOf(...Array.from({ length: 3000 }, (_, number) => `/p/${number}`), '/event/a'),
    '/nested': `<script type="application/ld+json">${'['.repeat(300_000)}</script><script type="application/ld+json">${'{"@graph":'.repeat(50)}${'['.repeat(10)}</script>`,
  })

  const led = await fetch('/inside.xml', { dry_run: true })
  assert.equal(led.status, 200, led.text)
  // With “www.” it is the same site, whose name leads inside.
  assert.deepEqual([led.body.created, led.body.failed, led.body.notes.length], [1, 1, 1])
  assert.deepEqual(asked, ['/inside.xml', '/event/a'])

  asked.length = 0
  const many = await fetch('/many.xml', { dry_run: true })
  assert.deepEqual([many.body.created, asked.length, asked[1]], [1, 201, '/event/a'])
  assert.match(many.body.notes[0], /not read as a whole \(200 of 3001 pages\)/)

  assert.equal((await fetch('/nested')).body.code, 'not-a-calendar')
})

test('no page is read that leads elsewhere, is packed or is large, though it has events', async (t) => {
  const page = pageOf(event('Fair'))
  const led =
    (location: string): RequestListener =>
    (_request, response) =>
      response.writeHead(302, { location }).end()
  const { fetch, port, pages, asked } = await start(t, {
    '/event': page,
    '/packed': (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.from(page))),
    '/large': (_request, response) => response.end(page + ' '.repeat(3 * 1024 * 1024)),
    '/packed.xml': (_request, response) => response.end(gzipSync(Buffer.from(sitemapOf('/event')))),
  })
  pages['/inside'] = led(`http://127.0.0.2:${port}/event`)
  pages['/named'] = led(`http://inside.example:${port}/event`)
  pages['/outside'] = led(`http://other.example:${port}/event`)
  pages['/moved'] = led('/event')
  const codeOf = async (path: string) => {
    pages['/one.xml'] = sitemapOf(path)
    const { body } = await fetch('/one.xml', { dry_run: true })
    return body.created ?? body.code
  }

  assert.equal(await codeOf('/moved'), 1)
  assert.equal(asked.at(-1), '/event')
  for (const path of ['/inside', '/named', '/outside', '/packed', '/large'])
    assert.equal(await codeOf(path), 'not-a-calendar', path)
  assert.equal(asked.at(-1), '/large')
  assert.equal((await fetch('/packed.xml')).body.code, 'not-a-calendar')
})

test('a site is left when its time is over, or when it is busy, without a pause for each page', {
  timeout: 20_000,
}, async () => {
  const read = async (status: number, timeoutMs: number) => {
    let asked = 0
    const fetch = async () => {
      asked += 1
      return { status, body: Buffer.from(pageOf(event('A'))) }
    }
    const first = Buffer.from(
      sitemapOf(...Array.from({ length: 100 }, (_, number) => `/${number}`)) + pageOf(event('B')),
    )
    const address = { url: `${site}/list`, first, fetch, timeoutMs, pauseMs: 1000 }
    const reading = { siteZone: utcZone, now: 0, status: 'publish', category: undefined }
    const { pages } = await readAddress(address, reading).catch(() => ({ pages: 'none' }))
    return { asked, pages }
  }

  assert.deepEqual(await read(200, 1500), { asked: 1, pages: 'some' })
  assert.deepEqual(await read(503, 60_000), { asked: 1, pages: 'none' })
})

test('sitemaps that name others for ever end, and a site that is busy is left alone', async (t) => {
  let isBusy = true
  const next = (_request: unknown, response: Parameters<RequestListener>[1]) =>
    response.end(`<loc>${site}/s-${asked.length}.xml</loc><loc>${site}/s-${asked.length}.xml?again=1</loc>`)
  const { asked, fetch, pages } = await start(t, {
    '/busy.xml': sitemapOf('/a', '/b', '/c'),
    '/a': (_request, response) => response.writeHead(isBusy ? 503 : 200).end(pageOf(event('A'))),
    '/b': pageOf(event('B')),
  })
  const left = await fetch('/busy.xml')
  assert.deepEqual([left.body.code, asked], ['not-a-calendar', ['/busy.xml', '/a']])
  isBusy = false
  assert.equal((await fetch('/busy.xml')).body.created, 2)

  asked.length = 0
  for (let number = 0; number < 2000; number += 1) pages[`/s-${number}.xml`] = next
  assert.equal((await fetch('/s-0.xml')).body.code, 'not-a-calendar')
  assert.ok(asked.length <= 501, `${asked.length}`)
})

test('a subscription to a site removes what is missing twice, and nothing while a page cannot be read', async (t) => {
  const { app, pages, send, titles } = await start(t, {
    '/s.xml': sitemapOf('/a', '/b', '/c', '/d'),
    ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`/${name}`, pageOf(event(name))])),
  })
  const json = { source: 'club', url: `${site}/s.xml`, missing: 'trash', paused: true }
  assert.equal((await send('/subscriptions', json, 'administrator')).status, 201)
  const fetched = async (more: object = {}) => {
    app.pass(60)
    return (await send('/subscriptions/club/fetch', more, 'administrator')).body
  }

  const tried = await fetched({ dry_run: true })
  assert.deepEqual([tried.report.rows.length, await titles()], [4, []])
  assert.deepEqual([(await fetched()).report.created, await titles()], [4, ['a', 'b', 'c', 'd']])

  pages['/s.xml'] = sitemapOf('/b', '/c', '/d')
  pages['/b'] = (_request, response) => response.writeHead(500).end()
  for (const _ of [1, 2, 3]) {
    const { result, removed, report } = await fetched()
    assert.deepEqual([result, removed, report.unchanged, report.notes.length], ['imported', 0, 2, 1])
  }
  pages['/b'] = pageOf(event('b'))
  assert.equal((await fetched()).removed, 0)
  assert.equal((await fetched()).removed, 1)
  assert.deepEqual(await titles(), ['b', 'c', 'd'])

  pages['/s.xml'] = '<html>'
  assert.equal((await fetched()).failure, 'no-calendar')
  assert.deepEqual(await titles(), ['b', 'c', 'd'])
})

test('events of one page that begin together, have paths as addresses, broken lines or a place without a name all come', async (t) => {
  const place = { '@type': 'Place', address: { streetAddress: '5 Elm', addressLocality: 'Laval' } }
  const { fetch, titles, app } = await start(t, {
    '/list': pageOf(event('a'), event('b', { location: place }), event('c', { url: '/c' }), event('d', { url: '/d' })),
    '/broken': pageOf(event('e', { description: 'one~two' })).replace('~', '\n'),
  })
  const first = await fetch('/list')
  const second = await fetch('/list')
  await fetch('/broken')

  assert.deepEqual([first.body.created, second.body.created, second.body.unchanged], [4, 0, 4])
  assert.deepEqual(await titles(), ['a', 'b', 'c', 'd', 'e'])
  const { body } = await app.send({ path: '/venues' })
  assert.deepEqual([body.venues[0].venue, body.venues[0].city], ['5 Elm', 'Laval'])
})
