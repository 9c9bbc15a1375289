import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { plainEvent } from '../../../test/support/given.ts'
import { hostileFiles } from '../../../test/support/hostile.pictures.ts'
import { hostileUrls } from '../../../test/support/hostile.urls.ts'
import { form, picture } from '../../../test/support/pictures.ts'
import { fetchOutbound } from '../../base/outbound/outbound.ts'

test('two hundred hostile files and addresses are refused, each with what is wrong with it, and nothing is kept', async (t) => {
  const app = await startTestApp(t, {}, { fetchOutbound })
  const files = await hostileFiles()
  assert.ok(files.length + hostileUrls.length >= 200, `${files.length} + ${hostileUrls.length}`)

  for (const { title, bytes } of files) {
    const { status, body } = await app.send({
      as: 'author',
      method: 'POST',
      path: '//cal/service/v1/media',
      ...form(bytes),
    })
    assert.equal(status, 422, `${title}: ${JSON.stringify(body)}`)
    assert.equal(body.code, 'media-refused', title)
    assert.match(body.errors.file, /picture|pixels/, title)
  }
  for (const url of hostileUrls) {
    const json = { ...plainEvent, image: url }
    const { status, body } = await app.send({ as: 'author', method: 'POST', path: '/events', json })
    assert.equal(status, 400, `${url}: ${JSON.stringify(body)}`)
    assert.deepEqual(Object.keys(body.data.params), ['image'], url)
  }

  assert.equal((await app.send({ as: 'editor', path: '//cal/service/v1/media' })).headers['x-tec-total'], '0')
  assert.equal((await app.send({ as: 'editor', path: '/events?status=any' })).body.total, 0)
  // The worker that processed all of them still works.
  const after = await app.send({
    as: 'author',
    method: 'POST',
    path: '//cal/service/v1/media',
    ...form(await picture(30, 30)),
  })
  assert.equal(after.status, 201, after.text)
})

test('a multipart body that is broken is refused', async (t) => {
  const app = await startTestApp(t)
  const whole = form(await picture(200, 100))
  const { headers } = whole
  const cases: readonly (readonly [string, Buffer, Record<string, string>])[] = [
    ['no boundary', whole.payload, { 'content-type': 'multipart/form-data' }],
    ['another boundary', whole.payload, { 'content-type': 'multipart/form-data; boundary=other' }],
    ['cut off', whole.payload.subarray(0, 300), headers],
    ['empty', Buffer.alloc(0), headers],
    [
      'no file',
      Buffer.from('--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n'),
      { 'content-type': 'multipart/form-data; boundary=b' },
    ],
  ]

  for (const [title, payload, sent] of cases) {
    const answer = await app.send({
      as: 'author',
      method: 'POST',
      path: '//cal/service/v1/media',
      payload,
      headers: sent,
    })
    assert.ok([400, 422].includes(answer.status), `${title}: ${answer.status} ${answer.text}`)
  }
})

test('a content type that nobody can read is the fault of the client, wherever it is sent', async (t) => {
  const app = await startTestApp(t)
  const paths = ['//cal/service/v1/media', '//fr/cal/service/v1/nothing']
  const types = [';', 'application/json,text/plain']
  const requests = paths.flatMap((path) => types.map((type) => ({ path, headers: { 'content-type': type } })))

  const answers = await Promise.all(requests.map((request) => app.send({ method: 'POST', ...request })))

  for (const { status, headers, body } of answers) {
    assert.equal(status, 415)
    assert.equal(headers['content-type'], 'application/problem+json; charset=UTF-8')
    assert.deepEqual([body.status, body.code, Object.keys(body.errors)], [415, 'rest_invalid_param', ['Content-Type']])
  }
})
