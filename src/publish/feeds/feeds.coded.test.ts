import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent } from '../../../test/support/given.ts'
import { startMonitoredApp } from '../../../test/support/monitored.app.ts'

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const
type Coding = keyof typeof decoders
const codings = Object.keys(decoders) as readonly Coding[]
/** The maximum of readers of coded feeds at a time. */
const maxCoded = 8

/** Creates events whose texts compress badly: to half their length at best. */
async function givenLongEvents(app: TestApp, count: number, octets: number): Promise<readonly number[]> {
  const ids: number[] = []
  for (let number = 0; number < count; number += 1) {
    ids.push((await givenEvent(app, { title: `Event ${number}` })).id)
    const contentHtml = `<p>${randomBytes(octets / 2).toString('hex')}</p>`
    await app.deps.storage.write((tx) =>
      tx
        .updateTable('records')
        .set({ content_html: contentHtml })
        .where('id', '=', ids.at(-1) ?? 0)
        .execute(),
    )
  }
  return ids
}

test('a long feed comes in each coding as it does without, with a validator of its own', async (t) => {
  const app = await startTestApp(t)
  const [id] = await givenLongEvents(app, 6, 900_000)
  await app.send({ path: '/events.ics?per_page=1' }) // The first request creates the identity of the calendar.
  for (const [path, asked] of [
    ['/events.csv', codings],
    ['/events.ics', ['zstd']],
  ] as const) {
    const plain = await app.send({ path })
    assert.equal(plain.headers.vary, 'Accept-Encoding')
    const etags = new Set([plain.headers.etag])
    for (const coding of asked) {
      const ask = (more: object = {}, method: 'GET' | 'HEAD' = 'GET') =>
        app.send({ path, method, headers: { 'accept-encoding': coding, ...more } })
      const feed = await ask()
      const head = await ask({}, 'HEAD')
      const same = await ask({ 'if-none-match': feed.headers.etag ?? '' })

      assert.equal(feed.headers['content-encoding'], coding)
      assert.ok(feed.bytes.length < plain.bytes.length * 0.7, `${feed.bytes.length} of ${plain.bytes.length}`)
      assert.ok(decoders[coding](feed.bytes).equals(plain.bytes), `${coding} of ${path}`)
      assert.deepEqual([feed.headers.vary, feed.headers['content-length']], ['Accept-Encoding', undefined])
      const { date: _one, 'transfer-encoding': _chunked, ...ofGet } = feed.headers
      const { date: _other, 'content-length': _none, ...ofHead } = head.headers
      assert.deepEqual(ofHead, ofGet)
      assert.deepEqual([same.status, same.headers.etag, same.headers.vary], [304, feed.headers.etag, 'Accept-Encoding'])
      etags.add(feed.headers.etag)
    }
    assert.equal(etags.size, asked.length + 1)
    const mine = await app.send({ path, as: 'editor', headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([mine.headers['content-encoding'], mine.headers.vary], [undefined, undefined])
    await changed(app, `/events/${id}`, { title: `Changed for ${path}` })
    const [etag = ''] = [...etags].slice(1)
    const anew = await app.send({ path, headers: { 'accept-encoding': 'zstd', 'if-none-match': etag } })
    assert.equal(anew.status, 200)
  }
})

/** Begins to read, and takes only the first bytes. */
async function beginReading(t: TestContext, url: string, headers: Readonly<Record<string, string>>) {
  const request = get(url, { headers, agent: false })
  request.on('error', () => {})
  t.after(() => request.destroy())
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}

test('a coded feed is made no faster than it is read', async (t) => {
  const app = await startMonitoredApp(t, { PUBLIC_URL: site })
  const ids = await givenLongEvents(app, 16, 1_000_000)
  const reading = await beginReading(t, `${app.url}/cal/events/v1/events.csv`, { 'accept-encoding': 'gzip' })

  // The change happens after the part that any client has read, and none of that text exists yet.
  await changed(app, `/events/${ids.at(-1)}`, { status: 'private', title: 'For editors only' })
  const text = gunzipSync(await buffer(reading)).toString()

  assert.ok(text.includes('Event 0') && !text.includes('Event 15') && !text.includes('For editors'))
})

test('so many long feeds are coded at a time; those after them come plain, until somebody has gone', async (t) => {
  const app = await startMonitoredApp(t, { PUBLIC_URL: site })
  // The system buffers only a part of these for a client that reads nothing.
  await givenLongEvents(app, 16, 1_000_000)
  const begin = () => beginReading(t, `${app.url}/cal/events/v1/events.csv`, { 'accept-encoding': 'gzip' })
  const plain = await app.send({ path: '/events.csv', method: 'HEAD' })
  const readers = []
  for (let number = 0; number < maxCoded; number += 1) readers.push(await begin())

  const late = await begin()
  assert.deepEqual(
    [...readers, late].map(({ headers }) => headers['content-encoding']),
    [...Array(maxCoded).fill('gzip'), undefined],
  )
  assert.equal(late.headers.etag, plain.headers.etag)

  for (const reader of [...readers, late]) reader.destroy()
  for (;;) {
    const next = await begin()
    next.destroy()
    if (next.headers['content-encoding'] === 'gzip') break
    await turn()
  }
})

test('a coded feed that cannot be gone on with breaks off', async (t) => {
  const app = await startMonitoredApp(t, { PUBLIC_URL: site })
  const ids = await givenLongEvents(app, 6, 1_000_000)
  const path = '/cal/events/v1/events.csv'
  await app.deps.storage.write((tx) =>
    tx
      .updateTable('events')
      .set({ cost: '5' as never })
      .where('record_id', '=', ids.at(-1) ?? 0)
      .execute(),
  )
  for (const coding of codings) {
    const reading = await beginReading(t, `${app.url}${path}`, { 'accept-encoding': coding })
    assert.equal(reading.headers['content-encoding'], coding)
    await assert.rejects(buffer(reading))
  }
})
