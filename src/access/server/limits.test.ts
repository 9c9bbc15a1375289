import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestRequest } from '../../../test/support/app.ts'
import { givenEvent, listedIds, plainEvent } from '../../../test/support/given.ts'
import { maxLineCharacters } from '../../base/text/bounds.ts'

const json = { 'content-type': 'application/json' }
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Checks the response status of each request. */
function answersOf(title: string, cases: readonly (TestRequest & { readonly status: number })[]): void {
  test(title, async (t) => {
    const app = await startTestApp(t)

    for (const { status, ...request } of cases) {
      const answer = await app.send(request)
      assert.equal(answer.status, status, `${request.path} ${answer.text.slice(0, 200)}`)
    }
  })
}

answersOf('where a word is expected, lists and objects are none, however they nest', [
  { path: '/venues?has_events[x]=1', status: 200 },
  { path: '/venues?only_with_upcoming[a][b]=1', status: 200 },
  { path: '/venues', json: { has_events: { toString: 1 } }, status: 200 },
  { path: '/venues', form: `{"has_events":${nested(15)}}`, headers: json, status: 200 },
  { path: '/events?_fields[a][b]=1', status: 200 },
  { path: '/?context[x]=1', status: 200 },
])

answersOf('a list of more items than a query may ask for is refused', [
  { path: '/events', json: { include: numbers(1000).join() }, status: 200 },
  { path: '/events', json: { include: numbers(1001).join() }, status: 400 },
  { path: '/events', json: { include: numbers(1001) }, status: 400 },
  { path: '/events', json: { venue: numbers(3000).join() }, status: 400 },
  { path: '/events', as: 'editor', json: { status: numbers(3000).fill(0).join() }, status: 400 },
  { path: '/events', as: 'editor', method: 'POST', json: { ...plainEvent, tags: numbers(3000).join() }, status: 400 },
  { path: '/events', as: 'editor', method: 'POST', json: { ...plainEvent, organizer: numbers(3000) }, status: 400 },
  { path: '/events', as: 'editor', method: 'POST', json: { ...plainEvent, tags: numbers(100).join() }, status: 201 },
  { path: '/events', as: 'editor', method: 'POST', json: { ...plainEvent, tags: numbers(101).join() }, status: 400 },
  { path: '/events', as: 'editor', method: 'POST', json: { ...plainEvent, categories: numbers(101) }, status: 400 },
])

answersOf('a list of ids that nobody has finds nothing', [
  { path: '/events?include=999', status: 200 },
  { path: '/events?include=999&ml_language=fr-CA', status: 200 },
])

answersOf('an id that no database can hold is one that nobody has', [
  { path: `/events/${'9'.repeat(400)}`, as: 'editor', status: 404 },
  { path: `/venues/${'9'.repeat(25)}`, as: 'editor', status: 400 },
])

answersOf('an address with broken percent-encoding is answered as any other', [
  { path: '/%zz', status: 404 },
  { path: '/events/by-slug/%E9', status: 404 },
])

const longestLine = 'é😀'.repeat(maxLineCharacters / 2)

answersOf('a title, a name or another line has at most 16,000 characters', [
  ...['é', ''].flatMap((more) => {
    const line = longestLine + more
    const as = 'editor' as const
    const [event, venue] = [
      { ...plainEvent, title: line },
      { ...plainEvent, venue: { venue: line } },
    ]
    const organizer = { ...plainEvent, organizer: [{ organizer: `Club ${more}`, phone: line }] }
    const status = more === '' ? 201 : 400
    return [
      ...[event, venue, organizer].map((sent) => ({
        path: '/events',
        as,
        method: 'POST' as const,
        json: sent,
        status,
      })),
      { path: '/venues', as, method: 'POST' as const, json: { venue: line }, status },
      ...['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'].map((name) => ({
        ...{ path: '/venues', as, method: 'POST' as const, status },
        json: { venue: `Hall ${name}`, [name]: line },
      })),
      { path: '/organizers', as, method: 'POST' as const, json: { organizer: line }, status },
      { path: '/organizers', as, method: 'POST' as const, json: { organizer: 'Choir', email: line }, status },
    ]
  }),
])

test('what is new with an event has at most 64 KB of text together, however many records that is', async (t) => {
  const app = await startTestApp(t)
  const described = (count: number) => {
    const organizer = numbers(count).map((n) => ({ organizer: `Club ${n}`, description: 'x '.repeat(16 * 1000) }))
    return app.send({ as: 'editor', method: 'POST', path: '/events', json: { ...plainEvent, organizer } })
  }

  assert.equal((await described(2)).status, 201)
  assert.match((await described(3)).body.data.params.organizer, /at most 64 KB/)
})

test('a line that is too long is refused by name, in the language of the address', async (t) => {
  const app = await startTestApp(t)
  const send = (root: string) =>
    app.send({ as: 'editor', method: 'POST', path: `${root}/venues`, json: { venue: 'Hall', city: `${longestLine}a` } })

  const [english, french] = [await send('//cal/events/v1'), await send('//fr/cal/events/v1')]

  assert.equal(english.body.data.params.city, '“city” must have 1 to 16000 characters.')
  assert.match(french.body.data.params.city, /1 à 16000 caractères/)
})

test('the character NUL is passed over wherever it is sent', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { title: 'Con\0cert', tags: ['so\0lo'], cost: 'a\0', event_password: 'a\0b' })

  assert.equal(event.title, 'Concert')
  assert.equal(event.tags[0].name, 'solo')
  assert.deepEqual(await listedIds(app, 'search=con%00cert', 'editor'), [event.id])
  const authorization = `Basic ${btoa('editor\0:secret')}`
  assert.equal((await app.send({ path: '/events', headers: { authorization } })).status, 200)
})

test('what is written like the character NUL is not, and names are without it as texts are', async (t) => {
  const app = await startTestApp(t)
  const start = '"start_date":"2030-01-22","end_date":"2030-01-22"'
  const form = `{"ti\\u0000tle":"a\\u0000\\u0000b \\\\u0000 \\\\\\u0000c","tags":["\\u0000x"],${start}}`

  const answer = await app.send({ as: 'editor', method: 'POST', path: '/events', form, headers: json })

  assert.equal(answer.body.slug, 'ab-u0000-c')
  assert.equal(answer.body.tags[0].name, 'x')
  const broken = await app.send({ method: 'POST', path: '/events', form: '{\\u0000"title":"a"}', headers: json })
  assert.equal(broken.body.code, 'rest_invalid_json')
})

test('of a multipart body no more than a thousand parts are read, files among them', async (t) => {
  const app = await startTestApp(t)
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const part = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const fields = Object.entries(plainEvent).map(([name, text]) => part(`name=${name}`, text))
  const send = (files: number) => {
    const form = `${part('name=f; filename=b', 'z').repeat(files)}${fields.join('')}--x--`
    return app.send({ as: 'editor', method: 'POST', path: '/events', form, headers })
  }

  assert.equal((await send(1000 - fields.length)).status, 201)
  assert.equal((await send(1001 - fields.length)).body.code, 'rest_missing_callback_param')
})

test('a multipart body that breaks off in a file is answered, and the service lives on', async (t) => {
  const app = await startTestApp(t)
  const form = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nzz'
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }

  const answer = await app.send({ as: 'editor', method: 'POST', path: '/events', form, headers })

  assert.equal(answer.body.code, 'rest_missing_callback_param')
  assert.equal((await app.send({ path: '/events' })).status, 200)
})

test('a host that is named with the usual port stands in addresses; one that is none does not', async (t) => {
  const app = await startTestApp(t)
  const rootOf = async (host: string) => (await app.send({ path: '/events', headers: { host } })).body.rest_url

  assert.match(await rootOf('calendar.test:80'), /^http:\/\/calendar\.test:80\/cal\//)
  assert.doesNotMatch(await rootOf('calendar.test/evil'), /evil/)
})

test('what cannot even be read is refused in the language of the address', async (t) => {
  const app = await startTestApp(t)
  const form = 'x'.repeat(2 * 1024 * 1024)

  const [english, french] = [
    await app.send({ method: 'POST', path: '/events', form }),
    await app.send({ method: 'POST', path: '//fr/cal/events/v1/events', form }),
  ]

  assert.deepEqual([english.status, english.body.code], [413, 'rest_request_too_large'])
  assert.deepEqual([french.status, french.body.code], [413, 'rest_request_too_large'])
  assert.notEqual(french.body.message, english.body.message)
  assert.deepEqual([english.headers['content-language'], french.headers['content-language']], ['en', 'fr-CA'])
})
