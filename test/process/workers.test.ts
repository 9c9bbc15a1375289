import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../../src/base/config/config.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import type { Storage } from '../../src/storage/database/storage.ts'
import { type Client, openClient } from '../support/client.ts'
import { givenDatabaseUrl } from '../support/database.ts'
import { plainEvent } from '../support/given.ts'
import { pause } from '../support/pause.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'
import { isListening } from '../support/socket.ts'

const run = promisify(execFile)
const options = { timeout: 120_000 }
const workers = 2
/** Connections are distributed round-robin, so that every worker has several of them. */
const clients = 8

interface Site extends Served {
  /** Administrators, each with a persistent connection. */
  readonly writers: readonly Client[]
  readonly visitors: readonly Client[]
  /** The database as another process opens it. */
  readonly storage: Storage
  /** The working directory of the service. */
  readonly folder: string
  /** Starts the service on the same database as before. */
  serveAgain(): Promise<Served>
}

/** A service with workers as an operator starts it, on an empty database. */
async function givenSite(t: TestContext): Promise<Site | undefined> {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) {
    t.skip('PGlite serves one process only.')
    return undefined
  }
  const shell = await startShell(t)
  const environment = { DATABASE_URL: url, ADMIN_PASSWORD: adminPassword }
  const served = await shell.serve(['--workers', String(workers)], environment)
  const open = (authorization: string) => openClient(served.api, authorization)
  const storage = await openStorage(readConfig({ DATA_DIR: join(shell.folder, 'data'), DATABASE_URL: url }), {
    audited: auditedTables,
    derivations: derivationsFor(),
  })
  const writers = Array.from({ length: clients }, () => open(adminAuthorization))
  const visitors = Array.from({ length: clients }, () => open(''))
  t.after(async () => {
    await storage.close()
    for (const client of [...writers, ...visitors]) client.close()
  })
  return { ...served, storage, folder: shell.folder, writers, visitors, serveAgain: () => shell.serve([], environment) }
}

/** Ids of the processes that serve. */
async function workersOf({ pid }: ChildProcess): Promise<readonly number[]> {
  const { stdout } = await run('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.split('\n').filter(Boolean).map(Number)
}

async function isAnyRunning(pids: readonly number[]): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'pid=', '-p', pids.join()]).catch(() => ({ stdout: '' }))
  return stdout !== ''
}

test('what clients of any worker write, those of any other read at once, and none fails', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const rounds = 12
  const unexpected: string[] = []

  await Promise.all(
    site.writers.map(async (writer, name) => {
      const { body: event } = await writer.send('POST', '/events', plainEvent)
      const path = `/events/${event.id}`
      for (let round = 0; round < rounds; round += 1) {
        const title = `Concert ${name}, ${round}`
        const { status } = await writer.send('POST', path, { title })
        if (status !== 200) unexpected.push(`${title} is written with ${status}`)
        const readers = [site.writers, site.visitors].flatMap((all) =>
          [1, 2].map((step) => all[(name + step) % clients]),
        )
        const found = await Promise.all(readers.map((reader) => reader?.send('GET', path)))
        for (const answer of found) {
          if (answer?.body.title !== title) unexpected.push(`${title} is read as ${JSON.stringify(answer)}`)
        }
      }
    }),
  )

  assert.deepEqual(unexpected, [])
  assert.equal((await workersOf(site.child)).length, workers)
  assert.equal(site.errors(), '')
})

test('a worker that is killed is replaced, and nothing that was acknowledged is lost', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const [victim = 0] = await workersOf(site.child)
  const acknowledged: number[] = []
  const most = 120
  let isKilled = false

  await Promise.all(
    site.writers.map(async (writer) => {
      while (acknowledged.length < most) {
        // A client connected to a worker that dies gets no answer.
        const answer = await writer.send('POST', '/events', plainEvent).catch(() => undefined)
        if (!answer) continue
        assert.equal(answer.status, 201)
        acknowledged.push(answer.body.id)
        if (acknowledged.length < most / 3 || isKilled) continue
        isKilled = true
        process.kill(victim, 'SIGKILL')
      }
    }),
  )
  while ((await workersOf(site.child)).length < workers) await pause()

  const found = await Promise.all(
    acknowledged.map((id, index) => site.visitors[index % clients]?.send('GET', `/events/${id}`)),
  )
  const lost = acknowledged.filter((_id, index) => found[index]?.status !== 200)
  assert.deepEqual(lost, [])
  assert.ok(!(await workersOf(site.child)).includes(victim))
  assert.equal(site.errors(), `Worker ${victim} ended (SIGKILL) and is being replaced.\n`)
})

test('a client whose worker dies before it accepts the connection is not left waiting', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const [victim = 0] = await workersOf(site.child)

  // A stopped worker is given a connection, and does not accept it.
  process.kill(victim, 'SIGSTOP')
  const sent = site.visitors.map(async (visitor) => {
    try {
      return (await visitor?.send('GET', '/events'))?.status
    } catch (error) {
      return (error as Error).message
    }
  })
  await Promise.any(sent)
  process.kill(victim, 'SIGKILL')
  const answers = await Promise.all(sent)

  const ended = answers.filter((answer) => answer !== 200)
  assert.equal(ended.length, 1)
  assert.match(String(ended[0]), /socket hang up|ECONNRESET/)
  while ((await workersOf(site.child)).length < workers) await pause()
})

test('a request that is in flight when the service is told to end is answered first', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const { child, api } = site
  const closed = once(child, 'close')
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const sending = request(`${api}/events`, {
    agent,
    method: 'POST',
    headers: { authorization: adminAuthorization, 'content-type': 'application/json', expect: '100-continue' },
  })
  sending.flushHeaders()
  await once(sending, 'continue')

  child.kill('SIGTERM')
  while (await isListening(api)) await pause()
  sending.end(JSON.stringify(plainEvent))
  const [answer] = await once(sending, 'response')
  const { id } = JSON.parse(Buffer.concat(await answer.toArray()).toString())
  const [exitCode] = await closed

  assert.deepEqual([answer.statusCode, exitCode], [201, 0])
  assert.equal(site.errors(), '')
  const again = await site.serveAgain()
  assert.equal((await fetch(`${again.api}/events/${id}`)).status, 200)
})

test('an event appears at its time, and what one worker shows all others show at once', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const shown = async (visitor: Client) => (await visitor.send('GET', '/events?end_date=2031-01-01')).body.events.length
  const allShown = () => Promise.all(site.visitors.map(shown))
  await site.writers[0]?.send('POST', '/events', plainEvent)
  // A time less than a minute ahead counts as now.
  const soon = Math.floor(Date.now() / 1000) + 2
  const published = await allShown()
  await site.storage.write(async (tx) => {
    await tx.updateTable('records').set({ status: 'future', is_dated: 1, dated_at: soon }).execute()
  })
  const scheduled = await allShown()

  const [first, ...others] = site.visitors
  while (first && (await shown(first)) === 0) await pause()

  assert.deepEqual(published, Array(clients).fill(1))
  assert.deepEqual(scheduled, Array(clients).fill(0))
  assert.ok(Date.now() / 1000 >= soon)
  assert.deepEqual(await Promise.all(others.map(shown)), Array(clients - 1).fill(1))
  assert.equal(site.errors(), '')
})

test('all workers are replaced while clients read and write, and no request fails', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const before = await workersOf(site.child)
  const fleeting = () => openClient(site.api, '')
  const failures: string[] = []
  let answered = 0
  let isReplaced = false
  const ask = async (client: Client, method: 'GET' | 'POST', json?: object) => {
    const { status } = await client.send(method, '/events', json).catch((error) => ({ status: String(error) }))
    answered += 1
    if (status !== (method === 'GET' ? 200 : 201)) failures.push(`${method}: ${status}`)
  }

  const asking = [
    ...site.writers.slice(0, 2).map((writer) => () => ask(writer, 'POST', plainEvent)),
    ...site.visitors.slice(0, 4).map((visitor) => () => ask(visitor, 'GET')),
    // A client that opens a new connection for each request.
    async () => {
      const client = fleeting()
      await ask(client, 'GET')
      client.close()
    },
  ].map(async (askOnce) => {
    while (!isReplaced) await askOnce()
  })
  site.child.kill('SIGHUP')
  while (!site.output().includes('All workers were replaced.')) await pause()
  isReplaced = true
  await Promise.all(asking)

  const after = await workersOf(site.child)
  assert.deepEqual(failures, [])
  assert.ok(answered > 100, String(answered))
  assert.equal(after.length, workers)
  assert.deepEqual(
    after.filter((pid) => before.includes(pid)),
    [],
  )
  assert.equal(site.errors(), '')
})

test('where new workers cannot serve, those before them go on', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const before = await workersOf(site.child)
  await writeFile(join(site.folder, '.env'), 'PER_PAGE=none\n')

  site.child.kill('SIGHUP')
  while (!site.errors().includes('continue to serve')) await pause()

  assert.deepEqual(await workersOf(site.child), before)
  assert.match(site.errors(), /PER_PAGE is “none”/)
  assert.equal((await site.visitors[0]?.send('GET', '/events'))?.status, 200)
})

test('no worker is left when the process that has started them is killed', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const pids = await workersOf(site.child)

  site.child.kill('SIGKILL')

  assert.equal(pids.length, workers)
  while (await isAnyRunning(pids)) await pause()
})

test('workers that die again and again are given up on', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const closed = once(site.child, 'close')
  const killed = new Set<number>()

  while (killed.size < 10) {
    for (const pid of await workersOf(site.child)) {
      if (killed.size === 10 || killed.has(pid)) continue
      process.kill(pid, 'SIGKILL')
      killed.add(pid)
    }
  }
  const [exitCode] = await closed

  assert.equal(exitCode, 70)
  assert.equal(site.errors().match(/ and is being replaced\.$/gm)?.length, 9)
  assert.match(site.errors(), /^Worker \d+ ended \(SIGKILL\)\. Too many workers ended, so the service stops\.$/m)
})

test('what keeps workers from serving is told once and ends the service with its exit code', options, async (t) => {
  const { run } = await startShell(t)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const address = other.address()
  assert.ok(typeof address === 'object' && address)

  const { exitCode, err } = await run(['serve', '--workers', '3', '--port', String(address.port)])

  assert.equal(exitCode, 69)
  assert.equal(err.match(/the port is in use/g)?.length, 1)
})

test('whichever worker is asked for numbers tells those of all', options, async (t) => {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) {
    t.skip('PGlite serves one process only.')
    return
  }
  const shell = await startShell(t)
  const environment = { DATABASE_URL: url, ADMIN_PASSWORD: adminPassword, METRICS_FROM: 'private' }
  const { api } = await shell.serve(['--workers', String(workers)], environment)
  const visitors = Array.from({ length: clients }, () => openClient(api, ''))
  t.after(() => {
    for (const visitor of visitors) visitor.close()
  })
  for (const visitor of visitors) assert.equal((await visitor.send('GET', '/venues')).status, 200)
  const series = 'cal_events_http_requests_total{method="GET",route="/cal/events/v1/venues",status="200"}'

  for (let scrapes = 0; scrapes < 2 * workers; scrapes += 1) {
    const answer = await fetch(new URL('/metrics', api), { headers: { connection: 'close' } })
    const numbers = (await answer.text()).split('\n')
    assert.ok(numbers.includes(`${series} ${clients}`), numbers.filter((line) => line.startsWith('cal')).join('\n'))
    assert.ok(numbers.includes(`cal_events_processes ${workers}`))
  }
})
