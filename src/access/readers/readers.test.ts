import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { isOnPostgres } from '../../../test/support/database.ts'
import { givenEvent, givenVenue } from '../../../test/support/given.ts'
import { startMonitoredApp } from '../../../test/support/monitored.app.ts'
import { createApp } from '../../app.ts'

const reader = new URL('../../../test/support/held.reader.ts', import.meta.url)
/** Tests run side by side, so that a thread may take long. */
const patient = { READERS: '2', QUERY_TIMEOUT_MS: '120000' }
const proxied = { TRUST_PROXY: 'true', RATE_LIMIT_EXEMPT: '192.0.2.0/24' }

/** Waits until a reader thread is held. */
async function held(app: TestApp, name: string): Promise<void> {
  while (!existsSync(join(app.deps.config.dataDir, `${name}.held`))) await turn()
}

const release = (app: TestApp, name: string) => writeFileSync(join(app.deps.config.dataDir, name), '')
const dear = (name: string) => `/events?search=${name}&hold=${name}`
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** Reads that reader threads answer. */
const dearPaths = [
  '/events?search=sun',
  '/events?per_page=100&start_date=2029-01-01',
  '/events?featured=true&_fields=events.id',
  '/events?search=%00&status=draft',
  '/events?page=99&per_page=60',
  '/events?_envelope=1&search=sun',
  '/events?_jsonp=hi&search=sun',
  '/fr/events?search=sun',
  '/venues?search=a',
  '/categories?search=a',
  '/events.ics',
  '/events.csv?search=sun',
  '/events.rss',
  '/doc',
  '//events/',
  '//fr/events/',
  '//events/month/2030-02/',
  '//events/map/',
  '//events/list/?search=sun',
  '//events/list/?ical=1',
  '//sitemap.xml',
  '//sitemap-1.xml',
  '//venue/none/',
]

const serviceReads = [
  'cal/service/v1/events?search=sun',
  'cal/service/v1/events?per_page=nine',
  'fr/cal/service/v1/events?per_page=neuf',
  'cal/service/v1/events/counts?search=sun',
  'cal/service/v1/media',
  'cal/service/v1/media/usage?ids=1',
  'cal/service/v1/venues',
  'cal/service/v1/doc',
  'cal/service/v1/audit',
  'cal/service/v1/users',
  'cal/service/v1/session',
  'cal/service/v1/changes',
  'cal/service/v1/changes?wait=0',
  'cal/service/v1/rpde/events',
  'cal/service/v1/categories/1/usage',
]

describe('the main thread and reader threads', () => {
  test('give the same answers, to visitors and to users', async (t) => {
    const app = await startTestApp(t, patient)
    for (const title of ['Sunday', 'Sunny', 'Rain']) await givenEvent(app, { title })
    const alone = createApp({ ...app.deps, config: { ...app.deps.config, readers: 0 } })
    t.after(() => alone.close())
    const known = ({ headers, ...answer }: { readonly headers: object; readonly statusCode: number; body: string }) => {
      const { date: _date, 'x-request-id': _id, ...others } = headers as Record<string, unknown>
      return { status: answer.statusCode, headers: others, body: answer.body }
    }
    for (const path of dearPaths) {
      for (const headers of [{}, { 'accept-language': 'fr', prefer: 'handling=strict' }, { accept: 'text/html' }]) {
        const url = path.startsWith('//') ? path.slice(1) : path.replace(/^(\/fr)?/, '$1/cal/events/v1')
        const [one, other] = [await app.server.inject({ url, headers }), await alone.inject({ url, headers })]

        assert.deepEqual(known(one), known(other), path)
      }
    }
    const asEditor = await app.send({ as: 'editor', path: '/events?status=any' })
    assert.equal(asEditor.status, 200)
    assert.equal(asEditor.body.total, 3)
    assert.match(String(asEditor.headers['cache-control']), /no-store/)
  })

  test('give users the same answers of our own namespace', async (t) => {
    const apps = [await startTestApp(t, patient), await startTestApp(t, { READERS: '0' })]
    for (const app of apps) {
      for (const title of ['Sunday', 'Sunny', 'Rain']) await givenEvent(app, { title })
      await givenVenue(app, {})
    }
    for (const path of serviceReads) {
      for (const as of ['administrator', 'contributor', undefined] as const) {
        const [one, other] = await Promise.all(
          apps.map(async (app) => {
            const { status, headers, body } = await app.send({ path: `//${path}`, ...(as ? { as } : {}) })
            const { date: _date, 'x-request-id': _id, connection: _connection, ...others } = headers
            return { status, headers: others, body }
          }),
        )

        assert.deepEqual(one, other, `${path} ${as}`)
      }
    }
  })

  test('show each write at once, and reuse an answer until then', async (t) => {
    const app = await startTestApp(t, patient)
    await givenEvent(app, { title: 'Sunday' })
    const first = await app.send({ path: '/events?search=sun' })
    const etag = String(first.headers.etag)
    const same = await app.send({ path: '/events?search=sun', headers: { 'if-none-match': etag } })
    const head = await app.send({ method: 'HEAD', path: '/events?search=sun' })
    await givenEvent(app, { title: 'Sunny' })
    const later = await app.send({ path: '/events?search=sun', headers: { 'if-none-match': etag } })

    assert.deepEqual([first.body.total, same.status, head.status, head.text], [1, 304, 200, ''])
    assert.equal(head.headers.etag, etag)
    assert.deepEqual([later.status, later.body.total], [200, 2])
  })

  test('count the wrong passwords of lists together', async (t) => {
    const app = await startTestApp(t, { ...patient, ...proxied, FAILURE_LIMIT: '3/300' })
    await givenEvent(app, { event_password: 'right' })
    const guess = (password: string) =>
      app.send({ path: `/events?per_page=60&password=${password}`, ...from('203.0.113.1') })

    const statuses: number[] = []
    for (const word of ['a', 'b', 'c', 'd', 'right']) statuses.push((await guess(word)).status)

    assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  })
})

/** On PostgreSQL there are no reader threads. */
const engines = isOnPostgres() ? [] : ['SQLite']

for (const engine of engines) {
  describe(`reader threads on ${engine}`, () => {
    test('keep nobody waiting for the question of another', async (t) => {
      const app = await startTestApp(t, patient, { reader })
      const { id } = await givenEvent(app, {})
      const asked = app.send({ path: dear('one') })
      await held(app, 'one')

      const cheap = [await app.send({ path: `/events/${id}` }), await app.send({ path: '/events?per_page=5' })]
      const other = await app.send({ path: '/events?search=sun' })
      release(app, 'one')

      assert.deepEqual(
        [...cheap, other, await asked].map(({ status }) => status),
        [200, 200, 200, 200],
      )
    })

    test('answer the lists of editors, which keep nobody waiting either', async (t) => {
      const app = await startTestApp(t, patient, { reader })
      const { id } = await givenEvent(app, { title: 'Sunday' })
      const read = (path: string) => app.send({ as: 'editor', path: `//cal/service/v1/${path}?search=sun&hold=one` })
      const list = read('events')
      const counts = read('events/counts')
      await held(app, 'one')

      assert.equal((await app.send({ path: `/events/${id}` })).status, 200)
      release(app, 'one')

      const { events, total } = (await list).body
      assert.deepEqual([total, events.map((event: { readonly id: number }) => event.id)], [1, [id]])
      const none = { future: 0, draft: 0, pending: 0, private: 0, trash: 0 }
      assert.deepEqual((await counts).body, { any: 1, publish: 1, ...none })
    })

    test('make the page of a client that waits for changes, and the main thread waits', async (t) => {
      const app = await startTestApp(t, { ...patient, READERS: '1' }, { reader })
      const path = '//cal/service/v1/changes?data=ids'
      const first = app.send({ path: `${path}&wait=1&hold=one` })
      await held(app, 'one')
      const id = (await givenEvent(app, {})).id
      release(app, 'one')
      const { next, items } = (await first).body
      const after = `${path}&after=${new URL(next, 'http://localhost').searchParams.get('after')}`
      const waiting = app.send({ path: `${after}&wait=30` })
      const empty = await app.send({ path: `${after}&${'a&'.repeat(1000)}wait=1` })
      const other = (await givenEvent(app, {})).id

      const ids = (found: readonly { readonly id: number }[]) => found.map((item) => item.id)
      assert.deepEqual([ids(items), empty.status, empty.body.items], [[id], 200, []])
      assert.deepEqual(ids((await waiting).body.items), [other])
    })

    test('need not look again for changes after a wait that brought none', async (t) => {
      const app = await startTestApp(t, { ...patient, READERS: '1' }, { reader })
      const path = '//cal/service/v1/changes'
      const { next } = (await app.send({ path })).body
      const after = new URL(next, 'http://localhost').searchParams.get('after')
      const waiting = app.send({ path: `${path}?after=${after}&wait=1&hold=look` })
      await held(app, 'look')
      const asked = app.send({ path: dear('one') })
      release(app, 'look')
      await held(app, 'one')

      const { status, body } = await waiting

      assert.deepEqual([status, body.items], [200, []])
      release(app, 'one')
      assert.equal((await asked).status, 200)
    })

    test('give up a list of editors that takes too long, as a problem of its namespace', async (t) => {
      const app = await startTestApp(t, { READERS: '1', QUERY_TIMEOUT_MS: '500' }, { reader })
      const { status, headers, body } = await app.send({ as: 'editor', path: '//fr/cal/service/v1/events?hold=one' })

      assert.equal(status, 503)
      assert.match(String(headers['content-type']), /^application\/problem\+json/)
      assert.match(String(headers['retry-after']), /^\d+$/)
      assert.match(JSON.stringify(body), /prend trop de temps/)
    })

    test('leave a place for others, however much one client asks', async (t) => {
      const app = await startTestApp(t, { ...patient, ...proxied }, { reader })
      const names = ['a1', 'a2', 'a3', 'a4', 'a5']
      const asked = names.map((name) => app.send({ path: dear(name), ...from('203.0.113.1') }))
      await held(app, 'a1')

      const other = await app.send({ path: '/events?search=sun', ...from('203.0.113.2') })
      const begun = names.filter((name) => existsSync(join(app.deps.config.dataDir, `${name}.held`)))
      for (const name of names) release(app, name)

      assert.deepEqual([other.status, begun], [200, ['a1']])
      assert.deepEqual([...new Set((await Promise.all(asked)).map(({ status }) => status))], [200])
    })

    test('give up a question that takes too long, and answer the next', async (t) => {
      const app = await startTestApp(t, { READERS: '1', QUERY_TIMEOUT_MS: '1000' }, { reader })
      const late = ['one', 'two'].map((name) => app.send({ path: dear(name) }))
      await held(app, 'one')
      const queued = app.send({ path: '/events?search=sun' })
      const [first, second] = await Promise.all(late)

      for (const answer of [first, second]) {
        assert.deepEqual([answer?.status, answer?.body.code], [503, 'query-too-dear'])
        assert.match(String(answer?.headers['retry-after']), /^\d+$/)
      }
      assert.equal((await queued).status, 200)
    })

    test('say in the language and the form of the address that it took too long', async (t) => {
      const app = await startTestApp(t, { READERS: '2', QUERY_TIMEOUT_MS: '500' }, { reader })
      const [json, page] = await Promise.all([
        app.send({ path: '//fr/cal/events/v1/events?search=a&hold=one' }),
        app.send({ path: '//fr/events/list/?hold=two' }),
      ])

      assert.deepEqual([json.status, json.body.code], [503, 'query-too-dear'])
      assert.match(json.body.message, /prend trop de temps/)
      assert.deepEqual([page.status, page.headers['cache-control']], [503, 'no-store'])
      assert.match(page.text, /Choisissez une période plus courte/)
      assert.match(String(page.headers['retry-after']), /^\d+$/)
    })

    test('are replaced when they fail', async (t) => {
      const app = await startTestApp(t, { ...patient, READERS: '1' }, { reader })

      const failed = await app.send({ path: '/events?search=a&crash=1' })
      const next = await app.send({ path: '/events?search=a' })

      assert.deepEqual([failed.status, failed.body.code], [503, 'service_unavailable'])
      assert.equal(next.status, 200)
    })

    test('keep nobody waiting when they cannot be started, because the main thread answers', async (t) => {
      const broken = new URL('data:text/javascript,throw new Error("No file handle is left.")')
      const app = await startTestApp(t, patient, { reader: broken })
      await givenEvent(app, { title: 'Sunday' })

      const paths = ['/events?search=sun', '/events.csv', '//events/list/?search=sun', '/events?status=any']
      const answers = await Promise.all(paths.map((path) => app.send({ path, as: 'editor' })))

      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      )
      assert.equal(answers[0]?.body.total, 1)
    })

    test('end with the service, which answers what waits', async (t) => {
      const app = await startTestApp(t, { ...patient, READERS: '1' }, { reader })
      const asked = [app.send({ path: dear('one') }), app.send({ path: '/events?search=sun' })]
      await held(app, 'one')

      await app.server.close()

      assert.deepEqual(
        (await Promise.all(asked)).map(({ status, body }) => [status, body.code]),
        [
          [503, 'service_unavailable'],
          [503, 'service_unavailable'],
        ],
      )
    })

    test('are seen in the log and the metrics like the main thread', async (t) => {
      const app = await startMonitoredApp(t, { ...patient, METRICS_FROM: '127.0.0.0/8' }, { reader })
      const asked = app.get(`/cal/events/v1${dear('one')}`)
      await held(app, 'one')
      const during = await (await app.get('/metrics')).text()
      release(app, 'one')
      const id = String((await asked).headers.get('x-request-id'))
      const line = await app.lineOf(id)
      const after = await (await app.get('/metrics')).text()

      assert.match(during, /^cal_events_readers_busy 1$/m)
      assert.match(during, /^cal_events_reads_waiting 0$/m)
      assert.match(after, /^cal_events_readers_busy 0$/m)
      assert.equal(app.lines().filter(({ requestId }) => requestId === id).length, 1)
      assert.deepEqual([line.route, line.status, line.memory], ['/cal/events/v1/events', 200, 'miss'])
      assert.ok(Number(line.queries) > 1, 'the statements of the thread are counted')
    })

    test('send a long feed in pieces, again from the start if their thread ends', async (t) => {
      const app = await startTestApp(t, { READERS: '1', QUERY_TIMEOUT_MS: '1000' }, { reader })
      await givenLongEvents(app)
      const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
      const whole = Buffer.from(await (await fetch(`${url}/cal/events/v1/events.csv`)).arrayBuffer())

      const answer = await beginReading(t, `${url}/cal/events/v1/events.csv`)
      const late = app.send({ path: dear('one') })
      assert.equal((await late).status, 503)
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)

      assert.ok(whole.length > 5_000_000)
      assert.ok(Buffer.concat(parts).equals(whole), 'the same text')
    })

    test('forget a long feed that nobody reads any more', async (t) => {
      const app = await startTestApp(t, { ...patient, READERS: '1' }, { reader })
      await givenLongEvents(app)
      const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
      const answer = await beginReading(t, `${url}/cal/events/v1/events.csv`)
      answer.destroy()

      const head = await fetch(`${url}/cal/events/v1/events.csv`, { method: 'HEAD' })
      const same = await fetch(`${url}/cal/events/v1/events.csv`, {
        headers: { 'if-none-match': String(head.headers.get('etag')) },
      })

      assert.deepEqual([head.status, same.status], [200, 304])
      assert.equal((await app.send({ path: '/events?search=sun' })).status, 200)
    })
  })
}

/** Creates events of 6 MB together, too long to be made whole. */
async function givenLongEvents(app: TestApp): Promise<void> {
  for (let number = 0; number < 12; number += 1) await givenEvent(app, { title: `Long ${number}` })
  const contentHtml = `<p>${'long text, '.repeat(46_000)}</p>`
  await app.deps.storage.write((tx) =>
    tx.updateTable('records').set({ content_html: contentHtml }).where('kind', '=', 'event').execute(),
  )
}

/** Begins to read an answer, and takes only the first bytes. */
function beginReading(t: TestContext, url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, (answer) => {
      answer.once('readable', () => resolve(answer))
      answer.on('error', () => {})
    })
    request.once('error', reject)
    t.after(() => request.destroy())
  })
}
