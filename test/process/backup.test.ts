import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/base/config/config.ts'
import { StorageError } from '../../src/storage/database/storage.ts'
import { startTestApp } from '../support/app.ts'
import { backUp, restore } from '../support/backup.ts'
import { type Client, openClient } from '../support/client.ts'
import { givenDatabaseUrl } from '../support/database.ts'
import { form, picture } from '../support/pictures.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'
import { startShell } from '../support/shell.ts'
import { startStore } from '../support/stuck.store.ts'

const options = { timeout: 120_000 }
/** Addresses in answers do not depend on the port of a service. */
const PUBLIC_URL = 'http://localhost'

/** A shell with two databases, of which the first is served; undefined on PGlite. */
async function givenCalendar(t: TestContext) {
  const [here, there] = [await givenDatabaseUrl(t), await givenDatabaseUrl(t)]
  if (here === undefined || there === undefined) {
    t.skip('PGlite is in one process only.')
    return undefined
  }
  const shell = await startShell(t)
  const common = { ADMIN_PASSWORD: adminPassword, PUBLIC_URL, MAX_PER_PAGE: '1000' }
  /** Starts a service and returns its address. */
  const serve = async (environment: Readonly<Record<string, string>>) => {
    const served = await shell.serve([], environment)
    return { ...served, api: `${/^Listening on +(\S+)$/m.exec(served.out)?.[1]}/cal/events/v1` }
  }
  return {
    ...{ ...shell, serve },
    here: { ...common, DATABASE_URL: here, DATA_DIR: join(shell.folder, 'here') },
    there: { ...common, DATABASE_URL: there, DATA_DIR: join(shell.folder, 'there') },
  }
}

/** A client that creates events, every third with a picture of its own and some on three dates, until it is stopped. */
function startWriter(t: TestContext, api: string, name: string, shot: Buffer) {
  const client = openClient(api, adminAuthorization)
  t.after(() => client.close())
  const written: number[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let isStopped = false
  const write = async () => {
    for (let number = 0; !isStopped; number += 1) {
      const image = number % 3 === 0 ? { image: await uploaded(api, shot) } : {}
      const { status, body } = await client.send('POST', '/events', {
        ...{ title: `Concert ${name} ${number}`, start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' },
        ...{ venue: { venue: `Hall ${name} ${number}` }, categories: [`Kind ${number % 5}`], tags: [`Tag ${number}`] },
        ...image,
        ...(number % 5 === 1 ? { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } } : {}),
      })
      assert.equal(status, 201, JSON.stringify(body))
      written.push(body.id)
      for (const { count, resolve } of waiting) if (written.length >= count) resolve()
    }
  }
  const done = write()
  return {
    /** Waits until this number of events is acknowledged. */
    hasWritten: (count: number) =>
      Promise.race([done, new Promise<void>((resolve) => waiting.push({ count, resolve }))]),
    /** Ids of the acknowledged events so far. */
    written: (): readonly number[] => [...written],
    stop: async () => {
      isStopped = true
      await done
    },
  }
}

async function uploaded(api: string, shot: Buffer): Promise<number> {
  const { payload, headers } = form(shot)
  const answer = await fetch(`${new URL(api).origin}/cal/service/v1/media`, {
    method: 'POST',
    body: new Uint8Array(payload),
    headers: { ...headers, authorization: adminAuthorization },
  })
  assert.equal(answer.status, 201)
  return ((await answer.json()) as { readonly id: number }).id
}

/** The file behind a public address in an answer. */
async function fileAt(api: string, url: string): Promise<Buffer> {
  const answer = await fetch(url.replace(PUBLIC_URL, new URL(api).origin))
  assert.equal(answer.status, 200, url)
  return Buffer.from(await answer.arrayBuffer())
}

async function everyEvent(client: Client): Promise<ReadonlyMap<number, unknown>> {
  const { body } = await client.send('GET', '/events?per_page=1000&start_date=2030-01-01&end_date=2031-01-01')
  assert.equal(body.total_pages, 1)
  return new Map(body.events.map((event: { readonly id: number }) => [event.id, event]))
}

/** The event without the event counts of its terms, which grow while clients continue to write. */
function withoutCounts(event: unknown): unknown {
  return JSON.parse(JSON.stringify(event, (key, value) => (key === 'count' ? undefined : value)))
}

interface Counted {
  readonly name: string
  readonly count: number
}

/** A date of a series. */
interface Repeated {
  readonly id: number
  readonly title: string
  readonly series?: object
}

function categoriesOf(events: ReadonlyMap<number, unknown>): readonly Counted[] {
  return [...events.values()].flatMap((event) => (event as { readonly categories: readonly Counted[] }).categories)
}

test('what is backed up while clients write is restored elsewhere, whole', options, async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { run, serve, here, there } = calendar
  const source = await serve(here)
  const shot = await picture(400, 300)
  const writers = ['a', 'b', 'c'].map((name) => startWriter(t, source.api, name, shot))
  const acknowledged = () => writers.flatMap((writer) => writer.written())
  await Promise.all(writers.map((writer) => writer.hasWritten(7)))

  const before = acknowledged()
  const created = await run(['backup', 'create', 'backup', '--json'], here)
  const meanwhile = acknowledged().length - before.length
  await Promise.all(writers.map((writer) => writer.stop()))
  const restored = await run(['backup', 'restore', 'backup', '--json'], there)

  assert.equal(created.exitCode, 0, created.err)
  assert.equal(restored.exitCode, 0, restored.err)
  assert.ok(meanwhile > 0, 'nobody wrote while the backup was made')
  const { exitCode: soundness, out: findings } = await run(['check'], there)
  assert.equal(soundness, 0, findings)
  const again = await run(['backup', 'create', 'again', '--json'], there)
  // A restore ends the link with which the first administrator chooses a password.
  const [{ access_links: given, ...content }, { access_links: links, ...copiedContent }] = [created, again].map(
    ({ out }) => JSON.parse(out).tables,
  )
  assert.deepEqual([given.rows, links.rows], [1, 0])
  assert.deepEqual(copiedContent, content)
  const target = await serve(there)
  const [original, copy] = [source, target].map(({ api }) => openClient(api, adminAuthorization))
  assert.ok(original && copy)
  t.after(() => {
    original.close()
    copy.close()
  })
  const [all, copied] = [await everyEvent(original), await everyEvent(copy)]
  assert.deepEqual(
    before.filter((id) => !copied.has(id)),
    [],
  )
  for (const [id, event] of copied) assert.deepEqual(withoutCounts(event), withoutCounts(all.get(id)))
  for (const { name, count } of categoriesOf(copied)) {
    assert.equal(count, [...copied.values()].filter((event) => JSON.stringify(event).includes(`"${name}"`)).length)
  }
  const pictures = [...copied.values()].flatMap((event) => {
    const { image } = event as { readonly image: false | { readonly url: string; readonly sizes: object } }
    return image ? [image.url, ...Object.values(image.sizes).map((size: { readonly url: string }) => size.url)] : []
  })
  const repeated = [...copied.values()].find((event) => (event as Repeated).series !== undefined) as Repeated
  const whole = await copy.send('POST', `/events/${repeated.id}?scope=all`, { title: 'Concert everywhere' })
  assert.equal(whole.status, 200, JSON.stringify(whole.body))
  const renamed = [...(await everyEvent(copy)).values()].filter(
    (event) => (event as Repeated).title === 'Concert everywhere',
  )
  assert.equal(renamed.length, 3)
  assert.ok(pictures.length > 0)
  for (const url of new Set(pictures)) assert.deepEqual(await fileAt(target.api, url), await fileAt(source.api, url))
  assert.equal(source.errors(), '')
})

/** A store of pictures that lists no files, but never accepts one, so its writer hangs in the middle. */
async function givenStuckStore(t: TestContext) {
  const asked = Promise.withResolvers<void>()
  const environment = await startStore(t, (request, response) => {
    if (request.method === 'PUT') return asked.resolve()
    response.setHeader('Content-Type', 'application/xml')
    response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>')
  })
  return { isAsked: asked.promise, environment }
}

test('a database whose restore was killed is served by nobody until it is restored', options, async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { folder, run, start, there } = calendar
  const app = await startTestApp(t)
  await app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/media', ...form(await picture(200, 200)) })
  const file = join(folder, 'backup')
  const created = await backUp(app.deps.config, file)
  const stuck = await givenStuckStore(t)

  const restoring = start(['backup', 'restore', file], { ...there, ...stuck.environment })
  await stuck.isAsked
  restoring.kill('SIGKILL')
  await once(restoring, 'close')
  const served = await run(['serve', '--port', '0'], there)
  const place = readConfig(there)
  await assert.rejects(backUp(place, join(folder, 'empty')), StorageError)
  await restore(place, file)
  const again = await backUp(place, join(folder, 'again'))

  assert.equal(served.exitCode, 69)
  assert.match(served.err, /A restore into this database did not finish\. Run “backup restore” again/)
  assert.deepEqual(again.manifest.tables, created.manifest.tables)
})
