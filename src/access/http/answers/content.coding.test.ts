import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { startTestApp, type TestAnswer, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent } from '../../../../test/support/given.ts'
import { metricsOf, startMonitoredApp } from '../../../../test/support/monitored.app.ts'
import { form, picture } from '../../../../test/support/pictures.ts'
import { CODINGS, type Coding } from './accept.encoding.ts'
import { createContentEncoder, encodeContent } from './content.encoder.ts'

const decoders: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

const coded = (app: TestApp, path: string, encoding: string, more: object = {}): Promise<TestAnswer> =>
  app.send({ path, ...more, headers: { 'accept-encoding': encoding, ...(more as { headers?: object }).headers } })

/** Returns the coding fields of a response. */
const codingOf = ({ headers }: TestAnswer) => [headers['content-encoding'], headers.vary]

/** Paths of every kind of text: of the interface, pages, feeds and scripts, cached or made for each request. */
const texts = [
  ...['/events', '/doc', '/', '/events?_jsonp=show', '/events?page=0&strict_dates=x', '//wp-json/wp/v2/media'],
  ...['/events.ics', '/events.rss', '/events.csv', '//event/concert/ical/'],
  ...['//events/', '//fr/events/month/2030-01/', '//event/concert/', '//nowhere/', '//sitemap.xml'],
  ...['//embed.js', '//docs', '//docs/openapi.json', '//fr/docs/openapi.json'],
]

/** Starts a service with an event of some length. */
async function startWithEvents(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const app = await startTestApp(t, settings)
  const { id } = await givenEvent(app, { title: 'Concert', description: `<p>${'Music for all. '.repeat(80)}</p>` })
  return { app, id }
}

for (const CACHE_MEGABYTES of ['32', '0']) {
  test(`texts are sent in each coding as they are without (cache of ${CACHE_MEGABYTES} MB)`, async (t) => {
    const { app } = await startWithEvents(t, { CACHE_MEGABYTES })
    for (const path of texts) {
      const plain = await app.send({ path })
      assert.equal(plain.headers['content-encoding'], undefined, path)
      if (plain.bytes.length < 1024) {
        const short = await coded(app, path, 'gzip')
        assert.deepEqual([short.headers['content-encoding'], short.text], [undefined, plain.text], path)
        continue
      }
      const etags = new Set([plain.headers.etag])
      for (const coding of CODINGS) {
        const first = await coded(app, path, coding)
        const again = await coded(app, path, coding)
        const head = await coded(app, path, coding, { method: 'HEAD' })

        assert.equal(first.status, plain.status, path)
        assert.equal(first.headers['content-encoding'], coding, path)
        assert.ok(first.bytes.length < plain.bytes.length, path)
        assert.equal(decoders[coding](first.bytes).toString(), plain.text, path)
        assert.deepEqual(again.bytes, first.bytes)
        assert.equal(first.headers['content-length'], String(first.bytes.length), path)
        assert.match(first.headers.vary ?? '', /(?:^|, )Accept-Encoding$/, path)
        assert.equal(plain.headers.vary, first.headers.vary, path)
        const { date: _one, ...ofGet } = first.headers
        const { date: _other, ...ofHead } = head.headers
        assert.deepEqual([head.text, ofHead], ['', ofGet], path)
        etags.add(first.headers.etag)
      }
      if (plain.headers.etag) assert.equal(etags.size, 4, path)
      else assert.deepEqual([...etags], [undefined], path)
    }
  })

  test(`who has a form that it still takes is told so, by the validator of that form (${CACHE_MEGABYTES} MB)`, async (t) => {
    const { app, id } = await startWithEvents(t, { CACHE_MEGABYTES })
    for (const path of CACHE_MEGABYTES === '0'
      ? ['/events.ics', '//embed.js', '//event/concert/ical/']
      : ['/events', '//events/', '/events.ics', '//embed.js', '//event/concert/ical/']) {
      const plain = (await app.send({ path })).headers.etag ?? ''
      const form = Object.fromEntries(
        await Promise.all(CODINGS.map(async (coding) => [coding, (await coded(app, path, coding)).headers.etag ?? ''])),
      ) as Record<Coding, string>
      const ask = (encoding: string | undefined, etag: string) =>
        app.send({ path, headers: { 'if-none-match': etag, ...(encoding ? { 'accept-encoding': encoding } : {}) } })

      for (const [encoding, named, known] of [
        ['br', form.br, form.br],
        ['br', `W/${form.br}`, form.br],
        ['br', `"other", ${form.br}`, form.br],
        ['gzip, br', `${form.gzip}, ${form.br}`, form.br],
        // The client accepts this coding too, although it would get the other one.
        ['gzip, br', form.gzip, form.gzip],
        ['gzip', plain, plain],
        ['br', '*', form.br],
        [undefined, plain, plain],
        // A client without the field accepts everything.
        [undefined, form.zstd, form.zstd],
        ['identity', '*', plain],
      ] as const) {
        const { status, text, headers } = await ask(encoding, named)
        assert.deepEqual([status, text, headers.etag], [304, '', known], `${path}: ${encoding} and ${named}`)
        assert.deepEqual(codingOf({ headers } as TestAnswer), [undefined, 'Accept-Encoding'], path)
      }
      for (const [encoding, named] of [
        ['gzip', form.br],
        ['identity', form.gzip],
        ['identity;q=0, br', plain],
        ['br', '"other"'],
      ] as const) {
        assert.equal((await ask(encoding, named)).status, 200, `${path}: ${encoding} and ${named}`)
      }
      if (path === '//embed.js') continue
      await changed(app, `/events/${id}`, { title: `Concert of ${path}`, slug: 'concert' })
      for (const coding of CODINGS) {
        const { status, bytes } = await ask(coding, Object.values(form).join(', '))
        assert.equal(status, 200, path)
        assert.ok(decoders[coding](bytes).toString().includes(`Concert of ${path}`), path)
      }
    }
  })
}

test('a kept answer is coded once, and its coded forms count as memory', async (t) => {
  const app = await startMonitoredApp(t, { METRICS_FROM: 'private' })
  await givenEvent(app)
  const url = `${app.url}/cal/events/v1/events`
  const memoryBytes = async () => (await metricsOf(app)).get('cal_events_memory_bytes') ?? 0
  await fetched(url, {})
  app.statements()
  const sizes = [await memoryBytes()]
  for (const coding of ['br', 'br', 'zstd']) {
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const answer = await fetched(url, { 'accept-encoding': coding })
        return answer.headers['content-encoding']
      }),
    )
    assert.deepEqual(answers, Array(5).fill(coding))
    sizes.push(await memoryBytes())
  }

  assert.deepEqual(
    app.statements().filter((text) => !text.startsWith('select number')),
    [],
  )
  assert.deepEqual(
    sizes.slice(1).map((size, at) => Math.sign(size - (sizes[at] ?? 0))),
    [1, 0, 1],
  )
})

/** Returns a response as it arrives over a connection, not decoded. */
async function fetched(url: string, headers: Readonly<Record<string, string>>) {
  const request = get(url, { headers })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
}

test('nothing is coded in which a secret may be', async (t) => {
  const { app } = await startWithEvents(t)
  const description = `<p>${'Behind the door. '.repeat(100)}</p>`
  const { id, url } = await givenEvent(app, { title: 'Members', event_password: 'sesame', description })
  const page = `/${new URL(url).pathname}`
  const all = 'zstd, br, gzip'
  const asked: readonly (readonly [string, Promise<TestAnswer>])[] = [
    ['signed in', coded(app, '/events', all, { as: 'editor' })],
    ['signed in, in a feed', coded(app, '/events.ics', all, { as: 'editor' })],
    ['signed in, in the namespace of the service', coded(app, '//cal/service/v1/keys', all, { as: 'administrator' })],
    ['password', coded(app, `/events/${id}?password=sesame`, all)],
    ['password', coded(app, `/events/${id}?%70assword=sesame`, all)],
    ['password of a list', coded(app, '/events?password=sesame', all)],
    ['form', coded(app, page, all, { method: 'POST', form: 'password=sesame' })],
    ['session', coded(app, '/events', all, { headers: { cookie: 'cal_session=x; __Host-cal_session=x' } })],
    ['nonce', coded(app, '/events', all, { headers: { 'x-wp-nonce': '1' } })],
    ['body', coded(app, '/events', all, { json: { per_page: 5 } })],
    ['wrong password', coded(app, '/events', all, { headers: { authorization: 'Basic eDp5' } })],
  ]
  for (const [what, asking] of asked) {
    const answer = await asking
    assert.equal(answer.headers['content-encoding'], undefined, what)
    assert.doesNotMatch(answer.headers.vary ?? '', /Accept-Encoding/, what)
  }
  assert.match((await asked[3]?.[1])?.text ?? '', /Behind the door/)
  assert.match((await asked[6]?.[1])?.text ?? '', /Behind the door/)
})

test('pictures, short answers, and what nobody may change are sent as they are', async (t) => {
  const { app } = await startWithEvents(t)
  const { body } = await app.send({
    ...{ as: 'editor', method: 'POST', path: '//cal/service/v1/media' },
    ...form(await picture(640, 480)),
  })
  const sent = await coded(app, `/${new URL(body.url).pathname}`, 'gzip')
  assert.deepEqual([sent.status, ...codingOf(sent)], [200, undefined, undefined])

  for (const headers of [{ 'cache-control': 'no-transform' }, { 'cache-control': 'max-age=0, No-Transform' }]) {
    assert.deepEqual(codingOf(await coded(app, '/events', 'gzip', { headers })), [undefined, 'Accept-Encoding'])
  }
  const short = await coded(app, '/events/99', 'gzip')
  const refused = await coded(app, '/events/99', 'gzip, identity;q=0')
  assert.deepEqual(codingOf(short), [undefined, 'Accept-Encoding'])
  assert.deepEqual(codingOf(refused), ['gzip', 'Accept-Encoding'])
})

test('where a proxy codes answers, only what is coded once is', async (t) => {
  const { app } = await startWithEvents(t, { CONTENT_CODING: 'false' })
  for (const path of ['/events', '//events/', '/events.ics', '//event/concert/ical/', '/events?_jsonp=show']) {
    assert.deepEqual(codingOf(await coded(app, path, 'br, gzip')), [undefined, undefined], path)
  }
  assert.deepEqual(codingOf(await coded(app, '//embed.js', 'br, gzip')), ['br', 'Accept-Encoding'])
})

test('what would wait behind too many others is sent plain', async (t) => {
  const coder = createContentEncoder()
  const bytes = Buffer.alloc(100_000, 'text ')

  const made = Array.from({ length: 19 }, (_, at) => coder.code(CODINGS[at % 3] ?? 'br', bytes, 'passing'))
  const streams = Array.from({ length: 9 }, () => coder.pieces('br'))
  t.after(() => streams.map((stream) => stream?.close()))

  assert.deepEqual(
    [...made, ...streams].map((one) => one !== undefined),
    [...Array(18).fill(true), false, ...Array(8).fill(true), false],
  )
  await Promise.all(made)
  assert.deepEqual(gunzipSync((await coder.code('gzip', bytes, 'kept')) ?? ''), bytes)
})

test('a large response that is cached takes no more effort than one that is sent once', async () => {
  const words = ['concert', 'market', 'dance', 'theatre', 'garden', 'winter', 'library', 'children', 'music', 'lantern']
  let state = 7
  const word = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return `${words[(state >>> 8) % words.length]}${(state >>> 16) % 40}`
  }
  const text = (count: number) => Buffer.from(Array.from({ length: count }, word).join(' '))
  for (const coding of CODINGS) {
    const [small, large] = [text(10_000), text(200_000)]
    const sizes = async (bytes: Buffer) => [
      (await encodeContent(coding, bytes, 'kept')).length,
      (await encodeContent(coding, bytes, 'passing')).length,
    ]
    const [[kept = 0, passing = 0], [keptLarge, passingLarge]] = [await sizes(small), await sizes(large)]
    assert.ok(kept < passing, coding)
    assert.equal(keptLarge, passingLarge, coding)
    assert.deepEqual(decoders[coding](await encodeContent(coding, large, 'kept')), large)
  }
})
