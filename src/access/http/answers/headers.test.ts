import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../base/config/config.ts'
import { takesType, wantsJson } from '../accept.ts'
import { addressesOf, globalId, languageParameterNames, pageUrl, query, routeUrl } from '../addresses.ts'
import { codedEtag, etagOf, matchesEtag } from './etag.ts'
import { corsHeaders, joinHeaders, preflightHeaders, textHeaders } from './headers.ts'

test('any origin may read without credentials, and of a list only those of the list with them (rulings.md 18)', () => {
  const methods = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'
  const anybody = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': methods }
  const known = {
    'Access-Control-Allow-Origin': 'https://a.example',
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
  }
  const cors = (CORS_ORIGINS: string, origin?: string) => corsHeaders(readConfig({ CORS_ORIGINS }), origin)

  for (const origin of [undefined, '*', 'https://a.example']) assert.deepEqual(cors('', origin), anybody)
  assert.deepEqual(cors('https://a.example', 'https://a.example'), known)
  for (const origin of [undefined, '*', 'https://b.example', 'http://a.example', 'null']) {
    assert.deepEqual(cors('https://a.example', origin), { Vary: 'Origin' })
    assert.deepEqual(cors('https://a.example,*', origin), { ...anybody, Vary: 'Origin' })
  }
  assert.deepEqual(cors('https://a.example,*', 'https://a.example'), known)
})

test('a preflight that asks for Prefer may send it (RFC 7240)', () => {
  for (const asked of ['prefer', 'Content-Type, PREFER', 'prefer,x']) {
    assert.match(preflightHeaders(asked)['Access-Control-Allow-Headers'] ?? '', /^Authorization, .*, Prefer$/)
  }
  for (const asked of [undefined, '', 'preferred', 'x']) assert.deepEqual(preflightHeaders(asked), {})
})

test('of a header that comes twice the last value counts, but a cache must know all of Vary', () => {
  assert.deepEqual(joinHeaders({ A: '1', Vary: 'Origin' }, { B: '2' }, { A: '3', Vary: 'Prefer' }), {
    A: '3',
    B: '2',
    Vary: 'Origin, Prefer',
  })
  assert.deepEqual(joinHeaders({ A: '1' }), { A: '1' })
  assert.deepEqual(joinHeaders(), {})
})

test('texts name their language, and what chose it', () => {
  assert.deepEqual(textHeaders(readConfig({}), 'fr'), { 'Content-Language': 'fr-CA' })
  assert.deepEqual(textHeaders(readConfig({ TEXTS_FROM_ACCEPT_LANGUAGE: 'true' }), 'en'), {
    'Content-Language': 'en',
    Vary: 'Accept-Language',
  })
})

test('a validator is of the bytes and of the coding, and is found in a list, weak or not (RFC 9110, 13.1.2)', () => {
  const etag = etagOf(Buffer.from('a'))

  assert.match(etag, /^"[\w-]{27}"$/)
  assert.equal(etagOf(Buffer.from('a')), etag)
  assert.notEqual(etagOf(Buffer.from('b')), etag)
  for (const text of ['a', 'é 🎉', '\ud800', '']) assert.equal(etagOf(text), etagOf(Buffer.from(text)))
  assert.equal(codedEtag('"x"y"', 'gzip'), '"x"y-gzip"')
  for (const sent of [etag, `W/${etag}`, '*', ' * ', `"x", ${etag}`, `"x",W/${etag} ,"y"`]) {
    assert.equal(matchesEtag(etag, sent), true, sent)
  }
  for (const sent of [undefined, '', '"x"', etag.slice(1, -1), `x${etag}`, `"*"`, codedEtag(etag, 'br')]) {
    assert.equal(matchesEtag(etag, sent), false, String(sent))
  }
  assert.equal(matchesEtag(`W/${etag}`, etag), true)
})

test('a client wants JSON if it takes that and no pages (addresses.md)', () => {
  const types: readonly (readonly [accept: string | undefined, json: boolean])[] = [
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', true],
    ['APPLICATION/JSON; q=0.5', true],
    ['text/plain , application/json', true],
    ['application/json, text/html', false],
    ['text/html;q=0.1,application/json', false],
    ['application/json-patch', false],
  ]
  for (const [accept, json] of types) assert.equal(wantsJson(accept), json, String(accept))
  assert.equal(takesType('text/html; charset=utf-8', 'text/html'), true)
  assert.equal(takesType('text/htm', 'text/html'), false)
})

test('addresses begin with the site of the settings, or else with that of the request', () => {
  const own = readConfig({ PUBLIC_URL: 'https://city.example:8443/calendar' })
  const [english, french] = [addressesOf(own, 'http://x', 'en'), addressesOf(own, 'http://x', 'fr')]
  const site = 'https://city.example:8443/calendar'

  assert.equal(routeUrl(english, '/events'), `${site}${own.restPrefix}/cal/events/v1/events`)
  assert.equal(routeUrl(french, ''), `${site}${own.restPrefix}/fr/cal/events/v1`)
  assert.equal(pageUrl(english, '/event/a/', 'fr-CA'), `${site}/fr/event/a/`)
  assert.equal(pageUrl(french, '/event/a/', 'en-CA'), `${site}/event/a/`)
  // The same for every reader, on every port.
  assert.equal(globalId(english, 12), 'city.example/calendar?id=12')
  assert.equal(globalId(addressesOf(readConfig({}), 'http://x.example:1', 'fr'), 12), 'x.example?id=12')
  // Requests to one site share one object, and others get their own.
  assert.equal(addressesOf(own, 'http://x', 'en'), english)
  assert.notEqual(addressesOf(readConfig({}), 'http://x', 'en').site, english.site)
  assert.equal(
    query([
      ['a', 'b c&'],
      ['n', 1],
    ]),
    'a=b+c%26&n=1',
  )
})

test('the names of the language parameters have the stem of the setting', () => {
  assert.deepEqual(languageParameterNames({ languageParameter: 'ml_language' }), {
    language: 'ml_language',
    translations: 'ml_translations',
    translationOf: 'ml_translation_of',
  })
  assert.equal(languageParameterNames({ languageParameter: 'language' }).translations, 'translations')
})
