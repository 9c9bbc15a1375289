import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codedEtag, etagOf } from './etag.ts'
import { type CachedResponse, cachedResponse, codedForm, createResponseStore, isFresh } from './response.store.ts'

const body = (bytes: number) => Buffer.alloc(bytes, 'x')

function response(bytes: number, more: Partial<Parameters<typeof cachedResponse>[1]> = {}, isCodable = true) {
  const headers = { 'Content-Type': 'application/json', Vary: 'Origin', Allow: 'GET' }
  const known = { revision: 7, route: '/x', freshFrom: 100, freshUntil: 200, ...more }
  return cachedResponse({ headers, body: body(bytes), isCodable }, known)
}

test('a cached response is fresh from its first second to its last, for its revision', () => {
  const kept = response(1)
  const freshAt = (second: number, revision = 7) => isFresh(kept, revision, second)

  assert.deepEqual(
    [99, 100, 101, 199, 200, 201].map((second) => freshAt(second)),
    [false, true, true, true, true, false],
  )
  assert.deepEqual([freshAt(150, 6), freshAt(150, 8)], [false, false])
})

test('a cached response has its headers ready, with and without a body', () => {
  const etag = etagOf(body(3))
  const kept = response(3)

  assert.deepEqual(kept.headersAlone, ['Vary', 'Origin', 'Allow', 'GET'])
  const ownHeaders = ['ETag', etag, 'Content-Type', 'application/json', 'Content-Length', '3']
  assert.deepEqual(kept.headers, [...kept.headersAlone, ...ownHeaders])
  assert.deepEqual([kept.etag, kept.route, kept.revision, kept.body], [etag, '/x', 7, body(3)])
  assert.deepEqual([kept.coded?.size, response(3, {}, false).coded], [0, undefined])

  const coded = codedForm(kept, 'br', body(2))
  const tag = codedEtag(etag, 'br')
  assert.deepEqual(coded, {
    etag: tag,
    headers: [
      ...kept.headersAlone,
      ...['ETag', tag, 'Content-Type', 'application/json', 'Content-Encoding', 'br', 'Content-Length', '2'],
    ],
    headerLines: `Vary: Origin\r\nAllow: GET\r\nETag: ${tag}\r\nContent-Type: application/json\r\nContent-Encoding: br\r\n`,
    body: body(2),
  })
})

/** What an entry takes besides its body: its key of two bytes per letter, its headers, and what surrounds it. */
const overhead = (key: string, { headerLines }: CachedResponse) => 2 * key.length + headerLines.length + 500

test('a store has no more bytes than it may, and drops what was used longest ago', () => {
  const [one, two, three] = [response(2000), response(2000), response(2000)]
  const each = 2000 + overhead('a', one)
  const store = createResponseStore(8 * each)
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) store.save(key, one)
  assert.deepEqual(store.size(), { answers: 8, bytes: 8 * each })

  assert.equal(store.find('a'), one)
  store.save('i', two)
  assert.deepEqual([store.find('a'), store.find('b'), store.find('i')], [one, undefined, two])
  assert.deepEqual(store.size(), { answers: 8, bytes: 8 * each })
  store.save('i', three)
  assert.equal(store.find('i'), three)
  assert.deepEqual(store.size(), { answers: 8, bytes: 8 * each })
  store.remove('i')
  store.remove('i')
  assert.deepEqual([store.find('i'), store.size()], [undefined, { answers: 7, bytes: 7 * each }])
})

test('a response of more than an eighth of the store is not kept, nor an older one of its key', () => {
  const fitting = response(2000)
  const maxBytes = 8 * (2000 + overhead('a', fitting))
  const store = createResponseStore(maxBytes)

  store.save('a', fitting)
  assert.equal(store.find('a'), fitting)
  store.save('a', response(2001))
  assert.equal(store.find('a'), undefined)
  // The key counts as well.
  store.save('ab', fitting)
  assert.deepEqual([store.find('ab'), store.size().answers], [undefined, 0])

  const none = createResponseStore(0)
  none.save('a', response(0))
  assert.deepEqual(none.size(), { answers: 0, bytes: 0 })
})

test('a coded form counts with the response that it belongs to, if that is still kept', () => {
  const [kept, other] = [response(2000), response(2000)]
  const store = createResponseStore(100_000)
  const form = codedForm(kept, 'gzip', body(100))
  store.save('a', kept)
  const { bytes } = store.size()

  store.addForm('a', kept, form)
  const grown = bytes + 100 + 500 + form.headerLines.length
  assert.deepEqual(store.size(), { answers: 1, bytes: grown })
  store.addForm('a', other, form)
  store.addForm('b', kept, form)
  assert.deepEqual(store.size(), { answers: 1, bytes: grown })
  assert.equal(store.find('a'), kept)
})
