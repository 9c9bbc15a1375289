import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../../base/problems.ts'
import { enveloped, keepFields, readShape, serialise } from './response.shape.ts'

test('_fields keeps keys, and keys within objects, but not within the items of a list', () => {
  const body = { id: 1, title: 'a', venue: { id: 2, geo: { lat: 3, lng: 4 } }, tags: [{ id: 5 }], none: null }
  const cases: readonly (readonly [fields: readonly string[], kept: object])[] = [
    [['id'], { id: 1 }],
    [['title', 'id'], { id: 1, title: 'a' }],
    [['venue'], { venue: body.venue }],
    [['venue.id'], { venue: { id: 2 } }],
    [['venue.geo.lat', 'none'], { venue: { geo: { lat: 3 } }, none: null }],
    [['venue.x'], { venue: [] }],
    [['tags.id'], { tags: [] }],
    [['id.x', 'none.x', 'title.x'], []],
    [['venu', 'x', ''], []],
    [[], []],
  ]
  for (const [fields, kept] of cases) assert.deepEqual(keepFields(body, fields), kept, fields.join())
  assert.deepEqual(keepFields([{ id: 1 }], ['id']), [])
})

test('a body is JSON on one line, with blanks if asked, or a script that calls a function', () => {
  const answer = { status: 200, body: { a: [1] } }
  const shape = readShape({}, true)

  assert.deepEqual(serialise(answer, shape), { text: '{"a":[1]}', type: 'application/json; charset=UTF-8' })
  assert.equal(serialise(answer, readShape({ _pretty: '' }, true)).text, JSON.stringify(answer.body, undefined, 4))
  assert.deepEqual(serialise(answer, readShape({ _jsonp: 'a.b_1' }, true)), {
    text: '/**/a.b_1({"a":[1]})',
    type: 'application/javascript; charset=UTF-8',
  })
})

test('the name of the function has letters, digits, dots and low lines, and only if functions are allowed', () => {
  for (const name of ['', 'a b', 'a(', 'é', 'a\n', ['a'], { a: 1 }, 'alert(1)//']) {
    assert.throws(
      () => readShape({ _jsonp: name }, true),
      (error) => error instanceof Problem && error.code === 'rest_callback_invalid',
    )
    assert.equal(readShape({ _jsonp: name }, false).jsonp, undefined)
  }
  assert.deepEqual(readShape({ _envelope: '', _jsonp: 'f' }, true), { isEnvelope: true, isPretty: false, jsonp: 'f' })
  assert.deepEqual(readShape({ _pretty: '0' }, true), { isEnvelope: false, isPretty: true, jsonp: undefined })
})

test('an envelope is 200 and shows status, totals and what tells of parameters', () => {
  const headers = {
    ...{ Allow: 'GET', Location: '/x', 'X-Ignored-Parameters': 'a', 'X-Adjusted-Parameters': 'b' },
    ...{ 'X-TEC-Total': '12', 'X-TEC-TotalPages': '2', 'X-TEC-API-ROOT': '/', 'X-Allow': 'x', ETag: '"x"' },
  }

  assert.deepEqual(enveloped({ status: 201, body: { id: 1 } }, headers), {
    status: 200,
    body: {
      body: { id: 1 },
      status: 201,
      headers: {
        ...{ Allow: 'GET', Location: '/x', 'X-Ignored-Parameters': 'a', 'X-Adjusted-Parameters': 'b' },
        ...{ 'X-TEC-Total': 12, 'X-TEC-TotalPages': 2 },
      },
    },
  })
  assert.deepEqual(enveloped({ status: 404, body: {} }, {}).body, { body: {}, status: 404, headers: [] })
})
