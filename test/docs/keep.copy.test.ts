import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { startClientSite } from '../support/client.site.ts'
import { givenEvent } from '../support/given.ts'
import { programsOf } from '../support/guides.ts'

const run = promisify(execFile)

type Fault = number | 'cut'

/** A proxy that fails as a network does: once for each fault, in place of an answer. */
async function startProxy(t: TestContext, target: string, faults: Fault[]) {
  const heard: string[] = []
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    heard.push(path)
    const fault = path.includes('/changes') ? faults.shift() : undefined
    if (fault === 'cut') return request.socket.destroy()
    if (fault !== undefined && fault !== 200) return response.writeHead(fault, { 'Retry-After': '0' }).end()
    const answer = await fetch(target + path, { headers: { accept: request.headers.accept ?? '*/*' } })
    const text = await answer.text()
    const here = `http://${request.headers.host}`
    response.writeHead(answer.status).end(text.replaceAll(target, here))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

test('the program that keeps a copy survives restarts, faults of the network and a lost log', async (t) => {
  const site = await startClientSite(t)
  const times = { start_date: 'tomorrow 19:00', end_date: 'tomorrow 21:00' }
  for (const title of ['Fair', 'Jazz', 'Choir'])
    await givenEvent(site.app, { title, ...times, venue: { venue: `${title} hall` } })
  const faults: Fault[] = []
  const proxy = await startProxy(t, site.url, faults)
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-copy-'))
  t.after(() => rm(folder, { recursive: true }))
  const { python = '' } = await programsOf(proxy.url, 'how-to/keep-a-copy')
  await writeFile(join(folder, 'keep.py'), python.replace("/changes'", "/changes?per_page=2'"))
  const keep = () => run('python3', ['keep.py'], { cwd: folder })
  const open = () => new Database(join(folder, 'copy.sqlite'))
  const copied = () => {
    const db = open()
    const rows = db.prepare('SELECT kind, id, data FROM items').all() as { kind: string; id: number; data: string }[]
    db.close()
    return Object.fromEntries(
      rows.map(({ kind, id, data }) => [`${kind} ${id}`, JSON.parse(data.replaceAll(proxy.url, site.url))]),
    )
  }
  const published = async () => {
    const all: Record<string, unknown> = {}
    for await (const { items } of site.visitor().changes.follow({})) {
      for (const { kind, id, data } of items) if (data) all[`${kind} ${id}`] = data
    }
    return all
  }

  // The second page fails for good, and the program stops. It continues from there.
  faults.push(200, 403)
  await assert.rejects(keep())
  const half = Object.keys(copied()).length
  proxy.heard.length = 0
  faults.push(503, 'cut', 429)
  await keep()
  assert.ok(half > 0 && half < Object.keys(copied()).length, String(half))
  assert.match(proxy.heard[0] ?? '', /[?&]after=/)
  assert.deepEqual(copied(), await published())

  const editor = await site.clientOf('editor')
  const [first, second] = (await editor.events.list()).items
  await editor.events.delete(first?.id ?? 0)
  await editor.events.update(second?.id ?? 0, { title: 'Late' })
  await keep()
  assert.deepEqual(copied(), await published())

  // A cursor of another log, and an item that is in this one no more.
  const db = open()
  db.exec(`UPDATE state SET next = '${proxy.url}/cal/service/v1/changes?after=000000000000.1'`)
  db.exec(`INSERT INTO items VALUES ('event', 999, '{}', 1)`)
  db.close()
  await keep()
  assert.deepEqual(copied(), await published())
})

test('the samples are those of every kind and state, with the members that items have', async (t) => {
  const site = await startClientSite(t)
  const times = { start_date: 'tomorrow 19:00', end_date: 'tomorrow 21:00' }
  const sent = {
    ...times,
    venue: { venue: 'Hall', city: 'Montréal' },
    organizer: { organizer: 'Club' },
    categories: ['Music'],
    tags: ['free'],
  }
  await givenEvent(site.app, { title: 'Jazz', ...sent })
  const gone = await givenEvent(site.app, { title: 'Gone', ...times })
  const editor = await site.clientOf('editor')
  const series = { title: 'Market', ...times, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } }
  const made = await site.app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/series', json: series })
  assert.equal(made.status, 201, made.text)
  const read = async (url: string) => (await (await fetch(url)).json()) as Read
  const before = await read(`${site.url}/cal/service/v1/changes`)
  await editor.events.delete(gone.id)
  const items = [...before.items, ...(await read(before.next)).items]
  const { json = '[]' } = await programsOf(site.url, 'how-to/keep-a-copy')
  const samples: readonly Sample[] = JSON.parse(json)

  const shape = ({ data: _data, ...item }: Sample) => `${item.state} ${item.kind}: ${Object.keys(item)}`
  assert.deepEqual([...new Set(samples.map(shape))].toSorted(), [...new Set(items.map(shape))].toSorted())
  for (const { state, kind, data = {} } of samples) {
    const real = items.find((item) => item.state === state && item.kind === kind)?.data ?? {}
    for (const name of Object.keys(data)) assert.ok(name in real, `${kind}: ${name}`)
  }
})

interface Sample {
  readonly state: string
  readonly kind: string
  readonly data?: Readonly<Record<string, unknown>>
}

interface Read {
  readonly items: readonly Sample[]
  readonly next: string
}
