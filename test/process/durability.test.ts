import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOnPostgres } from '../support/database.ts'
import { assertDurable, durabilityEnvironment, type Machine } from '../support/durability.ts'
import { isLong } from '../support/long.ts'
import { findBinaries, startServer } from '../support/postgres.server.ts'
import { startShell } from '../support/shell.ts'

const isThorough = process.env.DURABILITY_KILLS !== undefined
const kills = Number(process.env.DURABILITY_KILLS ?? (isLong ? 5 : 3))
const seed = Number(process.env.DURABILITY_SEED ?? Math.floor(Math.random() * 1e9))

const options = { timeout: isThorough ? 3_600_000 : 180_000 }

test(`what was acknowledged outlives ${kills} kills, and nothing is half there (seed ${seed})`, options, async (t) => {
  const shell = await startShell(t)
  const server = isOnPostgres() ? await givenServer() : undefined
  if (server) t.after(server.remove)
  // Clients write until they are refused, so writes do not wait until the database is back.
  const own = server ? { DATABASE_URL: server.url, DATABASE_OUTAGE_WAIT_SECONDS: '0' } : { READERS: '2' }
  const environment = { ...durabilityEnvironment, ...own }
  const machine: Machine = {
    serve: () => shell.serve([], environment),
    check: () => shell.run(['check'], environment),
    ...(server
      ? {
          killDatabase: async () => {
            await server.stop('immediate')
            await server.start()
          },
        }
      : {}),
  }

  const report = await assertDurable(machine, {
    ...{ kills, clients: 4, seed },
    ...(isThorough ? { onKill: (done) => process.stderr.write(`\r${done} of ${kills} kills`) } : {}),
  })

  t.diagnostic(JSON.stringify(report))
  // Every kill interrupts the requests of the clients.
  assert.ok(report.unanswered >= kills && report.acknowledged > kills, JSON.stringify(report))
})

async function givenServer() {
  const binaries = await findBinaries()
  if (!binaries) throw new Error('This test ends and starts a server: it needs the programs of PostgreSQL 15 or later.')
  return startServer(binaries)
}
