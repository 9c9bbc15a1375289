import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenTerm } from '../../../../test/support/given.ts'

/** Reports if a robot that obeys these rules may fetch an address: the longest matching rule wins (RFC 9309, 2.2.2). */
function mayRead(rules: string, address: string): boolean {
  const found = rules.split('\n').flatMap((line) => {
    const [, verb, path] = /^(Allow|Disallow): (\S+)$/.exec(line) ?? []
    return path !== undefined && patternOf(path).test(address) ? [{ verb, path }] : []
  })
  const [best] = found.toSorted(
    (one, other) =>
      other.path.length - one.path.length || Number(other.verb === 'Allow') - Number(one.verb === 'Allow'),
  )
  return best?.verb !== 'Disallow'
}

function patternOf(path: string): RegExp {
  const body = path.replace(/\$$/, '').split('*').map(RegExp.escape).join('.*')
  return new RegExp(`^${body}${path.endsWith('$') ? '$' : ''}`)
}

/** Reports the same for a robot that supports no wildcards and takes the first matching rule. */
function mayReadPlainly(rules: string, address: string): boolean {
  for (const line of rules.split('\n')) {
    const [, verb, path] = /^(Allow|Disallow): (\S+)$/.exec(line) ?? []
    if (path !== undefined && address.startsWith(path)) return verb === 'Allow'
  }
  return true
}

test('a robot that obeys reads interface, feeds and pages, and keeps out of what has no end', async (t) => {
  for (const environment of [{}, { REST_PREFIX: '/wp-json', VENDOR_WORD: 'tribe' }] as const) {
    const app = await startTestApp(t, environment)
    const { text: rules, headers } = await app.send({ path: '//robots.txt' })
    const { restPrefix, vendorWord } = app.deps.config
    const api = `${restPrefix}/${vendorWord}/events/v1`

    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(rules, new RegExp(`^Sitemap: ${site}/sitemap.xml$`, 'm'))
    assert.match(rules, /^User-agent: \*$/m)
    const open = [
      ...[`${api}/events`, `${api}/events?page=2&per_page=50`, `${api}/venues/3`, `${api}/events.ics?ml_language=en`],
      ...[
        `${restPrefix}/`,
        `${restPrefix}/fr/${vendorWord}/events/v1/events`,
        '/docs',
        '/sitemap.xml',
        '/sitemap-1.xml',
      ],
      ...[
        '/events/',
        '/fr/events/',
        '/events/?past=1&page=2',
        '/events/list/',
        '/events/list/?ical=1',
        '/events/feed/',
      ],
      ...['/events/month/', '/events/month/2030-06/', '/events/2030-01-15/', '/events/2029-12-31/', '/events/today/'],
      ...['/events/category/music/', '/events/category/a/b/', '/events/category/2030s/', '/tag/loud/', '/events/map/'],
      ...['/event/concert/', '/event/2-nights/', '/event/concert/ical/', '/venue/hall/', '/organizer/club/', '/feed/'],
      ...['/assets/site.css', '/uploads/2030/01/a.jpg', '/?post_type=tribe_events&ical=1&eventDisplay=list'],
      ...['/fr/events/month/2031-01/', '/fr/events/2030-02-01/', '/fr/event/concert/'],
    ]
    for (const path of open) {
      assert.ok(mayRead(rules, path), path)
      assert.ok(mayReadPlainly(rules, path), path)
    }
    const closed = [
      ...[
        '/events/?search=jazz',
        '/fr/events/?past=1&search=x',
        '/events/?tribe-bar-search=x',
        `${api}/events?search=x`,
      ],
      ...['/events/month/1990-01/', '/events/month/2090-01/', '/events/0001-01-01/', '/fr/events/month/2040-01/'],
      ...['/fr/events/2099-12-31/', '/events/map/?z=4&at=1,2', `${api}/events/3?_method=DELETE`, '/events/1999-12/'],
    ]
    for (const path of closed) assert.ok(!mayRead(rules, path), path)
  }
})

test('which months are near follows the clock', async (t) => {
  const app = await startTestApp(t)
  const before = (await app.send({ path: '//robots.txt' })).text
  app.pass(86_400 * 366 * 3)
  const after = (await app.send({ path: '//robots.txt' })).text

  assert.deepEqual(
    [before, after].map((rules) => mayRead(rules, '/events/month/2034-01/')),
    [false, true],
  )
})

test('a robot that begins at the list comes to the events by what it may read', async (t) => {
  const app = await startTestApp(t)
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  await givenEvent(app, { title: 'Concert', categories: [music.id], tags: ['Loud'] })
  const rules = (await app.send({ path: '//robots.txt' })).text
  const waiting = ['/events/']
  const seen = new Set(waiting)
  const read: string[] = []

  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const { text, status } = await app.send({ path: `/${path}` })
    if (status === 200) read.push(path)
    assert.ok(seen.size < 1500, 'it comes to an end')
    for (const [, link = ''] of text.matchAll(/<(?:a|link)\s[^>]*href="(\/[^"#]*)"/g)) {
      const found = link.replaceAll('&amp;', '&')
      if (seen.has(found) || !mayRead(rules, found) || !found.includes('/events/month')) continue
      seen.add(found)
      waiting.push(found)
    }
  }

  assert.ok(read.some((path) => path.startsWith('/events/month/2030-')))
  assert.ok(!read.some((path) => path.includes('/1999-')))
})
