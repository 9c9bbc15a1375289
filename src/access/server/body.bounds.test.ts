import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { startMonitoredApp } from '../../../test/support/monitored.app.ts'
import { sendRaw } from '../../../test/support/socket.ts'
import { createUser } from '../auth/user.service.ts'

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=x'
const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
/** Bodies with far more parts than any client sends, by their type. */
const crowded = {
  [form]: 'a&'.repeat(200_000),
  [multipart]: `${part.repeat(8000)}--x--\r\n`,
  'application/json': `{${Array.from({ length: 60_000 }, (_, place) => `"k${place}":1`).join()}}`,
}

test('a form with more parts than any page has is refused by each page of the desk, whoever sends it', async (t) => {
  const app = await startTestApp(t)
  for (const type of [form, multipart] as const) {
    for (const path of ['/admin/sign-in/', '/admin/events/', '/admin/events/new/', '/fr/admin/venues/']) {
      const sent = { method: 'POST', path: `/${path}`, payload: Buffer.from(crowded[type]) } as const
      const { status, text } = await app.send({ ...sent, headers: { 'content-type': type } })
      assert.equal(status, 413, `${path} ${type}`)
      assert.match(text, /<h1>/)
    }
  }
})

test('a body with more parts than any client sends is refused by the interface, before they are parsed', async (t) => {
  const app = await startTestApp(t)
  const deep = `{"title":${'['.repeat(100_000)}`
  for (const payload of [crowded['application/json'], deep, `{"a":[${'1,'.repeat(30_000)}1]}`]) {
    for (const path of ['/events', '/venues', '//cal/service/v1/batch']) {
      const headers = { 'content-type': 'application/json' }
      const sent = { as: 'editor', method: 'POST', path, payload: Buffer.from(payload), headers } as const
      const { status, body } = await app.send(sent)
      assert.equal(status, 413, `${path} ${payload.slice(0, 12)}`)
      assert.match(body.message ?? body.title ?? '', /20,000 values/)
    }
  }
  // Text may contain all signs of JSON.
  const description = '{[,"\\'.repeat(10_000)
  const json = { title: 'A', start_date: '2030-01-01 10:00', end_date: '2030-01-01 11:00', description }
  assert.equal((await app.send({ as: 'editor', method: 'POST', path: '/events', json })).status, 201)
})

test('a multipart form of too many parts is no picture', async (t) => {
  const app = await startTestApp(t)
  const { status } = await app.send({
    ...{ as: 'editor', method: 'POST', path: '//cal/service/v1/media' },
    ...{ payload: Buffer.from(crowded[multipart]), headers: { 'content-type': multipart } },
  })
  assert.equal(status, 413)
})

test('a multipart form that is none, or ends early, is a fault of the client on each page of the desk', async (t) => {
  const app = await startTestApp(t)
  for (const path of ['/admin/sign-in/', '/admin/events/new/', '/admin/pictures/', '/fr/admin/import/']) {
    for (const [type, body] of [
      [multipart, '--x\r\nbad'],
      [multipart, part],
      ['multipart/form-data', part],
      [multipart, '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nend'],
    ] as const) {
      const sent = { method: 'POST', path: `/${path}`, payload: Buffer.from(body) } as const
      const { status, text } = await app.send({ ...sent, headers: { 'content-type': type } })
      assert.equal(status, 400, `${path} ${body}`)
      assert.match(text, /<h1>/)
    }
  }
})

test('bodies that never end, of a visitor or a contributor, keep nobody out, and break off without an error in the log', async (t) => {
  const app = await startMonitoredApp(t, { MAX_IN_FLIGHT: '4', LOG_LEVEL: 'error' })
  const { secret } = await createUser(app.deps, { name: 'C', role: 'contributor', email: 'c@example.org' })
  const key = `Authorization: Basic ${btoa(`C:${secret}`)}`
  const begun = (path: string, type: string, body: string) =>
    sendRaw(
      app.url,
      `POST ${path} HTTP/1.1\r\nHost: calendar.test\r\nExpect: 100-continue\r\nContent-Length: 60000\r\n${key}\r\nContent-Type: ${type}\r\n\r\n${body}`,
    )
  const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  for (const [path, type, body] of [
    ['/cal/service/v1/session', 'application/json', '{'],
    ['/cal/service/v1/batch', 'application/json', '{'],
    ['/cal/events/v1/events', 'application/json', '{'],
    ['/cal/service/v1/media', multipart, file],
    ['/admin/sign-in/', multipart, part],
  ] as const) {
    const slow = Array.from({ length: 8 }, () => begun(path, type, body))
    t.after(() => slow.map(({ socket }) => socket.destroy()))
    await Promise.all(slow.map(({ socket }) => once(socket, 'data')))
    // Each of these is answered after the requests before it were read.
    for (let time = 0; time < 5; time += 1) assert.equal((await app.get('/cal/events/v1/tags')).status, 200, path)
    for (const { socket } of slow) socket.destroy()
    await Promise.all(slow.map(({ all }) => all))
    assert.equal((await app.get('/cal/events/v1/tags')).status, 200, path)
  }
  assert.deepEqual(app.lines(), [])
})
