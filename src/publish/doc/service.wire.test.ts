import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check, Errors } from 'typebox/schema'
import { startTestApp, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { plainEvent } from '../../../test/support/given.ts'
import { picture } from '../../../test/support/pictures.ts'
import { service } from '../../api.ts'
import type { FetchDocument } from '../../base/outbound/outbound.ts'

// Compares the document of our own namespace with the responses of the service: every operation, and its failures.

interface Response {
  readonly $ref?: string
  readonly headers?: object
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}
interface Document {
  readonly openapi: string
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly operationId: string; readonly responses: Record<string, Response> }>>
    >
  >
}

const base = '//cal/service/v1'

/** A calendar of others. */
const fetchDocument: FetchDocument = async () => ({
  ...{ status: 200, headers: {} },
  body: Buffer.from('BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20300101T100000\nEND:VEVENT\nEND:VCALENDAR\n'),
})

/** Sends a request. Fails unless status, headers, type and body match the document at `template`. */
function described(app: TestApp, document: Document) {
  const asked = new Set<string>()
  return {
    asked,
    ask: async (template: string, path: string, request: Omit<TestRequest, 'path'> = {}) => {
      const answer = await app.send({ as: 'administrator', ...request, path: base + path })
      const operation = document.paths[template]?.[(request.method ?? 'GET').toLowerCase()]
      const name = `${request.method ?? 'GET'} ${path} → ${answer.status}: ${answer.text}`
      const found = operation?.responses[answer.status]
      assert.ok(operation && found, `${name} is not in the document`)
      asked.add(operation.operationId)
      const response = found.$ref ? document.components.responses[found.$ref.split('/').at(-1) ?? ''] : found
      const [[type, content] = []] = Object.entries(response?.content ?? {})
      assert.equal(answer.headers['content-type']?.split(';')[0], type, name)
      if (content) {
        const schema = { ...content.schema, components: document.components }
        assert.ok(Check(schema, answer.body ?? answer.text), `${name}: ${JSON.stringify(Errors(schema, answer.body))}`)
      }
      for (const header of Object.keys(response?.headers ?? {})) assert.ok(answer.headers[header.toLowerCase()], name)
      return answer
    },
  }
}

/** Every operation on series. */
async function askAboutSeries(app: TestApp, ask: ReturnType<typeof described>['ask']): Promise<void> {
  const event = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=4' }
  const { body: series } = await ask('/series', '/series', { method: 'POST', json: { ...event, recurrence } })
  await ask('/series', '/series', { method: 'POST', json: { ...event, recurrence: { rrule: 'FREQ=HOURLY' } } })
  await ask('/series/preview', '/series/preview', { method: 'POST', json: { ...event, recurrence } })
  const one = `/series/${series.id}`
  await ask('/series/{id}', one)
  await ask('/series/{id}', '/series/999')
  await ask('/series/{id}', one, { method: 'PATCH', json: { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } } })
  await ask('/series/{id}/dates', `${one}/dates`)
  await ask('/series/{id}/dates', `${one}/dates`, { method: 'POST', json: { start_date: '2030-06-01 10:00' } })
  const json = { ...event, title: 'Other', start_date: '2030-07-01', end_date: '2030-07-01' }
  const { body: single } = await app.send({ as: 'administrator', method: 'POST', path: '/events', json })
  await ask('/series/{id}/from-events', `${one}/from-events`, { method: 'POST', json: { event_ids: [single.id] } })
  await ask('/events/{id}/follow', `/events/${single.id}/follow`, { method: 'POST', json: { fields: ['title'] } })
  const translation = { method: 'POST', json: { title: 'Yoga doux' } } as const
  await ask('/series/{id}/translations', `${one}/translations?ml_language=fr-CA`, translation)
  await ask('/series/{id}', one, { method: 'DELETE' })
  await ask('/series/{id}', one, { as: 'subscriber' })
  await ask('/series/{id}/restore', `${one}/restore`, { method: 'POST' })
  const purged = `/trash/series/${series.id}`
  await ask('/trash/series/{id}', purged, { method: 'DELETE' })
  await ask('/series/{id}', one, { method: 'DELETE' })
  await ask('/trash/series/{id}', purged, { method: 'DELETE' })
  await ask('/trash/series/{id}', purged, { method: 'DELETE' })
}

test('every operation of the service answers as its document says', async (t) => {
  const app = await startTestApp(t, {}, { fetchDocument })
  const { body: document } = await app.send({ path: `${base}/doc` })
  const { asked, ask } = described(app, document)
  const upload = { headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' } }

  assert.deepEqual((await app.send({ path: base })).body.namespace, 'cal/service/v1')
  await ask('/', '')
  await ask('/doc', '/doc')
  await askAboutSeries(app, ask)
  const { body: user } = await ask('/users', '/users', { method: 'POST', json: { name: 'eve', role: 'author' } })
  const one = `/users/${user.id}`
  await ask('/users', '/users')
  await ask('/users', '/users', { method: 'POST', json: {} })
  await ask('/users', '/users', { method: 'POST', form: 'name=x' })
  await ask('/users', '/users', { method: 'POST', json: { name: 'eve', role: 'author' } })
  await ask('/users/{user}', one)
  await ask('/users/{user}', '/users/999')
  await ask('/users/{user}', one, { as: 'editor' })
  await ask('/users/{user}', one, { method: 'PATCH', json: { email: 'eve@example.org' } })
  await ask('/users/{user}/password', '/users/me/password', { method: 'PUT', json: { password: 'x'.repeat(20) } })
  const { body: key } = await ask('/users/{user}/keys', `${one}/keys`, { method: 'POST', json: { label: 'a' } })
  await ask('/users/{user}/keys', `${one}/keys`)
  const rotation = { method: 'POST', json: { overlap_hours: 1 } } as const
  await ask('/users/{user}/keys/{key}/rotate', `${one}/keys/${key.id}/rotate`, rotation)
  await ask('/users/{user}/keys/{key}', `${one}/keys/${key.id}`, { method: 'DELETE' })
  await ask('/users/{user}/keys/{key}', `${one}/keys/${key.id}`, { method: 'DELETE' })
  await ask('/users/{user}/links', `${one}/links`, { method: 'POST', json: { kind: 'reset' } })
  await ask('/links/check', '/links/check', { method: 'POST', json: { urls: ['https://example.org/'] } })
  const doubles = { events: [{ title: 'Fair', start_date: '2030-01-22 19:00:00' }] }
  await ask('/events/doubles', '/events/doubles', { method: 'POST', json: doubles })
  await ask('/names', '/names', { method: 'POST', json: { venues: ['Hall'], organizers: [1], categories: ['Music'] } })
  await ask('/links/lookup', '/links/lookup', { method: 'POST', json: { secret: 'wrong' } })
  await ask('/links/follow', '/links/follow', { method: 'POST', json: { secret: 'wrong', password: 'x'.repeat(20) } })
  await ask('/session', '/session')
  await ask('/session', '/session', { method: 'POST', json: { login: 'eve', password: 'wrong' } })
  await ask('/session', '/session', { method: 'DELETE' })
  await ask('/users/{user}/sessions', `${one}/sessions`)
  await ask('/users/{user}/sessions/{session}', `${one}/sessions/1`, { method: 'DELETE' })
  await ask('/users/{user}', one, { method: 'DELETE' })
  const { body: media } = await ask('/media', '/media', { method: 'POST', payload: await picture(40, 30), ...upload })
  await ask('/media', '/media', { method: 'POST', payload: Buffer.from('no picture'), ...upload })
  await ask('/media', '/media?per_page=1')
  await ask('/media/{id}', `/media/${media.id}`)
  await ask('/media/{id}', `/media/${media.id}`, { method: 'PATCH', json: { alt_text: 'A dot' } })
  await ask('/media/{id}', `/media/${media.id}?force=1`, { method: 'DELETE' })
  for (const [plural, json] of [
    ['events', plainEvent],
    ['venues', { venue: 'Hall' }],
    ['organizers', { organizer: 'Band' }],
  ] as const) {
    const { body } = await app.send({ as: 'administrator', method: 'POST', path: `/${plural}`, json })
    await app.send({ as: 'administrator', method: 'DELETE', path: `/${plural}/${body.id}` })
    await ask(`/${plural}/{id}/restore`, `/${plural}/${body.id}/restore`, { method: 'POST' })
    await ask(`/${plural}/{id}/restore`, `/${plural}/${body.id}/restore`, { method: 'POST' })
    const purged = `/trash/${plural}/{id}`
    await ask(purged, `/trash/${plural}/${body.id}`, { method: 'DELETE' })
    const [key = ''] = Object.keys(json)
    const { body: old } = await app.send({
      ...{ as: 'administrator', method: 'POST', path: `/${plural}`, json: { ...json, [key]: 'Old' } },
    })
    await app.send({ as: 'administrator', method: 'DELETE', path: `/${plural}/${old.id}` })
    await ask(purged, `/trash/${plural}/${old.id}`, { method: 'DELETE' })
    await ask(purged, `/trash/${plural}/${old.id}`, { method: 'DELETE' })
    if (plural === 'events') continue
    await ask(`/${plural}/{id}/source`, `/${plural}/${body.id}/source`)
    await ask(`/${plural}/usage`, `/${plural}/usage?orderby=title&search=a`)
    await ask(`/${plural}/usage`, `/${plural}/usage?orderby=x`)
    const other = { as: 'administrator', method: 'POST', path: `/${plural}`, json: { [key]: 'Other' } } as const
    const { body: into } = await app.send(other)
    const merge = { method: 'POST', json: { into: into.id } } as const
    const { body: merged } = await ask(`/${plural}/{id}/merge`, `/${plural}/${body.id}/merge`, merge)
    await ask(`/${plural}/{id}/merge`, `/${plural}/${body.id}/merge`, merge)
    await ask(`/${plural}/{id}/merge`, `/${plural}/999/merge`, { ...merge, as: 'contributor' })
    const undo = `/${plural}/merge/{id}/undo`
    await ask(undo, `/${plural}/merge/${merged.undo.id}/undo`, { method: 'POST' })
    await ask(undo, `/${plural}/merge/999/undo`, { method: 'POST' })
  }
  const { body: written } = await app.send({ as: 'administrator', method: 'POST', path: '/events', json: plainEvent })
  await ask('/events/{id}/source', `/events/${written.id}/source`)
  await ask('/events/{id}/source', '/events/999/source')
  await ask('/events/{id}/history', `/events/${written.id}/history`)
  await ask('/events/{id}/history', '/events/999/history')
  for (const plural of ['categories', 'tags'] as const) {
    const make = async (name: string) =>
      (await app.send({ as: 'administrator', method: 'POST', path: `/${plural}`, json: { name } })).body.id
    const [from, into] = [await make('One'), await make('Two')]
    await ask(`/${plural}/{id}/usage`, `/${plural}/${from}/usage`)
    await ask(`/${plural}/{id}/usage`, `/${plural}/999/usage`)
    const merge = { method: 'POST', json: { into } } as const
    const { body: merged } = await ask(`/${plural}/{id}/merge`, `/${plural}/${from}/merge`, merge)
    const undo = `/${plural}/merge/{id}/undo`
    await ask(undo, `/${plural}/merge/${merged.undo.id}/undo`, { method: 'POST' })
    await ask(undo, `/${plural}/merge/999/undo`, { method: 'POST' })
    await ask(`/${plural}/{id}/merge`, `/${plural}/${from}/merge`, merge)
    await ask(`/${plural}/{id}/merge`, `/${plural}/${from}/merge`, { method: 'POST', json: { into } })
    await ask(`/${plural}/{id}/merge`, `/${plural}/${into}/merge`, { method: 'POST', as: 'contributor', json: {} })
  }
  await ask('/events', '/events')
  await ask('/events', '/events?page=9')
  await ask('/events', '/events?check=x')
  await ask('/events/counts', '/events/counts')
  await ask('/events/counts', '/events/counts', { as: 'subscriber' })
  const canceling = { where: { to: '2030-01-31' }, reason: { en: 'Storm' }, per_page: 1 }
  await ask('/events/cancel', '/events/cancel', { method: 'POST', json: { ...canceling, dry_run: true } })
  const { body: canceled } = await ask('/events/cancel', '/events/cancel', { method: 'POST', json: canceling })
  await ask('/events/cancel', '/events/cancel', { method: 'POST', json: { where: {} } })
  await ask('/events/cancel', '/events/cancel', { method: 'POST', as: 'contributor', json: canceling })
  const undo = '/events/cancel/{id}/undo'
  await ask(undo, `/events/cancel/${canceled.undo.id}/undo`, { method: 'POST' })
  await ask(undo, '/events/cancel/999/undo', { method: 'POST' })
  await ask('/changes', '/changes')
  await ask('/changes', '/changes?data=ids')
  await ask('/changes', '/changes?after=000000000000.1')
  await ask('/changes', '/changes?kinds=x')
  await ask('/rpde/events', '/rpde/events')
  const operations = [{ method: 'POST', path: '/tags', body: { name: 'Loud' } }]
  await ask('/batch', '/batch', { method: 'POST', json: { operations } })
  await ask('/batch', '/batch', { method: 'POST', json: { operations: [] } })
  await ask('/batch', '/batch', { method: 'POST', json: { operations, atomic: true } })
  for (const [plural, json] of [
    ['events', plainEvent],
    ['venues', { venue: 'Arena' }],
    ['organizers', { organizer: 'Choir' }],
  ] as const) {
    const [template, path] = [`/sources/{source}/${plural}/{external_id}`, `/sources/festival/${plural}/1`]
    await ask(template, path, { method: 'PUT', json })
    await ask(template, path, { method: 'PUT', json })
    await ask(template, path, { method: 'PUT', json: { ...json, description: 'New' } })
    await ask(template, path, { method: 'PUT', json: {} })
    await ask(template, path)
    await ask(template, `/sources/festival/${plural}/2`)
    await ask(template, path, { method: 'DELETE' })
    await ask(template, path, { method: 'PUT', as: 'editor', json })
  }
  const sweep = { seen_since: '2030-01-15T00:00:00Z', action: 'trash' }
  await ask('/sources/{source}/sweep', '/sources/festival/sweep', { method: 'POST', json: sweep })
  await ask('/sources/{source}/sweep', '/sources/festival/sweep', { method: 'POST', json: {} })
  const lines = { payload: Buffer.from('{}\n'), headers: { 'content-type': 'application/x-ndjson' } }
  await ask('/sources/{source}/import', '/sources/festival/import', { method: 'POST', ...lines })
  await ask('/sources/{source}/import', '/sources/festival/import', { method: 'POST', as: 'editor', ...lines })
  const calendar = {
    payload: Buffer.from('BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20300101T100000\nEND:VEVENT\nEND:VCALENDAR\n'),
    headers: { 'content-type': 'text/calendar' },
  }
  await ask('/sources/{source}/calendar', '/sources/festival/calendar', { method: 'POST', ...calendar })
  const page = { ...calendar, payload: Buffer.from('<html>') }
  await ask('/sources/{source}/calendar', '/sources/festival/calendar', { method: 'POST', ...page })
  for (const json of [{ url: 'https://club.example/a.ics', dry_run: true }, {}]) {
    await ask('/sources/{source}/fetch', '/sources/festival/fetch', { method: 'POST', json })
  }
  const subscription = { method: 'POST', json: { source: 'club', url: 'https://127.0.0.1/club.ics' } } as const
  for (const _ of ['new', 'known']) await ask('/subscriptions', '/subscriptions', subscription)
  await ask('/subscriptions', '/subscriptions', { method: 'POST', json: {} })
  await ask('/subscriptions', '/subscriptions')
  await ask('/subscriptions', '/subscriptions', { as: 'editor' })
  const subscribed = '/subscriptions/{source}'
  await ask(subscribed, '/subscriptions/club', { method: 'PATCH', json: { paused: true } })
  await ask(subscribed, '/subscriptions/none', { method: 'PATCH', json: { paused: true } })
  await ask(`${subscribed}/fetch`, '/subscriptions/club/fetch', { method: 'POST', json: { dry_run: true } })
  await ask(`${subscribed}/fetch`, '/subscriptions/club/fetch', { method: 'POST', json: {} })
  await ask(`${subscribed}/fetch`, '/subscriptions/none/fetch', { method: 'POST', json: {} })
  await ask(subscribed, '/subscriptions/club', { method: 'DELETE' })
  const view = { name: 'Reviews', query: 'status=pending' }
  await ask('/saved-views', '/saved-views', { method: 'POST', as: 'editor', json: view })
  await ask('/saved-views', '/saved-views', { method: 'POST', as: 'editor', json: view })
  await ask('/saved-views', '/saved-views', { as: 'editor' })
  await ask('/saved-views/{id}', '/saved-views/1', { method: 'PATCH', as: 'editor', json: { name: 'May' } })
  await ask('/saved-views/{id}', '/saved-views/9', { method: 'PATCH', as: 'editor', json: { name: 'May' } })
  await ask('/saved-views/{id}', '/saved-views/1', { method: 'DELETE', as: 'editor' })
  await ask('/media/usage', '/media/usage?per_page=5&search=a&without_alt_text=en')
  await ask('/media/usage', '/media/usage?without_alt_text=xx')
  const recorded = { payload: Buffer.from('{"events":[]}'), headers: { 'content-type': 'application/json' } }
  await ask('/imports', '/imports', { method: 'POST', as: 'editor', ...recorded })
  await ask('/imports', '/imports', { method: 'POST', as: 'author', ...recorded })
  await ask('/imports', '/imports')
  await ask('/imports/{id}/undo', '/imports/1/undo', { method: 'POST', json: {} })
  await ask('/imports/{id}/undo', '/imports/99/undo', { method: 'POST', json: {} })
  await ask('/audit', '/audit?per_page=5')
  await ask('/audit', '/audit?id=5')
  await ask('/settings', '/settings')

  const all = service.routes.flatMap(({ endpoints }) => endpoints.map(({ operation }) => operation))
  assert.deepEqual([...asked].sort(), all.toSorted())
})

test('the document of the service is French below /fr, and the index lists every route', async (t) => {
  const app = await startTestApp(t)

  const french = await app.send({ path: '//fr/cal/service/v1/doc' })
  const { body: index } = await app.send({ path: base })

  assert.equal(french.body.info.title, 'Service du calendrier')
  assert.equal(french.headers['content-language'], 'fr-CA')
  assert.equal(Object.keys(index.routes).length, service.routes.length)
  assert.deepEqual(index.routes['/cal/service/v1/users/(?P<user>[^/]+)/keys/(?P<key>\\d+)'].methods, ['DELETE'])
})

test('the index of the service varies by all that its headers and texts depend on', async (t) => {
  const app = await startTestApp(t, { CORS_ORIGINS: 'https://app.example', TEXTS_FROM_ACCEPT_LANGUAGE: 'true' })

  const { headers } = await app.send({ path: base })

  assert.equal(headers.vary, 'Origin, Accept-Language, Accept-Encoding')
})

test('a parameter of a picture that is wrong is told before the picture is removed', async (t) => {
  const app = await startTestApp(t)
  const upload = { headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' } }
  const as = 'administrator'
  const { body } = await app.send({
    as,
    method: 'POST',
    path: `${base}/media`,
    payload: await picture(40, 30),
    ...upload,
  })

  const refused = await app.send({ as, method: 'DELETE', path: `${base}/media/${body.id}?ml_language=de` })
  const { status } = await app.send({ as, path: `${base}/media/${body.id}` })

  assert.deepEqual([refused.status, Object.keys(refused.body.errors), status], [400, ['ml_language'], 200])
})
