import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { findUserByLogin } from '../../access/auth/user.repository.ts'
import type { FetchDocument } from '../../base/outbound/outbound.ts'
import { runJob } from '../../operate/jobs/job.runner.ts'
import { jobs } from '../../operate/jobs/jobs.ts'
import { listSubscriptions, saveSubscription } from './subscription.repository.ts'
import { fetchSubscription } from './subscription.service.ts'
import type { Subscription } from './subscription.ts'

/** The calendars of others: the titles of their events by id, or a failure. */
type Sites = Map<string, readonly string[] | (() => { status: number; text: string })>

const event = (uid: string, day: number) =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${uid}\r\nDTSTART:203002${String(day).padStart(2, '0')}T190000Z\r\nEND:VEVENT\r\n`
const calendar = (uids: readonly string[]) =>
  `BEGIN:VCALENDAR\r\n${uids.map((uid, place) => event(uid, 1 + place)).join('')}END:VCALENDAR\r\n`

async function start(t: TestContext) {
  const sites: Sites = new Map()
  const fetchDocument: FetchDocument = async (url, { headers }) => {
    const site = sites.get(url)
    if (typeof site === 'function') {
      const { status, text } = site()
      return { status, body: Buffer.from(text), headers: {} }
    }
    const text = calendar(site ?? [])
    const etag = `"${text.length}-${site?.join()}"`
    const isSame = headers['if-none-match'] === etag
    return { status: isSame ? 304 : 200, body: Buffer.from(isSame ? '' : text), headers: { etag } }
  }
  const log: string[] = []
  const stream = { write: (line: string) => void log.push(line) }
  const app = await startTestApp(t, { LOG_LEVEL: 'warn' }, { fetchDocument, told: { stream } })
  const { id: userId } = (await findUserByLogin(app.deps.storage.db, 'editor')) ?? assert.fail()
  const subscribe = (source: string, own: Partial<Subscription> = {}) =>
    app.deps.storage.writeWithoutRevision((tx) =>
      saveSubscription(tx, {
        ...{ source, url: `https://${source}.example/cal.ics`, every: 1440, language: 'en', status: 'publish' },
        ...{ authority: 'keep', missing: 'trash', userId, isPaused: false, state: { nextAt: 0, found: 0 } },
        ...own,
      } as Subscription),
    )
  return { app, sites, subscribe, log }
}

async function runJobs(app: TestApp) {
  const job = jobs.find(({ name }) => name === 'fetch-calendars') ?? assert.fail()
  await runJob(app.deps, job, { holder: 'test' })
}

async function titlesOf(app: TestApp) {
  const { body } = await app.send({ path: '/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50' })
  assert.equal(body.total_pages <= 1, true)
  return body.events.map(({ title }: { readonly title: string }) => title).sort()
}

const stateOf = async (app: TestApp, source: string) =>
  (await listSubscriptions(app.deps.storage.db)).find((one) => one.source === source)?.state

test('an event that is missing once stays, and comes back; two times in a row, it is canceled or put in the trash', async (t) => {
  const { app, sites, subscribe } = await start(t)
  await subscribe('club')
  await subscribe('team', { missing: 'cancel' })
  await subscribe('kept', { missing: 'keep' })
  const set = (numbers: readonly number[]) => {
    for (const name of ['club', 'team', 'kept']) {
      sites.set(
        `https://${name}.example/cal.ics`,
        numbers.map((number) => `${name}-${number}`),
      )
    }
  }
  const round = async (numbers: readonly number[]) => {
    set(numbers)
    app.pass(25 * 3600)
    await runJobs(app)
    return titlesOf(app)
  }
  const all = ['club-1', 'club-2', 'kept-1', 'kept-2', 'team-1', 'team-2']

  assert.deepEqual(await round([1, 2]), all)
  assert.deepEqual(await round([1]), all)
  assert.deepEqual(await round([1, 2]), all)
  assert.deepEqual(await round([1]), all)
  assert.deepEqual(await round([1]), ['Canceled: team-2', 'club-1', 'kept-1', 'kept-2', 'team-1'])
  const { body } = await app.send({ path: '/events?start_date=2030-01-01&end_date=2031-01-01' })
  const canceled = body.events.filter((one: { event_status?: string }) => one.event_status === 'canceled')
  assert.deepEqual(
    canceled.map(({ title }: { title: string }) => title),
    ['Canceled: team-2'],
  )
  assert.deepEqual(await round([1, 2]), all)
})

test('what is set while a calendar is fetched stays, and is not mixed with the calendar of before', async (t) => {
  const { app, sites, subscribe } = await start(t)
  await subscribe('club')
  let set: Promise<void> | undefined
  sites.set('https://club.example/cal.ics', () => {
    set = subscribe('club', { url: 'https://new.example/cal.ics' })
    return { status: 200, text: calendar(['a', 'b', 'c']) }
  })
  await fetchSubscription(app.deps, 'club')
  await set
  assert.deepEqual(await stateOf(app, 'club'), { nextAt: 0, found: 0 })
})

test('what was edited here stays, unless the calendar has the authority; pauses, users and accepted changes count', async (t) => {
  const { app, sites, subscribe, log } = await start(t)
  await subscribe('club', { status: 'pending', category: 'Sports' })
  sites.set('https://club.example/cal.ics', ['a', 'b', 'c', 'd'])
  await runJobs(app)
  const { body } = await app.send({ as: 'editor', path: '/events?status=pending&per_page=50' })
  assert.deepEqual([body.total, body.events[0].categories[0].name], [4, 'Sports'])
  assert.equal(body.events[0].status, 'pending')

  sites.set('https://club.example/cal.ics', ['a'])
  const failed = await fetchSubscription(app.deps, 'club')
  assert.deepEqual(failed, { failure: 'fewer' })
  const accepted = await fetchSubscription(app.deps, 'club', true)
  assert.equal(accepted && 'report' in accepted && accepted.report.unchanged, 1)

  const [{ id }] = (await app.send({ as: 'editor', path: '/events?status=pending&search=a' })).body.events
  const edit = () => app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { title: 'Edited' } })
  const titleNow = async () => (await app.send({ as: 'editor', path: `/events/${id}` })).body.title
  await edit()
  sites.set('https://club.example/cal.ics', ['a', 'b'])
  await fetchSubscription(app.deps, 'club', true)
  assert.equal(await titleNow(), 'Edited')
  await subscribe('club', { authority: 'source' })
  await fetchSubscription(app.deps, 'club', true)
  assert.equal(await titleNow(), 'a')

  await subscribe('rest', { isPaused: true })
  await subscribe('lost', { userId: 999 as Subscription['userId'] })
  await runJobs(app)
  assert.deepEqual(
    [(await stateOf(app, 'rest'))?.fetchedAt, (await stateOf(app, 'lost'))?.failure],
    [undefined, 'user'],
  )
  assert.equal(await fetchSubscription(app.deps, 'nothing'), undefined)

  sites.set('https://club.example/cal.ics', () => {
    throw new Error('A defect.')
  })
  await assert.rejects(fetchSubscription(app.deps, 'club'), /A defect/)
  assert.equal((await stateOf(app, 'club'))?.failure, 'fault')
  sites.set('https://club.example/cal.ics', () => ({ status: 404, text: '' }))
  const before = log.length
  for (let time = 0; time < 3; time += 1) await fetchSubscription(app.deps, 'club')
  assert.deepEqual(
    log.slice(before).map((line) => JSON.parse(line).failure),
    ['status 404'],
  )
})

test('what an editor has published does not wait again, nor does a date of it that its calendar moves', async (t) => {
  const { app, sites, subscribe } = await start(t)
  const waiting = async () => (await app.send({ as: 'editor', path: '/events?status=pending&per_page=50' })).body.events
  const publish = async () => {
    for (const { id, series } of await waiting()) {
      const json = { status: 'publish', ...(series && { scope: 'all' }) }
      await app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json })
    }
  }
  await subscribe('club', { status: 'pending', authority: 'source' })
  sites.set('https://club.example/cal.ics', ['a', 'b'])
  await fetchSubscription(app.deps, 'club')
  await publish()
  assert.deepEqual(await titlesOf(app), ['a', 'b'])
  sites.set('https://club.example/cal.ics', ['a', 'b', 'c'])
  await fetchSubscription(app.deps, 'club')
  assert.deepEqual(await titlesOf(app), ['a', 'b'])
  assert.deepEqual(
    (await waiting()).map(({ title }: { readonly title: string }) => title),
    ['c'],
  )

  await subscribe('team', { status: 'pending' })
  const weekly = event('weekly', 1).replace('END', 'RRULE:FREQ=WEEKLY;COUNT=3\r\nEND')
  const moved = event('weekly', 9).replace('SUMMARY:weekly', 'SUMMARY:moved\r\nRECURRENCE-ID:20300208T190000Z')
  const send = async (...events: readonly string[]) => {
    const text = `BEGIN:VCALENDAR\r\n${events.join('')}END:VCALENDAR\r\n`
    sites.set('https://team.example/cal.ics', () => ({ status: 200, text }))
    await fetchSubscription(app.deps, 'team')
  }
  await send(weekly)
  await publish()
  assert.equal((await titlesOf(app)).length, 6)
  await send(weekly, moved)
  assert.deepEqual(await titlesOf(app), ['a', 'b', 'c', 'moved', 'weekly', 'weekly'])
})
