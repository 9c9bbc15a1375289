// The contents of a refusal: the allowed values, with an example, and how to sign in (conventions.md §3, §4, §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestRequest } from '../support/app.ts'
import { plainEvent } from '../support/given.ts'

test('a fault names what is allowed and an example', async (t) => {
  const app = await startTestApp(t)
  const textOf = async (request: TestRequest, name: string) => {
    const { status, body, text } = await app.send(request)
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], text)
    return body.data.params[name]
  }
  const write = (json: object, name: string, path = '/events') =>
    textOf({ as: 'editor', method: 'POST', path, json: { ...(path === '/events' ? plainEvent : {}), ...json } }, name)

  assert.match(await write({ status: 'live' }, 'status'), /publish, future, draft, pending, private, trash/)
  assert.match(await textOf({ path: '/events?status=draft' }, 'status'), /: publish\.$/)
  assert.match(await textOf({ as: 'author', path: '/venues?status=live' }, 'status'), /trash, any/)
  assert.match(await write({ start_date: 'someday' }, 'start_date'), /2030-01-31 19:00:00/)
  assert.match(await textOf({ path: '/events?start_date=31/12/2030' }, 'start_date'), /2030-01-31 19:00:00/)
  assert.match(await write({ website: 'example' }, 'website'), /https:\/\/example\.org\/.*http, https, ftp, mailto/)
  assert.match(await write({ venue: 'X', website: 'ftp://a.b' }, 'website', '/venues'), /Allowed: http, https\./)
  assert.match(await textOf({ path: '/events?include=a' }, 'include'), /4,8/)
  assert.match(await textOf({ path: '/events?geoloc_lat=91' }, 'geoloc_lat'), /-90 to 90/)
  assert.match(await textOf({ path: '/events?geoloc=1&geoloc_lat=9' }, 'geoloc_lat'), /go together/)
  assert.match(await write({ venue: 'X', city: null }, 'city', '/venues'), /null/)
  assert.match(await write({ featured: 'x' }, 'featured'), /true or false/)
})

test('a venue or organizer within an event is told what of it is missing or wrong', async (t) => {
  const app = await startTestApp(t)
  const create = async (json: object, language = '') => {
    const path = `/${language}/cal/events/v1/events`
    const { status, body } = await app.send({ as: 'editor', method: 'POST', path, json: { ...plainEvent, ...json } })
    assert.deepEqual([status, body.code, body.data.details], [400, 'rest_invalid_param', []])
    return body.data.params
  }

  assert.match((await create({ venue: { city: 'Oslo' } })).venue, /name .* missing.*“venue\.venue”/)
  assert.match((await create({ venue: { venue: '  ' } })).venue, /“venue\.venue”/)
  assert.match((await create({ organizer: [{ email: 'a@b.c' }] })).organizer, /“organizer\.organizer”/)
  assert.match((await create({ venue: { city: 'Oslo' } }, '/fr')).venue, /«\u00a0venue\.venue\u00a0»/)
  assert.match((await create({ venue: { venue: 'Barn', website: 'x' } })).venue, /“venue\.website”.*https/)
  assert.match((await create({ venue: 999 })).venue, /id of a venue that exists, such as 12/)
})

test('a 401 says how to sign in, in words and for machines', async (t) => {
  const app = await startTestApp(t)
  const write = { method: 'POST', path: '/events', json: plainEvent } as const

  const nobody = await app.send(write)
  assert.deepEqual([nobody.status, nobody.body.code], [401, 'rest_forbidden'])
  assert.match(nobody.body.message, /Basic.*application password.*Bearer.*key/)
  assert.equal(nobody.headers['www-authenticate'], 'Bearer realm="calendar"')
  const wrong = await app.send({ ...write, headers: { authorization: `Basic ${btoa('editor:wrong')}` } })
  assert.match(wrong.body.message, /application password/)
  const key = await app.send({ ...write, headers: { authorization: `Bearer ${'a'.repeat(24)}` } })
  assert.deepEqual([key.status, key.body.code], [401, 'incorrect_password'])
  assert.match(key.body.message, /key/)
  assert.equal(key.headers['www-authenticate'], 'Bearer realm="calendar", error="invalid_token"')
  const service = await app.send({ path: '//cal/service/v1/users/me' })
  assert.match(service.body.title, /Basic.*Bearer/)
  assert.equal(service.headers['www-authenticate'], 'Bearer realm="calendar"')
  // The message for a signed-in user does not mention signing in.
  const subscriber = await app.send({ ...write, as: 'subscriber' })
  assert.equal(subscriber.status, 403)
  assert.doesNotMatch(subscriber.body.message, /Bearer/)
  assert.equal(subscriber.headers['www-authenticate'], undefined)
})

test('credentials that are unknown are told before anything is said of parameters', async (t) => {
  const app = await startTestApp(t)

  for (const authorization of ['Bearer abc', 'Basic !!!', 'Digest abc', `Basic ${btoa('editor:')}`]) {
    for (const json of [{}, { title: '' }, plainEvent]) {
      const { status, body } = await app.send({ method: 'POST', path: '/events', json, headers: { authorization } })
      assert.deepEqual([status, body.code], [401, 'rest_forbidden'], authorization)
      assert.match(body.message, /not valid/)
    }
    assert.equal((await app.send({ path: '/events', headers: { authorization } })).status, 200, authorization)
  }
  // Contract: without credentials, parameters come first.
  assert.equal((await app.send({ method: 'POST', path: '/events', json: {} })).status, 400)
})
