// Authentication (conventions.md §7, §9 row 9): one answer to all wrong credentials.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUser } from '../../src/access/auth/user.service.ts'
import { startTestApp } from '../support/app.ts'
import { faultOf, venueCount } from './asking.ts'

test('credentials: who is known by them, who is refused, and who is taken for a visitor', async (t) => {
  const app = await startTestApp(t)
  const secret = 'abcd EFGH-1234 ijkl MNOP 5678'
  await createUser(app.deps, { name: 'Ünal Day', role: 'editor', email: 'Unal@Example.org', secret })
  const encoded = (login: string, password: string) => Buffer.from(`${login}:${password}`).toString('base64')
  const name = 'Ünal Day'

  for (const [header, expected] of [
    [`Basic ${encoded(name, secret)}`, 'known'],
    [`BASIC ${encoded(name, secret)}`, 'known'],
    [`basic   ${encoded(name, secret)}`, 'known'],
    [`Basic ${encoded('üNAL dAY', secret)}`, 'known'],
    [`Basic ${encoded('unal@example.org', secret)}`, 'known'],
    [`Basic ${encoded('UNAL@EXAMPLE.ORG', secret)}`, 'known'],
    [`Basic ${encoded(name, 'abcdEFGH1234ijklMNOP5678')}`, 'known'],
    [`Basic ${encoded(name, 'ab-cd EFGH.1234_ijkl:MNOP/5678')}`, 'known'],
    [`Basic ${encoded(name, 'ABCDefgh1234ijklMNOP5678')}`, 'refused'],
    [`Basic ${encoded(name, 'abcdEFGH1234ijklMNOP567')}`, 'refused'],
    [`Basic ${encoded(name, '   ')}`, 'refused'],
    [`Basic ${encoded('nobody', secret)}`, 'refused'],
    [`Basic ${encoded('nobody@example.org', secret)}`, 'refused'],
    [`Basic ${encoded('', secret)}`, 'refused'],
    [`Basic ${encoded(name, '')}`, 'visitor'],
    [`Basic ${Buffer.from('no colon').toString('base64')}`, 'visitor'],
    ['Basic', 'visitor'],
    ['Basic !!!', 'visitor'],
    ['Bearer abc', 'visitor'],
    [`Digest ${encoded(name, secret)}`, 'visitor'],
    ['', 'visitor'],
  ] as const) {
    const { status, body, headers } = await app.send({ path: '/venues', headers: { authorization: header } })
    assert.equal(status, expected === 'refused' ? 401 : 200, header)
    assert.equal(headers.allow, { known: 'GET, POST', visitor: 'GET', refused: undefined }[expected], header)
    if (expected === 'refused')
      assert.deepEqual([body.code, body.data], ['incorrect_password', { status: 401 }], header)
    const challenge = expected === 'refused' ? 'Bearer realm="calendar"' : undefined
    assert.equal(headers['www-authenticate'], challenge, header)
  }
})

test('a wrong password and an unknown user are told in the same words', async (t) => {
  const app = await startTestApp(t)

  const answers = ['editor:wrong', 'nobody:wrong', 'nobody@example.org:wrong'].map((text) =>
    app.send({ path: '/venues', headers: { authorization: `Basic ${btoa(text)}` } }),
  )
  const texts = (await Promise.all(answers)).map(({ text }) => text)
  assert.equal(new Set(texts).size, 1)
})

test('wrong credentials end every request, on public and unknown routes alike, and write nothing', async (t) => {
  const app = await startTestApp(t)
  const headers = { authorization: `Basic ${btoa('editor:wrong')}` }

  for (const request of [
    { path: '/venues' },
    { path: '' },
    { path: '/nope' },
    { method: 'OPTIONS', path: '/venues' },
    { method: 'POST', path: '/venues', json: { venue: 'x' } },
  ] as const) {
    assert.deepEqual(faultOf(await app.send({ ...request, headers })), [401, 'incorrect_password'], request.path)
  }
  assert.equal(await venueCount(app), 0)
})
