// How worker processes are watched. None of it depends on the database.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { openClient } from '../support/client.ts'
import { givenDatabaseUrl } from '../support/database.ts'
import { plainEvent } from '../support/given.ts'
import { pause } from '../support/pause.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'
import { startShell } from '../support/shell.ts'
import { isListening } from '../support/socket.ts'
import { clients, givenSite, isAnyRunning, workers, workersOf } from '../support/workers.ts'

const options = { timeout: 120_000 }

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
