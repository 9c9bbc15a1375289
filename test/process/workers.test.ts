import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, openClient } from '../support/client.ts'
import { plainEvent } from '../support/given.ts'
import { pause } from '../support/pause.ts'
import { clients, givenSite, workers, workersOf } from '../support/workers.ts'

const options = { timeout: 120_000 }

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
