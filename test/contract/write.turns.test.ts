import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.ts'
import { isOnPglite } from '../support/database.ts'
import { plainEvent } from '../support/given.ts'
import { givenBrowser, service } from '../support/signing.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))
// The writes of requests wait only after their reads, which PGlite answers on the one connection that writes.
const skip = isOnPglite() ? 'PGlite has one connection' : false

/** A write that is in progress until `end` is called. */
async function holdWrites({ deps: { storage } }: TestApp): Promise<{ end(): Promise<void> }> {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const done = storage.write(async () => {
    begun.resolve()
    await held.promise
  })
  await begun.promise
  return {
    end: () => {
      held.resolve()
      return done
    },
  }
}

/** Sends requests one after the other. Each waits for its turn to write before the next is sent. */
async function sendInOrder(
  { deps: { storage } }: TestApp,
  requests: readonly (() => Promise<TestAnswer>)[],
): Promise<readonly Promise<TestAnswer>[]> {
  const answers: Promise<TestAnswer>[] = []
  for (const request of requests) {
    const before = storage.waitingWrites()
    let isAnswered = false
    const answer = request().finally(() => {
      isAnswered = true
    })
    answers.push(answer)
    while (!isAnswered && storage.waitingWrites() === before) await turn()
  }
  return answers
}

/** Who wrote what, in the order of the writes. Keys and sessions belong to users. */
async function writesIn(app: TestApp): Promise<readonly string[]> {
  const { body } = await app.send({ as: 'administrator', path: service('/audit?per_page=100') })
  return body.entries
    .map(({ actor, kind }: { actor: { name: string | null }; kind: string }) => `${actor.name} ${kind}`)
    .toReversed()
}

const tag =
  (app: TestApp, as: 'editor' | 'administrator', name: string): (() => Promise<TestAnswer>) =>
  () =>
    app.send({ as, method: 'POST', path: '/tags', json: { name } })

test('users take turns to write, and whoever takes a right away passes all of them', { skip }, async (t) => {
  const app = await startTestApp(t)
  const key = await app.send({ as: 'author', method: 'POST', path: service('/users/me/keys'), json: { label: 'lost' } })
  const browser = await givenBrowser(app, 'author')
  const before = (await writesIn(app)).length
  const { end } = await holdWrites(app)

  const answers = await sendInOrder(app, [
    ...['a', 'b', 'c', 'd'].map((name) => tag(app, 'editor', name)),
    () => app.send({ as: 'author', method: 'POST', path: '/events', json: plainEvent }),
    tag(app, 'administrator', 'e'),
    () => app.send({ as: 'author', method: 'DELETE', path: service(`/users/me/keys/${key.body.id}`) }),
    () => app.send({ method: 'DELETE', path: service('/session'), headers: browser.headers }),
  ])
  await end()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)

  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 201, 200, 204])
  const writes = (await writesIn(app)).slice(before)
  assert.deepEqual(writes, [
    ...['author user', 'author user'],
    ...['editor tag', 'author event', 'administrator tag'],
    ...['editor tag', 'editor tag', 'editor tag'],
  ])
})

test('a flood of batches of one user holds up others for one batch each time', { skip }, async (t) => {
  const app = await startTestApp(t)
  const key = await app.send({ as: 'author', method: 'POST', path: service('/users/me/keys'), json: { label: 'lost' } })
  const done: string[] = []
  const noted = (name: string, answer: Promise<TestAnswer>) =>
    answer.then(({ status }) => {
      done.push(name)
      return status
    })
  const series = { ...plainEvent, recurrence: { rrule: 'FREQ=DAILY;COUNT=400' } }
  const operations = [1, 2].map((n) => ({ method: 'POST', path: '/events', body: { ...series, title: `S${n}` } }))
  const batch = () => app.send({ as: 'editor', method: 'POST', path: service('/batch'), json: { operations } })
  const path = service(`/users/me/keys/${key.body.id}`)
  const begun = await holdWrites(app)
  const batches = await sendInOrder(app, Array(6).fill(batch))
  const statuses = batches.map((answer) => noted('batch', answer))
  await begun.end()
  while (done.length === 0) await turn()

  const write = noted('write', app.send({ as: 'author', method: 'POST', path: '/events', json: plainEvent }))
  const revocation = noted('revocation', app.send({ as: 'author', method: 'DELETE', path }))

  assert.deepEqual(await Promise.all([write, revocation, ...statuses]), [201, 200, 200, 200, 200, 200, 200, 200])
  // Some batches may pass while the two are received.
  assert.ok(done.indexOf('write') < 4 && done.indexOf('revocation') < 4, done.join(', '))
})

test('one user never has all the room of the writes that wait', { skip }, async (t) => {
  const app = await startTestApp(t, { MAX_IN_FLIGHT: '12' })
  const key = await app.send({ as: 'editor', method: 'POST', path: service('/users/me/keys'), json: { label: 'lost' } })
  const { end } = await holdWrites(app)
  const answers = await sendInOrder(
    app,
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => tag(app, 'editor', name)),
  )
  const revoked = () => app.send({ as: 'editor', method: 'DELETE', path: service(`/users/me/keys/${key.body.id}`) })
  const others = await sendInOrder(app, [tag(app, 'administrator', 'h'), revoked])
  // The service itself has no requests that need room.
  const own = Promise.all(Array.from({ length: 20 }, () => app.deps.storage.writeWithoutRevision(async () => {})))
  await end()

  await own
  const all = await Promise.all([...answers, ...others])
  assert.deepEqual(
    all.map(({ status }) => status),
    [201, 201, 201, 201, 201, 201, 503, 201, 200],
  )
  assert.equal(all[6]?.headers['retry-after'], '5')
})
