import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { traceOf } from '../../../test/support/trace.ts'
import type { Role } from '../../access/auth/actor.ts'
import { type FetchDocument, OutboundError } from '../../base/outbound/outbound.ts'
import { runJob } from '../../operate/jobs/job.runner.ts'
import { jobs } from '../../operate/jobs/jobs.ts'
import { listSubscriptions } from './subscription.repository.ts'

const base = '//cal/service/v1/subscriptions'
const secretUrl = 'https://club.example/ical/private-0123456789abcdef/basic.ics?token=s3cret'

const calendar = (uids: readonly string[]) => {
  const event = (uid: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${uid}\r\nDTSTART:20300201T190000Z\r\nEND:VEVENT\r\n`
  return `BEGIN:VCALENDAR\r\n${uids.map(event).join('')}END:VCALENDAR\r\n`
}

/** A site with a calendar that the test changes; undefined if the site is down. */
async function start(t: TestContext) {
  const site: { uids: readonly string[] | undefined; asked: number } = { uids: ['one', 'two', 'three'], asked: 0 }
  const fetchDocument: FetchDocument = async (_url, { headers }) => {
    site.asked += 1
    if (!site.uids) throw new OutboundError('unreachable')
    const etag = `"${site.uids.join()}"`
    const isSame = headers['if-none-match'] === etag
    return { status: isSame ? 304 : 200, body: Buffer.from(isSame ? '' : calendar(site.uids)), headers: { etag } }
  }
  const app = await startTestApp(t, {}, { fetchDocument })
  const ask = (method: TestRequest['method'], path = '', json?: object, as: Role = 'administrator') =>
    app.send({ ...{ as, path: base + path }, ...(method && { method }), ...(json && { json }) })
  return { app, site, ask }
}

async function titlesOf(app: TestApp): Promise<readonly string[]> {
  const { body } = await app.send({ path: '/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50' })
  return (body.events ?? []).map(({ title }: { readonly title: string }) => title).sort()
}

async function runJobs(app: TestApp) {
  const job = jobs.find(({ name }) => name === 'fetch-calendars') ?? assert.fail()
  await runJob(app.deps, job, { holder: 'test' })
}

test('a subscription is added, fetched by the service, paused, changed and ended; its events stay', async (t) => {
  const { app, site, ask } = await start(t)

  const added = await ask('POST', '', { source: 'club', url: secretUrl, category: 'Sports', every_minutes: 60 })
  await runJobs(app)
  const { body: listed } = await ask('GET')

  assert.equal(added.status, 201, added.text)
  assert.deepEqual(await titlesOf(app), ['one', 'three', 'two'])
  assert.deepEqual(listed, [
    {
      ...{ source: 'club', url: 'https://club.example/ical/…/basic.ics?…', every_minutes: 60, language: 'en' },
      ...{ status: 'publish', category: 'Sports', authority: 'keep', missing: 'keep', author: 5, paused: false },
      next_at: '2030-01-15T13:00:00Z',
      ...{ found: 3, fetched_at: '2030-01-15T12:00:00Z', failing_since: null, failure: null },
    },
  ])

  assert.equal((await ask('PATCH', '/club', { paused: true })).body.paused, true)
  site.uids = undefined
  app.pass(3600)
  const asked = site.asked
  await runJobs(app)
  assert.equal(site.asked, asked)
  // Its events belong to the administrator by now.
  assert.equal((await ask('PATCH', '/club', { author: 3 })).body.code, 'source-of-another-user')
  const resumed = await ask('PATCH', '/club', { paused: false, category: '', missing: 'trash' })
  assert.deepEqual(
    [resumed.body.paused, resumed.body.category, resumed.body.missing, resumed.body.every_minutes],
    [false, null, 'trash', 60],
  )
  await runJobs(app)
  const [failing] = (await ask('GET')).body
  assert.deepEqual([failing.failure, failing.failing_since], ['unreachable', '2030-01-15T13:00:00Z'])

  const ended = await ask('DELETE', '/club')
  assert.deepEqual([ended.status, ended.body.deleted, ended.body.previous.source], [200, true, 'club'])
  assert.deepEqual([(await ask('GET')).body, await titlesOf(app)], [[], ['one', 'three', 'two']])
})

test('a fetch on request tells what it did; a trial tells what it would do, and changes nothing', async (t) => {
  const { app, site, ask } = await start(t)
  await ask('POST', '', { source: 'club', url: secretUrl, paused: true })
  const before = await traceOf(app)

  const tried = await ask('POST', '/club/fetch?dry_run=true')

  assert.deepEqual([tried.status, tried.headers['x-dry-run']], [200, 'true'], tried.text)
  assert.deepEqual([tried.body.result, tried.body.report.created, tried.body.report.dry_run], ['imported', 3, true])
  assert.deepEqual([await traceOf(app), await titlesOf(app)], [before, []])

  const fetched = await ask('POST', '/club/fetch', {})
  const again = await ask('POST', '/club/fetch', {})
  assert.deepEqual([fetched.body.result, fetched.body.report.created], ['imported', 3])
  assert.deepEqual([again.body.result, again.body.report], ['unchanged', undefined])

  // A trial reads the whole calendar, also if it is the same, and has the same brake.
  assert.equal((await ask('POST', '/club/fetch', { dry_run: true })).body.report.unchanged, 3)
  await ask('PATCH', '/club', { missing: 'trash' })
  site.uids = ['one']
  for (const dry_run of [true, false]) {
    const { status, body } = await ask('POST', '/club/fetch', { dry_run })
    assert.deepEqual([status, body.result, body.failure], [200, 'failed', 'fewer'])
  }
  app.pass(60)
  const accepted = await ask('POST', '/club/fetch', { accept: true })
  assert.deepEqual([accepted.body.result, accepted.body.report.unchanged], ['imported', 1])
  assert.deepEqual(await titlesOf(app), ['one', 'three', 'two'])
  app.pass(60)
  assert.equal((await ask('POST', '/club/fetch', { accept: true })).body.removed, 2)
  assert.deepEqual(await titlesOf(app), ['one'])

  site.uids = undefined
  const failed = await ask('POST', '/club/fetch', { dry_run: true })
  assert.deepEqual([failed.body.result, failed.body.failure], ['failed', 'unreachable'])
  assert.equal((await listSubscriptions(app.deps.storage.db))[0]?.state.failure, undefined)
})

test('every write can be tried, and adding the same name changes the subscription', async (t) => {
  const { app, ask } = await start(t)
  const tried = await ask('POST', '?dry_run=true', { source: 'club', url: secretUrl })
  assert.deepEqual([tried.status, (await ask('GET')).body], [201, []])

  await ask('POST', '', { source: 'club', url: secretUrl, category: 'Sports' })
  const other = await ask('POST', '', { source: 'club', url: 'webcal://club.example/a.ics' })
  assert.deepEqual([other.status, other.body.category], [200, null])
  const before = await traceOf(app)
  await ask('PATCH', '/club?dry_run=true', { paused: true })
  await ask('DELETE', '/club?dry_run=true')
  assert.deepEqual(await traceOf(app), before)
})

test('only administrators may see, add, change, fetch and end subscriptions', async (t) => {
  const { site, ask } = await start(t)
  await ask('POST', '', { source: 'club', url: secretUrl })
  const roles = ['visitor', 'subscriber', 'contributor', 'author', 'editor'] as const
  for (const role of roles) {
    const as = role as Role
    const answers = [
      await ask('GET', '', undefined, as),
      await ask('POST', '', { source: 'mine', url: secretUrl }, as),
      await ask('PATCH', '/club', { paused: true }, as),
      await ask('POST', '/club/fetch', {}, as),
      await ask('POST', '/nothing/fetch', {}, as),
      await ask('DELETE', '/club', undefined, as),
    ]
    const status = role === 'visitor' ? 401 : 403
    assert.deepEqual(
      answers.map((answer) => answer.status),
      answers.map(() => status),
      role,
    )
    assert.ok(answers.every(({ text }) => !text.includes('club.example')))
  }
  assert.equal(site.asked, 0)
  assert.deepEqual(
    (await ask('GET')).body.map(({ source, paused }: never) => [source, paused]),
    [['club', false]],
  )
})

test('a bad address, name, number or user is refused by its parameter, in both languages, and nothing is asked', async (t) => {
  const { app, site, ask } = await start(t)
  const good = { source: 'club', url: secretUrl }
  const urls = ['', 'club', 'http://club.example/a.ics', 'ftp://club.example/a', 'file:///etc/passwd', 'javascript:1']
  const bad: readonly (readonly [string, unknown])[] = [
    ...[...urls, 'https://eve:x@club.example/', 'https://', 'https://a b/', 'https://club.example/…', 7].map(
      (url) => ['url', url] as const,
    ),
    ...['', 'Club', 'a b', '../x', 7].map((source) => ['source', source] as const),
    ...[14, 10_081, 'often', -1, 1.5].map((every) => ['every_minutes', every] as const),
    ...[['status', 'private'] as const, ['authority', 'x'] as const, ['missing', 'x'] as const],
    ...[['author', 999] as const, ['author', 1] as const, ['paused', 'maybe'] as const],
  ]
  for (const [name, value] of bad) {
    const { status, body } = await ask('POST', '', { ...good, [name]: value })
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], `${name} ${value}`)
    assert.deepEqual(Object.keys(body.errors), [name], `${name} ${value}`)
  }
  const french = await app.send({
    ...{ as: 'administrator', method: 'POST', path: '//fr/cal/service/v1/subscriptions' },
    json: { ...good, url: 'http://club.example/' },
  })
  assert.match(french.body.errors.url, /adresse complète.*https, webcal/)
  const missing = await Promise.all([
    ask('PATCH', '/nothing', { paused: true }),
    ask('DELETE', '/nothing'),
    ask('POST', '/nothing/fetch', {}),
    ask('PATCH', '/_', { paused: true }),
  ])
  assert.deepEqual(
    missing.map(({ status }) => status),
    [404, 404, 404, 404],
  )
  assert.deepEqual([(await ask('GET')).body, site.asked], [[], 0])
})

test('an address within a private network is told as a failure, and not asked', async (t) => {
  const { fetchDocument } = await import('../../base/outbound/outbound.ts')
  const app = await startTestApp(t, {}, { fetchDocument })
  const hosts = ['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254', 'localhost', '8.8.8.8:22']
  for (const host of hosts) {
    const json = { source: 'inside', url: `https://${host}/a.ics` }
    await app.send({ as: 'administrator', method: 'POST', path: base, json })
    const path = `${base}/inside/fetch?dry_run=true`
    const { status, body } = await app.send({ as: 'administrator', method: 'POST', path })
    assert.deepEqual([status, body.result], [200, 'failed'], host)
    assert.match(body.failure, /^(?:address|unreachable)$/, host)
  }
})

test('a source of another user is refused for an author who may not use it, and the log has every change', async (t) => {
  const { app, ask } = await start(t)
  const json = { title: 'Own', start_date: '2030-03-01 10:00', end_date: '2030-03-01 11:00' }
  await app.send({ as: 'editor', method: 'PUT', path: '//cal/service/v1/sources/taken/events/1', json })

  const refused = await ask('POST', '', { source: 'taken', url: secretUrl, author: 3 })
  assert.deepEqual([refused.status, refused.body.code], [403, 'source-of-another-user'])

  await ask('POST', '', { source: 'club', url: secretUrl })
  await ask('PATCH', '/club', { paused: true })
  await ask('DELETE', '/club')
  const { body, text } = await app.send({ as: 'administrator', path: '//cal/service/v1/audit?kind=user&per_page=3' })
  const told = body.entries.map(({ action, item_id, changes: { subscription } }: never) => [
    ...[action, item_id, (subscription as { before: { paused: boolean } | null }).before?.paused],
    (subscription as { after: { paused: boolean } | null }).after?.paused,
  ])
  assert.deepEqual(told, [
    ['update', 5, true, undefined],
    ['update', 5, false, true],
    ['update', 5, undefined, false],
  ])
  assert.ok(!/s3cret|0123456789/.test(text))
})
