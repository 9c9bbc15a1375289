import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text as textOfStream } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent } from '../../../test/support/given.ts'
import { startMonitoredApp } from '../../../test/support/monitored.app.ts'
import { streamLimits } from '../../base/limits/stream.slots.ts'
import { FEED_FORMATS } from './feed.ts'

/** Creates events with descriptions of the former maximum length. Returns their ids in the order of lists. */
async function givenLongEvents(app: TestApp, count: number, octets: number): Promise<readonly number[]> {
  const ids: number[] = []
  for (let number = 0; number < count; number += 1) {
    const minute = `2030-02-10 19:${String(number).padStart(2, '0')}:00`
    ids.push((await givenEvent(app, { start_date: minute, end_date: '2030-02-10 21:00:00' })).id)
  }
  const contentHtml = `<p>${'long text, '.repeat(Math.ceil(octets / 11))}</p>`
  await app.deps.storage.write((tx) =>
    tx.updateTable('records').set({ content_html: contentHtml }).where('kind', '=', 'event').execute(),
  )
  return ids
}

const rowsOf = (text: string) => parse(text, { bom: true, columns: true }) as Record<string, string>[]

/** Begins to read a feed from a listening service, and takes only the first bytes. */
async function beginReading(t: TestContext, url: string): Promise<IncomingMessage> {
  const request = get(url)
  request.on('error', () => {})
  t.after(() => request.destroy())
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}

test('a feed that is too long to be made whole has all events once, in the order of the list, for every caller', async (t) => {
  const app = await startTestApp(t)
  await givenLongEvents(app, 30, 200_000)
  const { body } = await app.send({ path: '/events?per_page=100' })
  const expected = body.events.map(({ id }: { readonly id: number }) => String(id))

  for (const as of [undefined, 'editor'] as const) {
    const { status, text, headers } = await app.send({ path: '/events.csv', ...(as ? { as } : {}) })

    assert.equal(status, 200)
    assert.deepEqual(
      [headers['content-length'], headers['x-tec-total'], headers['content-language']],
      [undefined, '30', 'en'],
    )
    assert.deepEqual(
      rowsOf(text).map(({ id }) => id),
      expected,
    )
    assert.ok(text.length > 30 * 200_000)
  }
  const page = await app.send({ path: '/events.csv?per_page=28&page=2' })
  assert.deepEqual(
    rowsOf(page.text).map(({ id }) => id),
    expected.slice(28),
  )
})

test('a long feed is not sent again while nothing has been written, and its head is known without it', async (t) => {
  const app = await startTestApp(t)
  const [id] = await givenLongEvents(app, 6, 1_000_000)
  await app.send({ path: '/events.ics?per_page=1' }) // The first request creates the identity of the calendar.

  for (const format of FEED_FORMATS) {
    const path = `/events.${format}`
    for (const as of [undefined, 'editor'] as const) {
      const ask = (method: 'GET' | 'HEAD', headers = {}) => app.send({ path, method, headers, ...(as ? { as } : {}) })
      const first = await ask('GET')
      const head = await ask('HEAD')
      const etag = first.headers.etag ?? ''
      const same = await ask('GET', { 'if-none-match': etag })
      await changed(app, `/events/${id}`, { title: `Changed for ${format} ${as}` })
      const other = await ask('GET', { 'if-none-match': etag })

      assert.match(etag, /^W\/"[\w-]+"$/)
      assert.deepEqual([head.status, head.text.length, head.headers.etag], [200, 0, etag])
      assert.deepEqual([same.status, same.text.length, same.headers.etag], [304, 0, etag])
      assert.deepEqual([other.status, other.headers.etag === etag], [200, false])
    }
  }
  const visitors = await app.send({ path: '/events.ics' })
  const editors = await app.send({ path: '/events.ics', as: 'editor' })
  const elsewhere = await app.send({ path: '/events.ics', headers: { host: 'elsewhere.test' } })
  assert.equal(new Set([visitors, editors, elsewhere].map(({ headers }) => headers.etag)).size, 3)
})

test('who asks for what has not changed, and only for the head, takes no place from readers', async (t) => {
  const app = await startTestApp(t)
  await givenLongEvents(app, 5, 1_000_000)
  const { headers } = await app.send({ path: '/events.csv' })

  for (let time = 0; time <= streamLimits.maxSlots; time += 1) {
    const same = await app.send({ path: '/events.csv', headers: { 'if-none-match': headers.etag ?? '' } })
    const head = await app.send({ path: '/events.csv', method: 'HEAD' })
    assert.deepEqual([same.status, head.status], [304, 200])
  }
  assert.equal((await app.send({ path: '/events.csv' })).status, 200)
})

test('what is hidden from a reader while they read is not in the rest of the feed', async (t) => {
  const app = await startMonitoredApp(t, { PUBLIC_URL: site })
  const ids = await givenLongEvents(app, 24, 1_000_000)
  const reading = await beginReading(t, `${app.url}/cal/events/v1/events.csv?start_date=2030-01-01`)
  const secret = { excerpt: 'for editors only' }
  await changed(app, `/events/${ids.at(-1)}`, { ...secret, status: 'private' })
  await changed(app, `/events/${ids.at(-2)}`, { ...secret, event_password: 'open sesame' })

  const text = await textOfStream(reading)
  const rows = rowsOf(text)

  assert.ok(!text.includes('for editors only'))
  assert.deepEqual(
    rows.map(({ id }) => Number(id)),
    ids.slice(0, -1),
  )
  assert.equal(rows.find(({ id }) => Number(id) === ids.at(-2))?.description?.length, 0)
})

test('a feed that cannot be gone on with breaks off, so that nobody takes it for the whole, and the log says why', async (t) => {
  const app = await startMonitoredApp(t, { PUBLIC_URL: site })
  const ids = await givenLongEvents(app, 8, 1_000_000)
  await app.deps.storage.write((tx) => sql`update events set cost = '5' where record_id = ${ids.at(-1)}`.execute(tx))
  const path = '/cal/events/v1/events.csv?start_date=2030-01-01'

  await assert.rejects(app.get(path).then((answer) => answer.text()))
  // RFC 9112, 6.3: for a client that does not count bytes, the close of the connection ends the response, but a reset
  // does not.
  const { hostname, port } = new URL(app.url)
  const old = connect(Number(port), hostname, () => old.write(`GET ${path} HTTP/1.0\r\n\r\n`))
  const reset = new Promise<NodeJS.ErrnoException>((resolve) => old.once('error', resolve))
  old.resume()
  assert.equal((await reset).code, 'ECONNRESET')
  assert.ok(
    app.lines().some(({ level, err }) => Number(level) >= 50 && /TypeError/.test(JSON.stringify(err))),
    app.text(),
  )
  assert.equal((await app.get('/cal/events/v1/events?per_page=1')).status, 200)
})

test('only so many long feeds are read at a time; who comes then is told to come again', async (t) => {
  const app = await startTestApp(t)
  await givenLongEvents(app, 5, 1_000_000)
  const reader = (client: number) => ({ client: `${client}`, yieldSlot: assert.fail })
  const readers = Array.from({ length: streamLimits.maxSlots }, (_, client) =>
    app.deps.limits.streams.take(reader(client)),
  )

  const late = await app.send({ path: '/events.csv' })
  assert.deepEqual([late.status, late.headers['retry-after'], late.body.code], [503, '10', 'service_unavailable'])
  // Short feeds are still served.
  assert.equal((await app.send({ path: '/events.csv?per_page=1' })).status, 200)

  readers[0]?.leave()
  assert.equal((await app.send({ path: '/events.csv' })).status, 200)
  assert.equal((await app.send({ path: '/events.csv' })).status, 200)
})

test('a feed that finds no place once it was begun is refused without any header of the feed', async (t) => {
  const app = await startTestApp(t)
  await givenLongEvents(app, 5, 1_000_000)
  const reader = (client: number) => ({ client: `${client}`, yieldSlot: assert.fail })
  for (let client = 1; client < streamLimits.maxSlots; client += 1) app.deps.limits.streams.take(reader(client))

  await app.send({ path: '/events.csv' })
  app.statements()
  // Everything that a request reads before it takes a slot, measured with a request that takes none.
  await app.send({ path: '/events.csv', method: 'HEAD' })
  const before = app.statements().length

  const asked = app.send({ path: '/events.csv' })
  for (let seen = 0; seen < before - 2; seen += app.statements().length) await turn()
  app.deps.limits.streams.take(reader(0))

  const { status, headers } = await asked
  const { etag, 'content-disposition': disposition, 'x-tec-total': total, 'retry-after': wait } = headers
  assert.deepEqual([status, etag, disposition, total, wait], [503, undefined, undefined, undefined, '10'])
})

test('feeds that wait for another answer on a connection that has gone keep no place', async (t) => {
  const app = await startMonitoredApp(t, { PUBLIC_URL: site })
  await givenLongEvents(app, 6, 1_000_000)
  const { streams } = app.deps.limits
  const { hostname, port } = new URL(app.url)
  const asked = `GET /cal/events/v1/events.csv HTTP/1.1\r\nHost: calendar.test\r\n\r\n`
  const hasRoom = () => {
    try {
      streams.assertSlotAvailable('127.0.0.1')
      return true
    } catch {
      return false
    }
  }
  const client = connect(Number(port), hostname)
  client.on('error', () => {})
  client.write(asked.repeat(streamLimits.maxSlots))
  while (hasRoom()) await turn()
  client.destroy()
  while (!hasRoom()) await turn()

  for (let place = 0; place < streamLimits.maxSlots; place += 1) {
    streams.take({ client: '127.0.0.1', yieldSlot: assert.fail })
  }
})

test('a feed that waits for another answer on its connection gives way with the connection', async (t) => {
  const app = await startMonitoredApp(t, { PUBLIC_URL: site })
  await givenLongEvents(app, 6, 1_000_000)
  const { streams } = app.deps.limits
  const { hostname, port } = new URL(app.url)
  const ask = (form: string) => `GET /cal/events/v1/events${form} HTTP/1.1\r\nHost: calendar.test\r\n\r\n`
  const client = connect(Number(port), hostname)
  const end = new Promise<NodeJS.ErrnoException>((resolve) => client.once('error', resolve))
  // More than the system buffers for a client that does not read.
  client.write(ask('?per_page=6').repeat(4) + ask('.csv').repeat(2))
  for (let place = 0; place < streamLimits.maxSlots - 2; place += 1) {
    streams.take({ client: `${place}`, yieldSlot: assert.fail })
  }
  for (;;) {
    try {
      streams.assertSlotAvailable('0')
      await turn()
    } catch {
      break
    }
  }
  streams.take({ client: 'somebody else', yieldSlot: assert.fail })

  client.resume()
  assert.equal((await end).code, 'ECONNRESET')
})
