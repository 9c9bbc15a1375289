import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { isLong } from '../../../test/support/long.ts'
import { fetchDocument } from '../../base/outbound/outbound.ts'
import { runJob } from '../../operate/jobs/job.runner.ts'
import { jobs } from '../../operate/jobs/jobs.ts'

/** Titles by UID. */
type Calendar = ReadonlyMap<string, string>

function textOf(calendar: Calendar): string {
  const events = [...calendar].map(([uid, title]) => {
    const day = String(1 + (Number(/\d+$/.exec(uid)?.[0]) % 28)).padStart(2, '0')
    return ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${title}`, `DTSTART:203003${day}T190000Z`, 'END:VEVENT', ''].join(
      '\r\n',
    )
  })
  return `BEGIN:VCALENDAR\r\n${events.join('')}END:VCALENDAR\r\n`
}

type Answer = (response: ServerResponse, calendar: Calendar, path: string) => unknown

/** The ways in which a site fails, and what people read of it. */
const ways: Readonly<Record<string, readonly [told: string, answer: Answer]>> = {
  missing: ['status 404', (response) => response.writeHead(404).end()],
  gone: ['status 410', (response) => response.writeHead(410).end()],
  broken: ['status 500', (response) => response.writeHead(500).end('Fatal error')],
  slow: ['too-slow', (response) => response.write('BEGIN:VCALENDAR\r\n')],
  loop: ['redirects', (response, _, path) => response.writeHead(302, { location: path }).end()],
  large: ['too-large', (response) => response.writeHead(200, { 'content-length': 11 * 1024 * 1024 }).write('BEGIN:')],
  page: ['no-calendar', (response) => response.end('<!DOCTYPE html><title>Sign in</title>')],
  empty: ['fewer', (response) => response.end(textOf(new Map()))],
  half: ['no-calendar', (response, calendar) => response.end(textOf(calendar).slice(0, textOf(calendar).length / 2))],
  encoded: [
    'answer',
    (response, calendar) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(textOf(calendar))),
  ],
}

async function startSites(t: TestContext) {
  const calendars = new Map<string, Calendar>()
  const failing = new Map<string, keyof typeof ways>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    const [, name = ''] = url.split('/')
    const calendar = calendars.get(name) ?? assert.fail(url)
    if (asked.at(-1) !== name) asked.push(name)
    const way = ways[failing.get(name) ?? '']
    if (way) return way[1](response, calendar, url)
    const etag = `"${[...calendar].join()}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
    return response.writeHead(200, { etag }).end(textOf(calendar))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const app = await startTestApp(
    t,
    {},
    {
      // Sites have names, and are on this machine.
      fetchDocument: async (url, options) => {
        const name = new URL(url).hostname.split('.')[0] as string
        return fetchDocument(`http://127.0.0.1:${port}/${name}/basic.ics`, {
          ...{ ...options, isAllowedAddress: () => true, isAllowedPort: () => true },
          ...(failing.get(name) === 'slow' && { timeoutMs: 100 }),
        })
      },
    },
  )
  return { app, calendars, failing, asked }
}

async function shownIn(app: TestApp): Promise<readonly string[]> {
  const titles: string[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const path = `/events?start_date=2030-03-01&end_date=2030-04-01&per_page=50&page=${page}`
    const { body } = await app.send({ path })
    pages = body.total_pages
    for (const { title } of body.events) titles.push(title)
  }
  return titles.sort()
}

test('a week of calendars, one in ten failing in ten ways: nothing is doubled, lost, wrongly removed or kept waiting', async (t) => {
  const { app, calendars, failing, asked } = await startSites(t)
  const base = '//cal/service/v1/subscriptions'
  const send = (method: 'GET' | 'POST', path = '', json?: object) =>
    app.send({ as: 'administrator', method, path: `${base}${path}`, ...(json && { json }) })
  const [sound, ofWay, days] = isLong ? [180, 2, 7] : [5, 1, 3]
  const names = Array.from({ length: sound }, (_, place) => `site${place}`)
  const ill = Object.keys(ways).flatMap((way) =>
    Array.from({ length: ofWay }, (_, place) => [`${way}${place}`, way] as const),
  )
  for (const name of [...names, ...ill.map(([one]) => one)]) {
    calendars.set(name, new Map([0, 1, 2, 3, 4].map((number) => [`${name}-${number}`, `${name} ${number}`])))
    const url = `https://${name}.example/basic.ics`
    const { status, text } = await send('POST', '', { source: name, url, every_minutes: 1440, missing: 'trash' })
    assert.equal(status, 201, text)
  }
  const runDay = async () => {
    asked.length = 0
    const job = jobs.find(({ name }) => name === 'fetch-calendars') ?? assert.fail()
    await runJob(app.deps, job, { holder: 'test' })
    app.pass(86_400 + 60)
  }
  /** What a site had a day ago and has no longer is waited for once. */
  const shown = new Map(calendars)
  const titles = () => [...shown.values()].flatMap((calendar) => [...calendar.values()]).sort()

  await runDay()
  assert.deepEqual(await shownIn(app), titles())
  for (const [name, way] of ill) failing.set(name, way)
  const absent = new Map<string, string>()
  for (let day = 1; day <= days; day += 1) {
    for (const [place, name] of names.entries()) {
      const before = calendars.get(name) as Calendar
      const after = new Map(before)
      // What was away for one day is back.
      const back = absent.get(name)
      if (back !== undefined) after.set(back, `${name} ${back.slice(name.length + 1)}`)
      absent.delete(name)
      if ((place + day) % 4 === 0) {
        const [first, second] = [...before.keys()] as [string, string]
        after.delete(first)
        after.set(second, `${name} new title of day ${day}`)
        after.set(`${name}-${10 + day}`, `${name} ${10 + day}`)
      } else if ((place + day) % 4 === 1) {
        const last = `${name}-4`
        if (after.get(last) === `${name} 4`) {
          after.delete(last)
          absent.set(name, last)
        }
      }
      calendars.set(name, after)
      shown.set(name, new Map([...before, ...after]))
    }
    await runDay()
    assert.deepEqual(await shownIn(app), titles(), `day ${day}`)
    assert.deepEqual(asked.toSorted(), [...calendars.keys()].sort(), `day ${day}`)
    // From the second day on, nobody waits for a site that fails.
    if (day > 1)
      assert.ok(
        names.every((name) => asked.indexOf(name) < sound),
        `day ${day}: ${asked}`,
      )
  }
  const told = new Map((await send('GET')).body.map((one: { source: string }) => [one.source, one]))
  const failures = [...calendars.keys()].map((name) => (told.get(name) as { failure: string | null }).failure)
  assert.deepEqual(failures, [...names.map(() => null), ...ill.map(([, way]) => ways[way]?.[0])])

  failing.clear()
  for (const [name, calendar] of calendars) shown.set(name, calendar)
  await runDay()
  await runDay()
  assert.deepEqual(await shownIn(app), titles())
  assert.ok((await send('GET')).body.every(({ failure }: { failure: string | null }) => failure === null))
})

test('a calendar that gives new ids to the same events doubles nothing, and one with other events is accepted by a person', async (t) => {
  const { app, calendars } = await startSites(t)
  const path = '//cal/service/v1/subscriptions'
  const named = (round: number) => new Map([0, 1, 2, 3].map((number) => [`${round}-${number}`, `Yoga ${number}`]))
  for (const missing of ['keep', 'trash'] as const) {
    const fetchNow = async (accept = false) => {
      app.pass(60)
      return (
        await app.send({ as: 'administrator', method: 'POST', path: `${path}/${missing}/fetch`, json: { accept } })
      ).body
    }
    const ofSource = async () => (await shownIn(app)).length
    const before = await ofSource()
    const json = { source: missing, url: `https://${missing}.example/basic.ics`, missing }
    calendars.set(missing, named(1))
    await app.send({ as: 'administrator', method: 'POST', path, json })
    assert.equal((await fetchNow()).result, 'imported')
    calendars.set(missing, named(2))
    assert.equal((await fetchNow()).failure, 'fewer')
    assert.equal(await ofSource(), before + 4)
    // What a calendar no longer has goes, and nothing comes for it.
    calendars.set(missing, new Map([...named(1)].slice(0, 1)))
    assert.equal((await fetchNow()).failure, missing === 'keep' ? null : 'fewer')
    assert.equal((await fetchNow(true)).failure, null)
    assert.equal((await fetchNow()).failure, null)
  }
})
