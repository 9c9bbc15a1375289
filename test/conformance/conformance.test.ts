import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

describe('recorded cases', { concurrency: 2 }, () => {
  for (const file of readdirSync(here('cases')).sort()) {
    test(`${file} is answered as recorded`, async () => {
      const { code, output } = await play(file, await freePort())
      assert.equal(code, 0, output)
    })
  }
})

function play(file: string, port: number): Promise<{ readonly code: number | null; readonly output: string }> {
  const launch = `${process.execPath} ${here('serve.ts')}`
  const args = [
    '--launch',
    launch,
    '--port',
    String(port),
    '--cases',
    here('cases'),
    '--users',
    here('player/users.json'),
  ]
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [here('player/run.mjs'), ...args, '--only', file],
      { maxBuffer: 16 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: `${stdout}${stderr}` }),
    )
  })
}

/** A port that nobody listens on now. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
