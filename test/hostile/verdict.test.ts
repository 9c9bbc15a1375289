import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { faultOf } from './verdict.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

const plainRequest: WireRequest = { method: 'GET', target: '/', headers: [], body: '' }
const json = { 'content-type': 'application/json; charset=UTF-8' }

function given(text: string, changed: Partial<WireAnswer> = {}): WireAnswer {
  return { status: 200, headers: json, body: Buffer.from(text), isWhole: true, isFramed: true, tookMs: 1, ...changed }
}

test('answers as they should be have no fault', () => {
  const script = given('/**/f({"a":1})', { headers: { 'content-type': 'application/javascript; charset=UTF-8' } })
  const packed = given('', { body: gzipSync('{"a":1}'), headers: { ...json, 'content-encoding': 'gzip' } })

  assert.deepEqual(
    [given('{}'), given(''), given('{}', { status: 404 }), script, packed].map((answer) =>
      faultOf(plainRequest, answer),
    ),
    Array(5).fill(undefined),
  )
  const oembed = { ...plainRequest, target: '/cal/service/v1/oembed?format=xml' }
  assert.equal(faultOf(oembed, given('{}', { status: 501 })), undefined)
})

test('an answer that tells what is inside, or is none, has a fault', () => {
  const answers: readonly (readonly [WireAnswer, string])[] = [
    [given('{}', { status: 500 }), 'status 500'],
    [given('{}', { status: 501 }), 'status 501'],
    [given('{}', { status: 503, headers: { ...json, 'retry-after': '1' } }), 'status 503'],
    [given('', { status: 0, headers: {} }), 'no answer'],
    [given('{"a"', { isWhole: false }), 'a body that breaks off'],
    [given('{"a"'), 'not what its content type says'],
    [given('{}', { isFramed: false }), 'no length of the body'],
    [given('', { body: Buffer.from('{"a":"\xff"}', 'latin1') }), 'broken UTF-8'],
    [given(JSON.stringify({ a: process.execPath })), 'tells a path of the machine'],
    [given(JSON.stringify({ a: `${tmpdir()}/x` })), 'tells a path of the machine'],
    [given('{"a":"Error\\n at read (file:///srv/app/a.ts:3:4)"}'), 'tells a stack trace'],
    [given('{"a":"/srv/app/node_modules/x"}'), 'tells a path of the machine'],
    [given(JSON.stringify({ a: import.meta.dirname })), 'tells a path of the machine'],
    [given('{"a":"UNIQUE constraint failed: records.slug"}'), 'tells words of the database'],
    [given(JSON.stringify({ a: 'select "id" from "records"' })), 'tells SQL'],
    [given('{"a":"x is not a function"}'), 'tells words of the runtime'],
    [given('{"a":"[object Object]"}'), 'tells a value that nobody has written out'],
    [given('{}', { headers: { ...json, 'set-cookie': 'a=b' } }), 'a header that the client has written'],
  ]

  assert.deepEqual(
    answers.map(([answer]) => faultOf(plainRequest, answer)),
    answers.map(([, fault]) => fault),
  )
})
