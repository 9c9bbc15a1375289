import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent } from '../../../test/support/given.ts'

const run = promisify(execFile)

const isInstalled = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
const missing = ['vdirsyncer', 'khal'].filter((program) => !isInstalled(program))

/** A calendar program that has subscribed to a feed. */
interface Subscriber {
  /** Loads the feed again and returns the events from January to March, a line each. */
  look(): Promise<readonly string[]>
}

async function subscribe(t: TestContext, url: string): Promise<Subscriber> {
  const home = await mkdtemp(join(tmpdir(), 'cal-events-subscriber-'))
  t.after(() => rm(home, { recursive: true }))
  const calendars = join(home, 'calendars')
  await mkdir(calendars)
  await writeFile(
    join(home, 'vdirsyncer.conf'),
    `[general]
status_path = "${join(home, 'status')}"
[pair feed]
a = "remote"
b = "local"
collections = null
conflict_resolution = "a wins"
[storage remote]
type = "http"
url = "${url}"
[storage local]
type = "filesystem"
path = "${calendars}"
fileext = ".ics"
`,
  )
  await writeFile(
    join(home, 'khal.conf'),
    `[calendars]
[[feed]]
path = ${calendars}
readonly = True
[sqlite]
path = ${join(home, 'khal.db')}
[locale]
local_timezone = America/Toronto
default_timezone = America/Toronto
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
`,
  )
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, LC_ALL: 'C.UTF-8' }
  const sync = (command: string) =>
    run('vdirsyncer', ['--config', join(home, 'vdirsyncer.conf'), command, 'feed'], { env })
  await sync('discover')
  return {
    look: async () => {
      await sync('sync')
      const asked = ['--format', '{start-long} {title}', '--day-format', '', '2030-01-01', '2030-03-31']
      const { stdout } = await run('khal', ['-c', join(home, 'khal.conf'), 'list', ...asked], { env })
      return stdout.split('\n').filter((line) => line.trim() !== '')
    },
  }
}

async function listening(app: TestApp): Promise<string> {
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}`
}

test('a calendar program that has subscribed shows moved, canceled and removed dates of a series', {
  skip: missing.length > 0 && `${missing.join(' and ')} are not installed`,
}, async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  const times = { start_date: '2030-01-18 19:00:00', end_date: '2030-01-18 20:30:00', timezone: 'America/Toronto' }
  const { series } = await givenEvent(app, { title: 'Yoga', ...times, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=9' } })
  const subscriber = await subscribe(t, `${await listening(app)}/cal/events/v1/events.ics`)

  const before = await subscriber.look()
  const { body } = await app.send({ path: `/events?series=${series.id}&per_page=50` })
  const [, moved, canceled, removed] = body.events.map(({ id }: { readonly id: number }) => `/events/${id}`)
  await changed(app, moved, { start_date: '2030-01-26 10:00:00', end_date: '2030-01-26 11:30:00' })
  await changed(app, canceled, { event_status: 'canceled' })
  await app.send({ method: 'DELETE', path: removed, as: 'administrator' })
  const after = await subscriber.look()

  const days = ['01-18', '01-25', '02-01', '02-08', '02-15', '02-22', '03-01', '03-08', '03-15']
  assert.deepEqual(
    before,
    days.map((day) => `2030-${day} 19:00 Yoga`),
  )
  assert.deepEqual(after, [
    '2030-01-18 19:00 Yoga',
    '2030-01-26 10:00 Yoga',
    '2030-02-01 19:00 Canceled: Yoga',
    ...days.slice(4).map((day) => `2030-${day} 19:00 Yoga`),
  ])
})
