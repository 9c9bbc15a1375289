import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { startShell } from '../support/shell.ts'

const options = { timeout: 120_000 }
const password = /Application password +(?:\w{4} ?){6}/

/** The number of users in the database; 0 if it has no tables yet. */
function usersIn(folder: string): number {
  try {
    const database = new Database(join(folder, 'data/calendar.sqlite'), { readonly: true })
    try {
      return (database.prepare('select count(*) as users from users').get() as { users: number }).users
    } finally {
      database.close()
    }
  } catch {
    return 0
  }
}

for (const workers of ['1', '2']) {
  test(`a first start at a taken port with ${workers} processes loses no password`, options, async (t) => {
    const shell = await startShell(t)
    const other = createServer().listen(0, '127.0.0.1')
    t.after(() => other.close())
    await once(other, 'listening')
    const { port } = other.address() as { readonly port: number }

    const refused = await shell.run(['serve', '--port', String(port), '--workers', workers])
    assert.equal(refused.exitCode, 69, refused.err)
    assert.match(refused.err, /PORT/)
    assert.equal(usersIn(shell.folder), 0)

    const served = await shell.serve(['--workers', workers])
    assert.match(served.output(), password)
  })

  test(
    `who ends ${workers} processes as soon as there is an administrator is told the password`,
    options,
    async (t) => {
      const shell = await startShell(t)
      const child = shell.start(['serve', '--port', '0', '--workers', workers])
      let printed = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
      const ended = once(child, 'exit')
      while (usersIn(shell.folder) === 0 && child.exitCode === null) await turn()
      child.kill('SIGTERM')
      await ended

      assert.equal(usersIn(shell.folder), 1)
      assert.match(printed, password)
    },
  )
}
