import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { runs } from '../../../test/support/long.ts'
import { sendRaw } from '../../../test/support/socket.ts'
import { withoutReadCache } from '../../../test/support/uncached.ts'
import { createApp } from '../../app.ts'
import type { Role } from '../auth/actor.ts'

/**
 * Starts the service over a real connection twice: with its caches, and without the response cache and the data cache.
 */
async function startBoth(t: Parameters<typeof startTestApp>[0]) {
  const app = await startTestApp(t)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { config, storage } = app.deps
  const forgetful = createApp({
    ...app.deps,
    config: { ...config, cacheMegabytes: 0 },
    storage: withoutReadCache(storage),
  })
  t.after(() => forgetful.close())
  const host = new URL(url).host
  const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
    const remembered = await fetch(`${url}/cal/events/v1${path}`, { headers })
    const made = await forgetful.inject({ url: `/cal/events/v1${path}`, headers: { host, ...headers } })
    return { remembered, text: await remembered.text(), made }
  }
  return { app, url, ask }
}

const kept = ['content-type', 'content-language', 'allow', 'x-tec-total', 'x-tec-totalpages', 'cache-control', 'link']

type Step =
  | { readonly do: 'read'; readonly path: number; readonly as: Role | undefined }
  | { readonly do: 'change'; readonly what: number; readonly which: number; readonly as: Role }
  | { readonly do: 'pass'; readonly seconds: number }

const roles = fc.constantFrom<Role>('subscriber', 'contributor', 'author', 'editor', 'administrator')
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('read' as const),
        path: fc.nat(30),
        as: fc.option(roles, { nil: undefined }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('change' as const), what: fc.nat(8), which: fc.nat(5), as: roles }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('pass' as const),
        seconds: fc.constantFrom(1, 60, 43_200, 86_400, -1, -86_400),
      }),
    },
  ),
  { minLength: 20, maxLength: 60 },
)

test('a cached response is the one that the service makes without a cache, after any write and for any reader', async (t) => {
  const { app, ask } = await startBoth(t)
  const venue = await givenVenue(app)
  const { id: tagId } = await givenTerm(app, 'tags', { name: 'one' })
  const ids: number[] = []
  for (let number = 0; number < 6; number += 1) {
    const event = await givenEvent(app, {
      title: `Event ${number}`,
      venue: venue.id,
      tags: ['one', `tag ${number}`],
      start_date: `2030-01-${14 + number} 10:00:00`,
      end_date: `2030-01-${14 + number} 12:00:00`,
      ...(number === 4 ? { event_password: 'open' } : {}),
    })
    ids.push(event.id)
  }
  const paths = [
    ...['/events', '/events?per_page=2', '/events?per_page=2&page=2', '/events?strict_dates=1', '/events?search=event'],
    ...['/events?start_date=now', '/events?ends_after=yesterday', '/events?ml_language=fr-CA', '/events?password=open'],
    ...['/events?start_date=2030-01-01&end_date=2030-02-01', '/events?_fields=total', '/events?_envelope=1', '/'],
    ...['/venues', `/venues/${venue.id}`, '/venues?has_events=1', '/tags', '/tags?hide_empty=1', '/organizers', '/doc'],
    ...ids.map((id) => `/events/${id}`),
    ...[`/events/${ids[4]}?password=open`, '/events/by-slug/event-1', '/venues?only_with_upcoming=1', '/categories'],
  ]
  const change = async ({ what, which, as }: Extract<Step, { do: 'change' }>) => {
    const path = `/events/${ids[which]}`
    const bodies = [{ title: `Changed ${which}` }, { status: 'draft' }, { status: 'publish' }, { status: 'private' }]
    if (what === 4) return app.send({ as, method: 'DELETE', path })
    if (what === 5)
      return app.send({ as, method: 'PATCH', path: `/venues/${venue.id}`, json: { city: `Laval ${which}` } })
    if (what === 8)
      return app.send({ as, method: 'PATCH', path: `/tags/${tagId}`, json: { description: `Tagged ${which}` } })
    if (what === 6) return app.send({ as, method: 'PATCH', path, json: { hide_from_listings: which % 2 === 0 } })
    if (what === 7) {
      const json = { title: 'Traduit', ml_translation_of: ids[which], status: 'publish' }
      return app.send({ as, method: 'POST', path: '/events?ml_language=fr-CA', json })
    }
    return app.send({ as, method: 'PATCH', path, json: bodies[what % bodies.length] })
  }
  const authorizationOf = await authorizations(app)
  let compared = 0

  const read = async (path: string, as: Role | undefined) => {
    const { remembered, text, made } = await ask(path, as ? { authorization: authorizationOf(as) } : {})
    assert.equal(remembered.status, made.statusCode, path)
    assert.equal(text, made.body, path)
    for (const name of kept)
      assert.equal(remembered.headers.get(name), made.headers[name] ?? null, `${name} of ${path}`)
    compared += 1
  }
  await fc.assert(
    // Few addresses at a time, so that each is requested repeatedly.
    fc.asyncProperty(fc.shuffledSubarray(paths, { minLength: 3, maxLength: 4 }), steps, async (few, all) => {
      for (const step of all) {
        if (step.do === 'pass') app.pass(step.seconds)
        else if (step.do === 'change') await change(step)
        else await read(few[step.path % few.length] ?? '/', step.as)
      }
    }),
    { numRuns: runs(10, 40), seed: 20_261_121 },
  )
  assert.ok(compared > runs(75, 300))
})

/** Returns the credentials of each role of a test. */
async function authorizations(app: TestApp): Promise<(role: Role) => string> {
  const { createUser } = await import('../auth/user.service.ts')
  const secrets = new Map<Role, string>()
  for (const role of ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const) {
    const { user, secret } = await createUser(app.deps, { name: `other-${role}`, role, email: `${role}@other.example` })
    secrets.set(role, `Basic ${btoa(`${user.name}:${secret}`)}`)
  }
  return (role) => secrets.get(role) ?? ''
}

test('an answer carries a strong validator, and who names it is told that nothing has changed', async (t) => {
  const { app, url } = await startBoth(t)
  const { id } = await givenEvent(app)
  const address = `${url}/cal/events/v1/events/${id}`
  const first = await fetch(address)
  const etag = first.headers.get('etag') ?? ''
  await first.text()

  const again = await fetch(address, { headers: { 'if-none-match': `"other", W/${etag}` } })
  const any = await fetch(address, { headers: { 'if-none-match': '*' } })
  await app.send({ as: 'administrator', method: 'PATCH', path: `/events/${id}`, json: { title: 'New' } })
  const changed = await fetch(address, { headers: { 'if-none-match': etag } })

  assert.match(etag, /^"[\w-]{20,}"$/)
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag])
  assert.equal(again.headers.get('content-type'), null)
  assert.equal(any.status, 304)
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.get('etag'), etag)
})

test('the answer to somebody who signed in is not kept', async (t) => {
  const { app } = await startBoth(t)
  const { id } = await givenEvent(app, { status: 'private' })

  const mine = await app.send({ as: 'administrator', path: `/events/${id}` })
  const theirs = await app.send({ path: `/events/${id}` })

  assert.equal(mine.status, 200)
  assert.match(String(mine.headers['cache-control']), /no-store/)
  assert.equal(theirs.status, 403)
})

test('an answer asked for again takes no statement, and with no memory as many as before', async (t) => {
  const counts = []
  for (const CACHE_MEGABYTES of ['8', '0']) {
    const app = await startTestApp(t, { CACHE_MEGABYTES })
    await givenEvent(app)
    app.statements()
    await app.send({ path: '/events' })
    const first = app.statements().length
    await app.send({ path: '/events' })
    counts.push([first > 1, app.statements().filter((text) => !text.startsWith('select number')).length])
  }

  assert.deepEqual(counts[0], [true, 0])
  assert.ok(Number(counts[1]?.[1]) > 1)
})

test('many who ask the same at the same time have it made once, also after a write', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const readings = () => app.statements().filter((text) => text.includes('listed_events entry')).length
  const ask = (title: string) => async () => (await app.send({ path: '/events' })).body.events[0].title === title
  readings()
  await ask('Concert')()
  const alone = readings()

  await app.send({ as: 'administrator', method: 'PATCH', path: `/events/${id}`, json: { title: 'New' } })
  readings()
  const seen = await Promise.all(Array.from({ length: 20 }, () => ask('New')()))

  assert.ok(alone > 0)
  assert.equal(readings(), alone)
  assert.ok(seen.every((isNew) => isNew))
})

test('an answer of a later day is not given where the clock is put back', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const ids = async () => (await app.send({ path: '/events' })).body.events.map((event: { id: number }) => event.id)
  const days = 20 * 86_400

  app.pass(days)
  const later = await ids()
  app.pass(-days)
  const earlier = await ids()

  assert.deepEqual([later, earlier], [[], [id]])
})

/** Paths whose response HEAD gives without a body and GET gives with one. */
const keptPaths = [
  ...[
    '/events',
    '/events?per_page=1',
    '/venues',
    '/categories',
    '/doc',
    '/',
    '//events/',
    '//fr/events/month/2030-01/',
  ],
  ...['//sitemap.xml', '//robots.txt', '/events.ics', '/events.rss', '/events.csv', '/events/by-slug/concert'],
]

/** Returns the statements that make a response. */
const makingIn = (app: TestApp) => app.statements().filter((text) => !text.startsWith('select number'))

for (const [first, second] of [
  ['GET', 'HEAD'],
  ['HEAD', 'GET'],
] as const) {
  test(`${second} is answered from memory where ${first} was, with the same headers`, async (t) => {
    const app = await startTestApp(t)
    await givenEvent(app)
    for (const path of keptPaths) {
      makingIn(app)
      const made = await app.send({ method: first, path })
      makingIn(app)
      const remembered = await app.send({ method: second, path })
      const statements = makingIn(app)
      const [get, head] = first === 'GET' ? [made, remembered] : [remembered, made]

      assert.deepEqual(statements, [], path)
      assert.deepEqual([get.status, head.status, head.text], [200, 200, ''], path)
      assert.equal(head.headers['content-length'], String(get.bytes.length), path)
      const { date: _one, ...getHeaders } = get.headers
      const { date: _other, ...headHeaders } = head.headers
      assert.deepEqual(headHeaders, getHeaders, path)
    }
  })
}

/** Returns the answers of a connection: their heads as sorted lines, without what differs from answer to answer. */
async function answersOn(url: string, requests: readonly string[]) {
  let rest = await sendRaw(url, requests.map((lines) => `${lines}\r\n\r\n`).join('')).all
  return requests.map((request) => {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const [status, ...lines] = head
      .split('\r\n')
      .map((line) => line.replace(/^[^:]+(?=:)/, (name) => name.toLowerCase()))
    const length = request.startsWith('HEAD') ? 0 : Number(/^content-length: (\d+)/im.exec(head)?.[1])
    const body = rest.slice(head.length + 4, head.length + 4 + length)
    rest = rest.slice(head.length + 4 + length)
    const names = lines.map((line) => line.replace(/:.*/, ''))
    const same = lines.filter((line) => !/^(?:date|x-request-id):/.test(line)).sort()
    return { status, names: names.sort(), same, body, rest }
  })
}

test('a repeated answer has the head of the first one, with an id and a date of its own, on any connection', async (t) => {
  const { url } = await startBoth(t)
  const get = 'GET /cal/events/v1/venues?per_page=3 HTTP/1.1\r\nHost: localhost'
  const last = `${get}\r\nConnection: close`

  const [made] = await answersOn(url, [last])
  const repeated = await answersOn(url, [get, get.replace('GET', 'HEAD'), get, last])
  const old = await answersOn(url, [get.replace('1.1', '1.0')])

  for (const name of ['date', 'x-request-id', 'etag']) assert.ok(made?.names.includes(name), name)
  const lasting = ['connection: keep-alive', 'keep-alive: timeout=72']
  for (const [at, { status, same, names, body }] of [...repeated, ...old].entries()) {
    const isLast = at > 2
    const others = same.filter((line) => isLast || !lasting.includes(line))
    assert.deepEqual(
      [status, others],
      ['HTTP/1.1 200 OK', made?.same.filter((line) => isLast || line !== 'connection: close')],
      `${at}`,
    )
    assert.deepEqual(same.length - others.length, isLast ? 0 : lasting.length, `${at}`)
    assert.deepEqual(names.filter((name) => name === 'date' || name === 'x-request-id').length, 2, `${at}`)
    assert.equal(body, at === 1 ? '' : made?.body, `${at}`)
  }
  assert.equal(repeated.at(-1)?.rest, '')
})

test('HEAD of what a client has already is 304, remembered or not, and leaves its connection usable', async (t) => {
  const { url } = await startBoth(t)
  const head = (etag: string, ...lines: readonly string[]) =>
    ['HEAD /cal/events/v1/venues HTTP/1.1', 'Host: localhost', `If-None-Match: ${etag}`, ...lines, '', ''].join('\r\n')
  const asked = [head('"other"'), head('*'), head('"other"'), head('*', 'Connection: close')]

  const answers = (await sendRaw(url, asked.join('')).all).split('\r\n\r\n')

  assert.deepEqual(
    answers.map((answer) => answer.slice(0, 12)),
    ['HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 200', 'HTTP/1.1 304', ''],
  )
  const [length, none] = answers.map((answer) => /^content-length: (\d+)/im.exec(answer)?.[1])
  assert.deepEqual([Number(length) > 50, none], [true, undefined])
})

test('HEAD with a session or a password of its own is answered for itself', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { status: 'private' })

  const mine = await app.send({ as: 'administrator', method: 'HEAD', path: `/events/${id}` })
  const theirs = await app.send({ method: 'HEAD', path: `/events/${id}` })

  assert.deepEqual([mine.status, theirs.status], [200, 403])
  assert.match(mine.headers['cache-control'] ?? '', /no-store/)
})
