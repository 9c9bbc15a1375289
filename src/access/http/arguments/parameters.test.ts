import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/long.ts'
import { Problem } from '../../../base/problems.ts'
import {
  assertStrictHandling,
  createParameterReport,
  parameterReportWithin,
  prefersStrictHandling,
  reportUnknownParameters,
} from './parameter.report.ts'
import { type ParameterSource, parseForm, parseNestedForm, parseParameters, readBodyNames } from './parameters.ts'

const source = (sent: Partial<Omit<ParameterSource, 'body'>> & { readonly body?: string }): ParameterSource => ({
  ...{ method: 'POST', query: '', contentType: 'application/json', bodyNames: undefined },
  ...sent,
  body: sent.body === undefined ? undefined : Buffer.from(sent.body),
})
const read = async (sent: Parameters<typeof source>[0]) => ({ ...(await parseParameters(source(sent))) })

test('of a repeated name the last value counts, and brackets make lists', () => {
  const cases: readonly (readonly [string, object])[] = [
    ['', {}],
    ['a=1&a=2', { a: '2' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[x]=1&a[y]=2', { a: { x: '1', y: '2' } }],
    ['a=%C3%A9+b', { a: 'é b' }],
    ['a=1%002&b=%00', { a: '12', b: '' }],
    ['a', { a: '' }],
  ]
  for (const [text, expected] of cases) assert.deepEqual(JSON.parse(JSON.stringify(parseForm(text))), expected, text)
  assert.equal(Object.keys(parseForm(Array.from({ length: 1200 }, (_, n) => `a${n}=1`).join('&'))).length, 1000)
})

test('a form without lists gives the same values in the shorter way', () => {
  const pieces = ['a', 'per_page', '_fields', '__proto__', 'constructor', 'toString', '0', 'é', '.', '=', '&', '+', '%']
  const codes = ['%C3%A9', '%C3', '%25', '%20', '%3D', '%26', '%5b', '%5D', '%00', '[', ']', '[]', '\0', ' ', '😀']
  const form = fc.array(fc.oneof(fc.constantFrom(...pieces, ...codes), fc.string({ maxLength: 3 })), { maxLength: 12 })
  const pairs = fc.array(
    fc.tuple(
      fc.constantFrom(...pieces),
      form.map((parts) => parts.join('')),
    ),
    { maxLength: 6 },
  )
  const texts = fc.oneof(
    form.map((parts) => parts.join('')),
    pairs.map((all) => all.map((pair) => pair.join('=')).join('&')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      if (text === '') return
      const [short, long] = [parseForm(text), parseNestedForm(text)]
      assert.deepEqual(Object.entries(short), Object.entries(long))
      assert.equal(Object.getPrototypeOf(short), Object.getPrototypeOf(long))
    }),
    { numRuns: runs(3000, 100_000) },
  )
  const many = Array.from({ length: 1200 }, (_, n) => `a${n}=1`).join('&')
  assert.deepEqual(parseForm(many), parseNestedForm(many))
})

test('the body precedes the query, and has the form that its type says (conventions.md §2)', async () => {
  const query = 'a=query&q=1'
  const json = { query, body: '{"a":"body"}' }

  assert.deepEqual(await read(json), { a: 'body', q: '1' })
  for (const contentType of ['APPLICATION/JSON; charset=utf-8', 'application/problem+json', 'application/x.y-z+json']) {
    assert.deepEqual(await read({ ...json, contentType }), { a: 'body', q: '1' }, contentType)
  }
  for (const contentType of ['text/plain', 'application/json5', 'text/json', 'application/xml']) {
    assert.deepEqual(await read({ ...json, contentType }), { a: 'query', q: '1' }, contentType)
  }
  for (const contentType of [undefined, '', 'application/x-www-form-urlencoded; charset=utf-8']) {
    assert.deepEqual(await read({ query, body: 'a=form&b[]=1', contentType }), { a: 'form', q: '1', b: ['1'] })
  }
  // Contract: JSON is read with every method that may have a body, forms with those that write.
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) assert.equal((await read({ ...json, method })).a, 'body')
  for (const method of ['HEAD', 'OPTIONS']) assert.equal((await read({ ...json, method })).a, 'query')
  const form = { query, body: 'a=form', contentType: 'application/x-www-form-urlencoded' }
  for (const method of ['PUT', 'PATCH', 'DELETE']) assert.equal((await read({ ...form, method })).a, 'form')
  for (const method of ['GET', 'HEAD']) assert.equal((await read({ ...form, method })).a, 'query')
})

test('a multipart form gives its texts, and names its files', async () => {
  const parts = (lines: readonly string[]) => lines.join('\r\n')
  const ignored: string[] = []
  const sent = {
    contentType: 'multipart/form-data; boundary=x',
    onIgnored: (name: string) => ignored.push(name),
    body: parts([
      ...['--x', 'Content-Disposition: form-data; name="a"', '', 'é & =', '--x'],
      ...['Content-Disposition: form-data; name="b[]"', '', '1', '--x'],
      ...[
        'Content-Disposition: form-data; name="file"; filename="f"',
        'Content-Type: text/plain',
        '',
        'text',
        '--x--',
        '',
      ],
    ]),
  }

  assert.deepEqual(await read(sent), { a: 'é & =', b: ['1'] })
  assert.deepEqual(ignored, ['file'])
  assert.deepEqual(await read({ ...sent, contentType: 'multipart/form-data' }), {})
  assert.deepEqual(await read({ ...sent, body: sent.body.slice(0, 40) }), {})
})

test('JSON that is no object is no body, and what is no JSON is refused', async () => {
  for (const body of ['', ' \n', '[]', '[1]', '1', '"a"', 'null', 'true']) assert.deepEqual(await read({ body }), {})
  assert.deepEqual(await read({ body: '{"a":"x\\u0000y","b":"\\\\u0000","c":"\\\\\\u0000"}' }), {
    a: 'xy',
    b: '\\u0000',
    c: '\\',
  })
  const codeOf = async (body: Buffer) => {
    const error = await parseParameters({ ...source({}), body }).catch((error: unknown) => error)
    assert.ok(error instanceof Problem)
    const { code, details, texts } = error as Problem & { readonly details?: object; readonly texts?: object }
    return JSON.parse(JSON.stringify([code, details, texts]))
  }
  assert.deepEqual(await codeOf(Buffer.from('{')), [
    'rest_invalid_json',
    { json_error_code: 4 },
    { json_error_message: 'json_syntax' },
  ])
  assert.deepEqual(await codeOf(Buffer.from([0x7b, 0xff])), [
    'rest_invalid_json',
    { json_error_code: 5 },
    { json_error_message: 'json_encoding' },
  ])
})

test('a request that only reads takes from its body what the contract has, and tells the rest', async () => {
  const argument = { read: () => ({ value: 1 }), schema: {} }
  const bodyNames = readBodyNames({ a: argument, own: { ...argument, isExtension: true } } as never, ['ml_language'])
  assert.deepEqual([...bodyNames].toSorted(), ['_fields', 'a', 'context', 'ml_language'])

  const ignored: string[] = []
  const body = '{"a":1,"own":2,"_fields":"id","ml_language":"en"}'
  const onIgnored = (name: string) => ignored.push(name)
  assert.deepEqual(await read({ method: 'GET', body, bodyNames, onIgnored }), {
    a: 1,
    _fields: 'id',
    ml_language: 'en',
  })
  assert.deepEqual(ignored, ['own'])
})

test('a strict request is one whose first preference of handling says so (RFC 7240)', () => {
  for (const prefer of [
    'handling=strict',
    ' Handling = STRICT ; x=y',
    'wait=10, handling=strict',
    'handling="strict"',
    'handling=strict, handling=lenient',
    'x="a,b;handling=lenient", handling=strict',
  ]) {
    assert.equal(prefersStrictHandling(prefer), true, prefer)
  }
  for (const prefer of [
    undefined,
    '',
    'handling',
    'handling=lenient',
    'handling=lenient, handling=strict',
    'return=strict',
    'x="handling=strict"',
    `${'x'.repeat(600)}, handling=strict`,
  ]) {
    assert.equal(prefersStrictHandling(prefer), false, String(prefer))
  }
})

test('what has no effect and what is changed is named in headers, within an object by its path', () => {
  const report = createParameterReport(false)
  assert.deepEqual(report.headers(), {})

  report.ignore('page')
  const within = parameterReportWithin(report, 'venue')
  within.ignore('fax', ['phone'])
  within.adjust('zip', { to: 'H2X' })
  report.adjust('é,', 'partly')

  assert.deepEqual(report.headers(), {
    Vary: 'Prefer',
    'X-Ignored-Parameters': 'page, venue.fax',
    'X-Adjusted-Parameters': 'venue.zip, %C3%A9%2C',
  })
  assert.deepEqual(report.faults(), [])
  assertStrictHandling(report)
})

test('a strict request is refused with the same names, and says that it was strict', () => {
  const report = createParameterReport(true)
  assert.deepEqual(report.headers(), { Vary: 'Prefer', 'Preference-Applied': 'handling=strict' })
  assertStrictHandling(report)
  report.ignore('page')
  report.ignore('fax', ['phone', 'email'])
  report.adjust('slug', { to: 'x'.repeat(200) })
  report.adjust('tags', 'partly')
  const faults = [
    ['page', { text: 'fault.no-effect' }],
    ['fax', { text: 'fault.unknown-parameter', values: { allowed: 'phone, email' } }],
    ['slug', { text: 'fault.adjusted', values: { value: 'x'.repeat(100) } }],
    ['tags', { text: 'fault.partly' }],
  ] as const

  assert.deepEqual(report.faults(), faults)
  assert.throws(
    () => assertStrictHandling(report),
    (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.code, error.faults], ['rest_invalid_param', Object.fromEntries(faults)])
      return true
    },
  )
})

test('names beyond the fiftieth, and beyond a thousand characters, are told as more', () => {
  const headerOf = (names: readonly string[]) => {
    const report = createParameterReport(false)
    for (const name of names) report.ignore(name)
    return report.headers()['X-Ignored-Parameters'] ?? ''
  }
  const short = Array.from({ length: 60 }, (_, n) => `a${n}`)
  assert.equal(headerOf(short.slice(0, 50)), short.slice(0, 50).join(', '))
  assert.equal(headerOf(short), `${short.slice(0, 50).join(', ')}, ...`)
  const long = Array.from({ length: 12 }, (_, n) => `${n}`.padEnd(150, 'x'))
  assert.match(headerOf(long), /^(?:\d+x+, ){9,10}\.\.\.$/)
  assert.ok(
    headerOf(long)
      .split(', ')
      .every((name) => name.length <= 100),
  )
  assert.equal(headerOf(['é'.repeat(300)]), '%C3%A9'.repeat(100))
  const strict = createParameterReport(true)
  for (const name of short) strict.ignore(name)
  assert.equal(strict.faults().length, 50)
})

test('a name that no argument, no setting and no route has is ignored', () => {
  const report = createParameterReport(false)
  const sent = ['a', 'toString', 'b', '_fields', '_', 'context', 'ml_language', 'A']
  reportUnknownParameters(report, sent, { args: { a: {}, c: {} }, known: new Set(['ml_language']) })

  assert.equal(report.headers()['X-Ignored-Parameters'], 'toString, b, A')
})
