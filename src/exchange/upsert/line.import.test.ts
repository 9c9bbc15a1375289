import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, plainEvent } from '../../../test/support/given.ts'
import type { Role } from '../../access/auth/actor.ts'
import { createUser } from '../../access/auth/user.service.ts'
import { createLineReader } from './body.lines.ts'

const base = '//cal/service/v1/sources'
const type = 'application/x-ndjson'

interface Sent {
  readonly as?: Role
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function importBody(app: TestApp, payload: Buffer, { as = 'author', query = '', headers = {} }: Sent = {}) {
  const path = `${base}/s/import${query}`
  const answer = await app.send({ as, method: 'POST', path, payload, headers: { 'content-type': type, ...headers } })
  const lines = answer.headers['content-type'] === type ? answer.text.trim().split('\n') : []
  return { ...answer, lines: lines.map((line) => JSON.parse(line)) }
}

const linesOf = (...lines: readonly (object | string)[]) =>
  Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))

const event = (externalId: string, sent: object = {}) => ({ external_id: externalId, ...plainEvent, ...sent })
const totalOf = async (app: TestApp) => (await app.send({ path: '/events' })).body.total

test('lines are answered in their order, and what is wrong with one does not matter to others', async (t) => {
  const app = await startTestApp(t)
  const body = Buffer.concat([
    linesOf({ external_id: 'v', kind: 'venue', venue: 'Hall' }, event('1', { venue: { external_id: 'v' } }), ''),
    linesOf('{"external_id": "2"', event('3', { start_date: 'soon' }), '[]', event(''), { ...event('4'), kind: 'tag' }),
    Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
    linesOf(event('5', { author: 99 }), event('6', { tags: ['Loud'] }), event('6', { title: 'Later' })),
    linesOf(event('7', { venue: { external_id: 'nowhere' } }), event('8')),
    linesOf(event('1', { venue: { external_id: 'v' } })).subarray(0, -1),
  ])

  const { status, headers, lines } = await importBody(app, body)

  assert.deepEqual([status, headers['content-type']], [200, type])
  assert.deepEqual(
    lines.map(({ line, status: one, external_id }) => [line, one, external_id]),
    [
      ...[
        [1, 201, 'v'],
        [2, 201, '1'],
      ],
      ...[
        [4, 400, undefined],
        [5, 400, '3'],
        [6, 400, undefined],
        [7, 400, undefined],
        [8, 400, undefined],
      ],
      [9, 400, undefined],
      ...[
        [10, 400, '5'],
        [11, 201, '6'],
        [12, 200, '6'],
      ],
      ...[
        [13, 400, '7'],
        [14, 201, '8'],
      ],
      [15, 204, '1'],
      [undefined, undefined, undefined],
    ],
  )
  assert.deepEqual(lines.at(-1), { end: true, created: 4, changed: 1, unchanged: 1, failed: 8 })
  assert.deepEqual([lines[2].problem.code, Object.keys(lines[3].problem.errors)], ['rest_invalid_json', ['start_date']])
  assert.equal(await totalOf(app), 3)
  const { body: first } = await app.send({ path: `/events/${lines[1].id}` })
  assert.equal(first.venue.id, lines[0].id)
})

test('many lines are written with few statements and are the same as single requests', async (t) => {
  const app = await startTestApp(t)
  const many = Array.from({ length: 450 }, (_, n) => event(`${n}`, { title: `T${n}`, tags: ['Loud'] }))
  await importBody(app, linesOf(event('x')))
  app.statements()

  const { lines } = await importBody(app, linesOf(...many))

  assert.deepEqual(lines.at(-1), { end: true, created: 450, changed: 0, unchanged: 0, failed: 0 })
  assert.ok(app.statements().length < 600, 'fewer than two for each line')
  assert.equal(await totalOf(app), 451)
  const same = await app.send({
    as: 'author',
    method: 'PUT',
    path: `${base}/s/events/7`,
    json: { ...many[7], external_id: '7' },
  })
  assert.equal(same.status, 204, same.text)
  const again = await importBody(app, linesOf(...many))
  assert.deepEqual(again.lines.at(-1), { end: true, created: 0, changed: 0, unchanged: 450, failed: 0 })
})

test('edits are kept and told, unless they are forced', async (t) => {
  const app = await startTestApp(t)
  const { lines } = await importBody(app, linesOf(event('1')))
  await changed(app, `/events/${lines[0].id}`, { title: 'Edited' })

  const kept = await importBody(app, linesOf(event('1', { title: 'Theirs' })))
  const forced = await importBody(app, linesOf(event('1', { title: 'Theirs' })), { query: '?force=true' })

  assert.deepEqual([kept.lines[0].status, kept.lines[0].kept], [200, ['title']])
  assert.deepEqual([forced.lines[0].status, forced.lines[0].kept], [200, undefined])
  assert.equal((await app.send({ path: `/events/${lines[0].id}` })).body.title, 'Theirs')
})

test('a dry run answers as the import would, and writes nothing', async (t) => {
  const app = await startTestApp(t)
  await importBody(app, linesOf(event('old')))
  const body = linesOf(
    { external_id: 'v', kind: 'venue', venue: 'Hall' },
    event('1', { venue: { external_id: 'v' } }),
    event('old', { title: 'New' }),
    event('2', { venue: { external_id: 'w' } }),
  )

  const { lines } = await importBody(app, body, { query: '?dry_run=true' })

  assert.deepEqual(
    lines.map(({ status }) => status),
    [201, 201, 200, 400, undefined],
  )
  assert.equal(await totalOf(app), 1)
  assert.deepEqual(await app.deps.storage.db.selectFrom('imported_records').select('source').execute(), [
    { source: 's old' },
  ])
})

test('the rest of an import is numbered from its first line', async (t) => {
  const app = await startTestApp(t)

  const { lines } = await importBody(app, linesOf(event('1'), event('2')), { headers: { 'x-import-line': '4001' } })
  const wrong = await importBody(app, linesOf(event('1')), { headers: { 'x-import-line': '0' } })

  assert.deepEqual(
    lines.map(({ line }) => line),
    [4001, 4002, undefined],
  )
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [400, ['X-Import-Line']])
})

test('lines and bodies that are too long are refused, and so is what is nested too deeply', async (t) => {
  const app = await startTestApp(t)
  const long = event('1', { description: 'x'.repeat(1024 * 1024) })
  const texts = event('2', { description: 'x'.repeat(70 * 1024) })
  const deep = `{"external_id": "3", "title": "T", "start_date": "2030-01-22", "end_date": "2030-01-22", "tags": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`

  const { lines } = await importBody(app, linesOf(long, texts, deep, event('4')))

  assert.deepEqual(
    lines.map(({ status }) => status),
    [413, 400, 413, 201, undefined],
  )
  const half = Buffer.alloc(26 * 1024 * 1024, '\n')
  const huge = await importBody(app, Buffer.concat([linesOf(event('5')), half, half]))
  assert.deepEqual([huge.status, huge.body?.code], [413, 'rest_request_too_large'])
})

test('a body has a bounded number of lines, blank ones included', async (t) => {
  const app = await startTestApp(t)
  const blanks = Buffer.alloc(199_999, '\n')

  const full = await importBody(app, Buffer.concat([blanks, linesOf(event('1'))]))
  const over = await importBody(app, Buffer.concat([blanks, linesOf('', event('2'))]))

  assert.deepEqual([full.lines[0].line, full.lines[0].status], [200_000, 201])
  assert.deepEqual(
    over.lines.map(({ status, problem }) => [status, problem?.code]),
    [[413, 'rest_request_too_large']],
  )
  assert.match(over.lines[0].problem.title, /200,000 lines/)
})

test('whoever sends only blanks counts as silent', async () => {
  async function* blanks() {
    for (;;) {
      await nextTurn()
      yield Buffer.from(' \n')
    }
  }
  const reader = createLineReader(blanks(), 1, { maxLineBytes: 10, maxLines: 1e9, maxBodyBytes: 1e9 })

  assert.equal(await reader.next(1), 'waiting')
  await reader.close()
})

test('lines that are split anywhere, with blanks around them, are the same lines', async () => {
  const text = '\n \r\n{"a": 1}\r\n\t\n  {"é": "\n12345678901\n x'
  const bytes = Buffer.from(text)
  for (let size = 1; size <= bytes.length; size += 1) {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const reader = createLineReader(pieces(), 1, { maxLineBytes: 10, maxLines: 10, maxBodyBytes: 100 })
    const lines: unknown[] = []
    for (let next = await reader.next(1000); next !== 'end'; next = await reader.next(1000)) {
      assert.ok(next !== 'waiting')
      lines.push([next.number, next.bytes?.toString().trim()])
    }
    assert.deepEqual(lines, [
      [3, '{"a": 1}'],
      [5, '{"é": "'],
      [6, undefined],
      [7, 'x'],
    ])
  }
})

test('useless lines let others have their turns', async (t) => {
  const app = await startTestApp(t)
  const body = Buffer.from('x\n'.repeat(20_000))
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()

  const { lines } = await importBody(app, body)

  isOver = true
  assert.equal(lines.at(-1).failed, 20_000)
  assert.ok(turns > 40, String(turns))
})

test('another type is refused, rights come first, and an empty body is no mistake', async (t) => {
  const app = await startTestApp(t)
  const body = linesOf(event('1'))
  assert.equal((await importBody(app, body, { headers: { 'content-type': 'application/json' } })).status, 415)
  assert.equal(
    (await importBody(app, body, { as: 'subscriber', headers: { 'content-type': 'text/plain' } })).status,
    403,
  )
  await importBody(app, body)
  assert.equal((await importBody(app, body, { as: 'editor' })).body.code, 'source-of-another-user')
  assert.deepEqual((await importBody(app, Buffer.from('\n \n'))).lines, [
    { end: true, created: 0, changed: 0, unchanged: 0, failed: 0 },
  ])
})

test('lines count as requests: a hundred as one', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '5/3600', RATE_LIMIT_EXEMPT: '' })
  const many = Array.from({ length: 900 }, (_, n) => event(`${n}`))

  const { lines } = await importBody(app, linesOf(...many))

  const last = lines.at(-1)
  assert.deepEqual([last.status, last.problem.code], [429, 'rest_too_many_requests'])
  assert.equal(last.line, lines.length, 'the line to continue with')
  assert.equal(lines.length, 401)
})

/** Begins an import over a connection, and waits for the answer to its first line. */
async function beginImport(url: string, authorization: string, externalId: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head = ['POST /cal/service/v1/sources/s/import HTTP/1.1', `Host: ${new URL(site).host}`]
  const chunk = linesOf(event(externalId))
  socket.write(
    [...head, `Authorization: ${authorization}`, `Content-Type: ${type}`, 'Transfer-Encoding: chunked', '', ''].join(
      '\r\n',
    ),
  )
  socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  let text = ''
  while (!text.includes('"line":1,')) text += String((await once(socket, 'data'))[0])
  assert.match(text, /"status":20[14]/)
  return socket
}

test('an import answers while it waits for more, ends when its client goes, and few run at the same time', async (t) => {
  const app = await startTestApp(t)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const machine = async (name: string) => {
    const { secret } = await createUser(app.deps, {
      ...{ name, role: 'administrator', email: `${name}@example.org`, secret: randomUUID() },
    })
    return { authorization: `Basic ${btoa(`${name}:${secret}`)}` }
  }
  const [one, other] = [await machine('one'), await machine('other')]
  const sockets: Socket[] = []
  for (const name of ['1', '2']) sockets.push(await beginImport(url, one.authorization, name))
  const third = await importBody(app, linesOf(event('5')), { headers: one })
  assert.deepEqual([third.status, third.headers['retry-after']], [503, '10'], 'one user leaves places to others')
  for (const name of ['3', '4']) sockets.push(await beginImport(url, other.authorization, name))
  assert.equal(await totalOf(app), 4)

  const full = await importBody(app, linesOf(event('5')), { as: 'administrator' })
  assert.deepEqual([full.status, full.headers['retry-after']], [503, '10'])

  for (const socket of sockets) socket.destroy()
  let free = full
  while (free.status === 503) {
    // Lets the server notice that the connections are closed.
    await nextTurn()
    free = await importBody(app, linesOf(event('5')), { as: 'administrator' })
  }
  assert.deepEqual([free.status, free.lines[0].status], [200, 201])
})
