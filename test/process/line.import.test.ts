import assert from 'node:assert/strict'
import { request as send } from 'node:http'
import { test } from 'node:test'
import { randomFrom } from '../../tools/bench/random.ts'
import { isOnPostgres } from '../support/database.ts'
import { durabilityEnvironment } from '../support/durability.ts'
import { isLong } from '../support/long.ts'
import { findBinaries, startServer } from '../support/postgres.server.ts'
import { adminAuthorization } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'

const isThorough = process.env.DURABILITY_KILLS !== undefined
const kills = Number(process.env.DURABILITY_KILLS ?? (isLong ? 3 : 2))
const seed = Number(process.env.DURABILITY_SEED ?? Math.floor(Math.random() * 1e9))
const lines = Math.max(isLong ? 2000 : 1000, kills * 400)

interface Answer {
  readonly line?: number
  readonly status?: number
  readonly id?: number
  readonly end?: boolean
}

/** Sends lines from a number on, while it reads the answers. Ends when the service has answered, or is gone. */
function importFrom(api: string, first: number, onAnswer: (answer: Answer) => void): Promise<void> {
  return new Promise((resolve) => {
    const address = `${api.replace(/\/events\/v1$/, '')}/service/v1/sources/source/import`
    const headers = {
      ...{ authorization: adminAuthorization, 'content-type': 'application/x-ndjson' },
      'x-import-line': String(first),
    }
    const request = send(address, { method: 'POST', headers })
    request.on('error', () => resolve())
    request.on('close', () => resolve())
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const parts = (text + chunk).split('\n')
        text = parts.pop() ?? ''
        for (const part of parts) onAnswer(JSON.parse(part) as Answer)
      })
      response.on('error', () => resolve())
      response.on('close', () => resolve())
    })
    let next = first
    const write = () => {
      while (next <= lines && !request.destroyed) {
        const event = { external_id: `e${next}`, title: `T${next}`, start_date: '2030-05-01', end_date: '2030-05-01' }
        next += 1
        if (!request.write(`${JSON.stringify(event)}\n`)) return void request.once('drain', write)
      }
      request.end()
    }
    write()
  })
}

async function killed({ child }: Served): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const isOver = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await isOver
}

test(`answered lines outlive ${kills} kills, and the import continues after them (seed ${seed})`, {
  timeout: isThorough ? 3_600_000 : 180_000,
}, async (t) => {
  const shell = await startShell(t)
  const server = isOnPostgres() ? await givenServer() : undefined
  if (server) t.after(server.remove)
  const rates = { RATE_LIMIT: '0' }
  const environment = { ...durabilityEnvironment, ...rates, ...(server ? { DATABASE_URL: server.url } : {}) }
  const random = randomFrom(seed)
  const answered = new Map<number, number>()
  let isEnded = false
  let broken = 0
  let service = await shell.serve([], environment)
  while (!isEnded) {
    const first = answered.size + 1
    const killAfter = broken < kills ? 1 + Math.floor(random() * (lines / kills)) : undefined
    let taken = 0
    await importFrom(service.api, first, ({ line, status, id, end }) => {
      if (end) isEnded = true
      if (line === undefined) return
      assert.ok(status === 201 || status === 204, `line ${line}: ${status}`)
      assert.equal(line, answered.size + 1, 'in order')
      answered.set(line, id ?? 0)
      taken += 1
      if (taken === killAfter) service.child.kill('SIGKILL')
    })
    // The last kill may come after all answers: then the service is started once more.
    if (isEnded && !service.child.killed) break
    broken += 1
    await killed(service)
    service = await shell.serve([], environment)
    const last = [...answered].at(-1)
    if (last) {
      const found = await fetch(`${service.api}/events/${last[1]}`)
      assert.deepEqual([found.status, ((await found.json()) as { title: string }).title], [200, `T${last[0]}`])
    }
  }
  const total = await fetch(`${service.api}/events?per_page=1&start_date=2030-04-30&end_date=2030-05-02`)
  assert.equal(((await total.json()) as { total: number }).total, lines)
  assert.equal(new Set(answered.values()).size, lines)
  await killed(service)
  assert.equal((await shell.run(['check'], environment)).exitCode, 0)
})

async function givenServer() {
  const binaries = await findBinaries()
  if (!binaries) throw new Error('This test ends and starts a server: it needs the programs of PostgreSQL 15 or later.')
  return startServer(binaries)
}
