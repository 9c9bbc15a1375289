import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../base/config/config.ts'
import { createCacheKey } from './answers/cache.key.ts'
import { isApiAddress, locateRequest, pathPrefixesOf, root } from './request.location.ts'
import { wireRequest } from './wire.ts'

const config = readConfig({ REST_PREFIX: '/api' })
const prefix = config.restPrefix
const locate = (path: string, query = '', own = config) => locateRequest(own, { path, query })

test('the interface has an address in each language, before or after the prefix, in any letter case', () => {
  const cases: readonly (readonly [path: string, variant: string, below: string | typeof root | undefined])[] = [
    [`${prefix}/cal/events/v1`, 'en', ''],
    [`${prefix}/cal/events/v1/`, 'en', ''],
    [`${prefix}/cal/events/v1/events/12`, 'en', '/events/12'],
    [`${prefix}/cal/events/v1/Events/`, 'en', '/Events'],
    [`${prefix}/fr/cal/events/v1/events`, 'fr', '/events'],
    [`/fr${prefix}/cal/events/v1/events`, 'fr', '/events'],
    [`${prefix}/FR/CAL/events/V1/events`, 'fr', '/events'],
    [`${prefix}`, 'en', root],
    [`${prefix}/`, 'en', root],
    [`${prefix}/fr`, 'fr', root],
    [`/fr${prefix}/`, 'fr', root],
    ['/', 'en', root],
    ['/fr/', 'en', undefined],
    [`${prefix}/cal/events/v10`, 'en', undefined],
    [`${prefix}/other/v1`, 'en', undefined],
    [`${prefix}/fr/other/v1`, 'fr', undefined],
    ['/events', 'en', undefined],
  ]
  for (const [path, variant, below] of cases) {
    assert.deepEqual(locate(path), { variant, below }, path)
  }
})

test('sites without readable addresses send the path as a parameter of their root (addresses.md)', () => {
  const rest_route = 'rest_route=/cal/events/v1/events'

  for (const path of ['/', '/index.php', '/INDEX.php']) {
    assert.deepEqual(locate(path, rest_route), { variant: 'en', below: '/events' }, path)
  }
  assert.deepEqual(locate('/fr/', rest_route), { variant: 'fr', below: '/events' })
  assert.deepEqual(locate('/fr/index.php', rest_route), { variant: 'fr', below: '/events' })
  assert.deepEqual(locate('/', 'rest_route=/fr/cal/events/v1/events'), { variant: 'fr', below: '/events' })
  assert.deepEqual(locate('/', 'rest_route=/'), { variant: 'en', below: root })
  // Elsewhere, or as a list, the parameter says nothing.
  assert.equal(locate('/other', rest_route).below, undefined)
  assert.equal(locate('/index.php5', rest_route).below, undefined)
  assert.equal(locate('/', 'rest_route[]=/cal/events/v1/events').below, root)
})

test('an address of the interface is for programs even without a route', () => {
  const isApi = (path: string, query = '', own = config) => isApiAddress(own, { path, query })

  for (const path of [prefix, `${prefix}/x`, `${prefix}/FR/x`, `/fr${prefix}`, `/fr${prefix}/x`]) {
    assert.equal(isApi(path), true, path)
  }
  for (const path of ['/', '/fr', '/fr/x', '/events', `${prefix}x`, '/xfr']) assert.equal(isApi(path), false, path)
  assert.equal(isApi('/', 'rest_route=/x'), true)
  assert.equal(isApi('/x', 'rest_route=/x'), false)
})

test('without a prefix the interface is below the namespace alone, and pages are beside it', () => {
  const bare = readConfig({ REST_PREFIX: '' })
  const isApi = (path: string) => isApiAddress(bare, { path, query: '' })

  assert.equal(bare.restPrefix, '')
  assert.deepEqual(
    pathPrefixesOf(bare).map(({ variant, base }) => [variant, base]),
    [
      ['fr', '/fr'],
      ['en', ''],
    ],
  )
  assert.deepEqual(locate('/fr/cal/events/v1/x', '', bare), { variant: 'fr', below: '/x' })
  assert.deepEqual(locate('/cal/events/v1/x', '', bare), { variant: 'en', below: '/x' })
  assert.deepEqual(['/cal', '/cal/x', '/fr/cal/x'].map(isApi), [true, true, true])
  assert.deepEqual(['/calendar', '/x', '/fr/x', '/'].map(isApi), [false, false, false, false])
})

test('a request keeps its path and query as they were sent, and joins repeated headers', () => {
  const known = { site: 'http://x', body: undefined, client: undefined, address: '' }
  const of = (url: string | undefined, method?: string) => {
    const { path, query, ...rest } = wireRequest({ url, method, headers: { a: '1', 'set-cookie': ['x', 'y'] } }, known)
    return { path, query, method: rest.method, headers: rest.headers }
  }
  const headers = { a: '1', 'set-cookie': 'x, y' }

  assert.deepEqual(of('/a%20b?c=d?e', 'PUT'), { path: '/a%20b', query: 'c=d?e', method: 'PUT', headers })
  assert.deepEqual(of('/a', 'HEAD'), { path: '/a', query: '', method: 'HEAD', headers })
  assert.deepEqual(of('?x'), { path: '', query: 'x', method: 'GET', headers })
  assert.deepEqual(of(undefined), { path: '/', query: '', method: 'GET', headers })
})

test('answers are shared between readers whom the service cannot tell apart, and kept from all others', () => {
  const keyOf = (headers: Readonly<Record<string, string>> = {}, sent: object = {}, environment = {}) => {
    const request = { method: 'GET', url: '/x?y', headers, ...sent }
    return createCacheKey(readConfig(environment), () => 'http://site')(request as never)
  }
  const plain = keyOf()

  assert.equal(typeof plain, 'string')
  assert.equal(keyOf({}, { method: 'HEAD' }), plain)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) assert.equal(keyOf({}, { method }), undefined)
  assert.notEqual(keyOf({}, { url: '/x?z' }), plain)
  for (const name of ['authorization', 'x-wp-nonce', 'x-http-method-override', 'content-length', 'transfer-encoding']) {
    assert.equal(keyOf({ [name]: '' }), undefined, name)
  }
  assert.equal(keyOf({ cookie: 'theme=dark' }), plain)
  assert.equal(keyOf({ origin: 'https://a.example', 'accept-language': 'fr', prefer: 'wait=1' }), plain)
  assert.notEqual(keyOf({ prefer: 'handling=strict' }), plain)
  const cors = { CORS_ORIGINS: 'https://a.example' }
  assert.notEqual(keyOf({ origin: 'https://a.example' }, {}, cors), keyOf({}, {}, cors))
  const texts = { TEXTS_FROM_ACCEPT_LANGUAGE: 'true' }
  assert.notEqual(keyOf({ 'accept-language': 'fr' }, {}, texts), keyOf({}, {}, texts))
  assert.equal(keyOf({ 'accept-language': 'fr' }, {}, cors), keyOf({}, {}, cors))
})
