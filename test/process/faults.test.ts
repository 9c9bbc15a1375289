import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { type Client, openClient } from '../support/client.ts'
import { plainEvent } from '../support/given.ts'
import { pause } from '../support/pause.ts'
import { form, picture } from '../support/pictures.ts'
import { program } from '../support/program.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'

// Failures of a service on one file, each of them real. The service reports the problem, continues to read, and writes
// again once the problem is over, without a restart.

const run = promisify(execFile)
const options = { timeout: 120_000 }
/** A disk of its own, as large as a small calendar. */
const smallDisk = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c']

interface Site extends Served {
  readonly writer: Client
  /** The data directory, also under the path that only the service sees. */
  readonly data: string
  check(): Promise<{ readonly exitCode: number; readonly out: string }>
}

async function givenSite(t: TestContext, diskMegabytes?: number): Promise<Site> {
  const shell = await startShell(t)
  const folder = join(shell.folder, 'data')
  const mount = `mkdir -p '${folder}' && mount -t tmpfs -o size=${diskMegabytes}m none '${folder}' && exec "$0" "$@"`
  const launcher = diskMegabytes === undefined ? [] : [...smallDisk, mount]
  const environment = { ADMIN_PASSWORD: adminPassword, DATA_DIR: folder, LOG_LEVEL: 'error' }
  const served = await shell.serve([], environment, launcher)
  const data = `/proc/${served.child.pid}/root${folder}`
  const writer = openClient(served.api, adminAuthorization)
  t.after(() => writer.close())
  const inside = ['nsenter', '--user', '--mount', '--target', String(served.child.pid)]
  const check = () => shell.run(['check'], environment, { launcher: diskMegabytes === undefined ? [] : inside })
  return { ...served, writer, data, check }
}

const create = ({ writer }: Site, title = 'Concert') => writer.send('POST', '/events', { ...plainEvent, title })

async function upload({ api }: Site) {
  const { payload, headers } = form(await picture(1600, 1200))
  const media = `${new URL(api).origin}/cal/service/v1/media`
  const sent = { ...headers, authorization: adminAuthorization }
  return fetch(media, { method: 'POST', headers: sent, body: new Uint8Array(payload) })
}

let asked = 0
/** A read that no cache can answer. */
async function readsNew({ writer }: Site): Promise<number> {
  asked += 1
  return (await writer.send('GET', `/events?per_page=${1 + (asked % 50)}&start_date=20${10 + (asked % 80)}-01-01`))
    .status
}

/** Writes until it is refused, and returns the ids of the acknowledged writes. */
async function createUntilRefused(site: Site) {
  const ids: number[] = []
  for (;;) {
    const { status, body } = await create(site, 'A long title of an event '.repeat(8))
    if (status !== 201) return { ids, status, body }
    ids.push(body.id)
  }
}

async function assertWhole(site: Site, ids: readonly number[]): Promise<void> {
  assert.equal((await create(site)).status, 201)
  for (const id of ids) assert.equal((await site.writer.send('GET', `/events/${id}`)).status, 200)
  const { exitCode, out } = await site.check()
  assert.equal(exitCode, 0, out)
}

test('a full disk refuses writes with 503, not reads, and once there is room all goes on', options, async (t) => {
  const site = await givenSite(t, 8)
  await create(site)
  const filler = join(site.data, 'filler')
  assert.throws(() => {
    for (;;) appendFileSync(filler, Buffer.alloc(64 * 1024))
  }, /ENOSPC/)

  const { ids, status, body } = await createUntilRefused(site)

  assert.deepEqual([status, body.code], [503, 'service_unavailable'])
  for (let time = 0; time < 5; time += 1) assert.equal(await readsNew(site), 200)
  assert.equal((await upload(site)).status, 503)
  rmSync(filler)
  assert.equal((await upload(site)).status, 201)
  await assertWhole(site, ids)
})

test('a file that cannot be written any more refuses writes with 503, not reads, until it can', options, async (t) => {
  const site = await givenSite(t)
  await create(site)
  const limit = (bytes: string) => run('prlimit', ['--pid', String(site.child.pid), `--fsize=${bytes}:unlimited`])
  await limit('0')

  const { ids, status, body } = await createUntilRefused(site)

  assert.deepEqual([status, body.code], [503, 'service_unavailable'])
  for (let time = 0; time < 5; time += 1) assert.equal(await readsNew(site), 200)
  await limit('unlimited')
  await assertWhole(site, ids)
})

test(
  'a database that somebody else holds refuses writes in the end, and reads are answered meanwhile',
  options,
  async (t) => {
    const site = await givenSite(t)
    const { body: event } = await create(site)
    const other = new Database(join(site.data, 'calendar.sqlite'))
    other.exec('begin immediate')
    const reader = openClient(site.api, '')
    t.after(() => reader.close())
    let isOver = false

    const writing = create(site).finally(() => {
      isOver = true
    })
    let reads = 0
    while (!isOver) {
      reads += 1
      const { status } = await reader.send('GET', `/events?start_date=2030-01-01&per_page=${1 + (reads % 50)}`)
      assert.equal(status, 200)
    }
    const { status } = await writing

    assert.equal(status, 503)
    assert.ok(reads > 10)
    other.exec('rollback')
    other.close()
    await assertWhole(site, [event.id])
  },
)

test(
  'without file handles no one new is let in, those who are in are served, and later all are',
  options,
  async (t) => {
    const site = await givenSite(t)
    const { pid } = site.child
    await create(site)
    const open = new Set(readdirSync(`/proc/${pid}/fd`))
    let free = 0
    while (open.has(String(free))) free += 1
    // No handle at all, not even one in a gap between others.
    await run('prlimit', ['--pid', String(pid), `--nofile=${free}:`])
    const { hostname, port } = new URL(site.api)
    const refused = connect(Number(port), hostname)
    const isRefused = new Promise((resolve) => refused.once('close', resolve).once('error', resolve))
    refused.resume().end('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await isRefused

    assert.deepEqual([(await create(site)).status, await readsNew(site)], [201, 200])
    await run('prlimit', ['--pid', String(pid), '--nofile=4096:'])
    assert.equal((await fetch(`${site.api}/events`)).status, 200)
    await assertWhole(site, [])
  },
)

test(
  'a data folder that can only be read is told as such, and ends the start with its exit code',
  options,
  async (t) => {
    const shell = await startShell(t)
    const folder = join(shell.folder, 'data')
    const mount = `mkdir -p '${folder}' && mount -t tmpfs -o ro none '${folder}' && exec "$0" "$@"`

    const { exitCode, err } = await shell.run(['serve'], { DATA_DIR: folder }, { launcher: [...smallDisk, mount] })

    assert.equal(exitCode, 69, err)
    assert.match(err, /cannot be used: .*(read-?only|unable to open)/i)
    assert.doesNotMatch(err, /\n\s+at /)
  },
)

test('a log that cannot be written any more costs its lines, not the service', options, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-log-'))
  const log = join(folder, 'log')
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env: { PATH: process.env.PATH, ADMIN_PASSWORD: adminPassword, DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', openSync(log, 'a'), 'inherit'],
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  })
  let api: string | undefined
  while (api === undefined) {
    assert.equal(child.exitCode, null)
    await pause()
    api = /^API +(\S+)\/$/m.exec(readFileSync(log, 'utf8'))?.[1]
  }
  const writer = openClient(api, adminAuthorization)
  t.after(() => writer.close())
  await run('prlimit', ['--pid', String(child.pid), '--fsize=0:unlimited'])

  // The log contains the error, or would contain it.
  const { status } = await writer.send('POST', '/events', plainEvent)
  await run('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited'])

  assert.equal(status, 503)
  assert.equal((await writer.send('POST', '/events', plainEvent)).status, 201)
})
