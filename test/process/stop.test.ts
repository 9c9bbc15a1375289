import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type ClientRequest, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { givenDatabaseUrl } from '../support/database.ts'
import { plainEvent } from '../support/given.ts'
import { pause } from '../support/pause.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'
import { isListening } from '../support/socket.ts'

const options = { timeout: 60_000 }

interface Site extends Served {
  /** Its root, without a final slash. */
  readonly origin: string
  /** Exit code and signal of the process. */
  readonly ended: Promise<readonly unknown[]>
}

/** A service as an operator starts it, on an empty database. */
async function givenSite(t: TestContext, environment = {}, args: readonly string[] = []): Promise<Site | undefined> {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) {
    t.skip('PGlite serves no process but this one.')
    return undefined
  }
  const shell = await startShell(t)
  const served = await shell.serve(args, { DATABASE_URL: url, ADMIN_PASSWORD: adminPassword, ...environment })
  return { ...served, origin: new URL(served.api).origin, ended: once(served.child, 'close') }
}

/** A write whose body the service waits for. */
async function begunWrite(t: TestContext, { api }: Site): Promise<ClientRequest> {
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const sending = request(`${api}/events`, {
    agent,
    method: 'POST',
    headers: { authorization: adminAuthorization, 'content-type': 'application/json', expect: '100-continue' },
  })
  sending.flushHeaders()
  await once(sending, 'continue')
  return sending
}

/** Status of an answer on a connection of its own. */
async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { connection: 'close' } })
  await answer.body?.cancel()
  return answer.status
}

test('a request in flight is answered whole, one after it is refused, and all ends well', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const sending = await begunWrite(t, site)

  site.child.kill('SIGTERM')
  while (await isListening(site.origin)) await pause()
  sending.end(JSON.stringify(plainEvent))
  const [answer] = await once(sending, 'response')
  const event = JSON.parse(Buffer.concat(await answer.toArray()).toString())

  assert.deepEqual([answer.statusCode, event.title], [201, plainEvent.title])
  assert.deepEqual(await site.ended, [0, null])
  assert.equal(site.errors(), '')
})

test(
  'a process that is to end takes connections for a while, in which it is alive and not ready',
  options,
  async (t) => {
    const site = await givenSite(t, { SHUTDOWN_DELAY: '2' })
    if (!site) return
    const before = await statusOf(`${site.origin}/health/ready`)

    site.child.kill('SIGINT')
    while ((await statusOf(`${site.origin}/health/ready`)) === 200) await pause()
    const during = [
      await statusOf(`${site.origin}/health/ready`),
      await statusOf(`${site.origin}/health/live`),
      await statusOf(`${site.api}/events`),
    ]

    assert.equal(before, 200)
    assert.deepEqual(during, [503, 200, 200])
    assert.deepEqual(await site.ended, [0, null])
  },
)

test('a client that waits for changes is answered at once, and all ends well', options, async (t) => {
  const site = await givenSite(t)
  if (!site) return
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const get = async (url: string) => {
    const asking = request(url, { agent }).end()
    const [answer] = await once(asking, 'response')
    return JSON.parse(Buffer.concat(await answer.toArray()).toString())
  }
  const { next } = await get(`${site.origin}/cal/service/v1/changes`)
  // The service has its connection already.
  const asked = get(`${next}&wait=30`)

  site.child.kill('SIGTERM')

  assert.deepEqual((await asked).items, [])
  assert.deepEqual(await site.ended, [0, null])
  assert.equal(site.errors(), '')
})

for (const args of [[], ['--workers', '2']]) {
  test(`what takes too long is cut, and the exit code says so ${args.join(' ')}`, options, async (t) => {
    const site = await givenSite(t, { SHUTDOWN_TIMEOUT: '1' }, args)
    if (!site) return
    const sending = await begunWrite(t, site)
    const broken = once(sending, 'error')

    site.child.kill('SIGTERM')

    await broken
    assert.deepEqual(await site.ended, [75, null])
    assert.equal(site.errors(), 'Requests that took longer than SHUTDOWN_TIMEOUT (1 s) were cut off.\n')
  })

  test(`a second signal ends the service at once ${args.join(' ')}`, options, async (t) => {
    const site = await givenSite(t, {}, args)
    if (!site) return
    const sending = await begunWrite(t, site)
    const broken = once(sending, 'error')

    site.child.kill('SIGTERM')
    while (await isListening(site.origin)) await pause()
    site.child.kill('SIGTERM')

    await broken
    assert.deepEqual(await site.ended, [null, 'SIGTERM'])
  })
}
