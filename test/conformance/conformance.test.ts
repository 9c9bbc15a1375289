import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** How a server is started and asked. */
interface Mode {
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

const plain: Mode = { name: 'in our own words', environment: {}, args: [] }
const dropIn: Mode = {
  name: 'as a drop-in',
  environment: { VENDOR_WORD: 'tribe', LANGUAGE_PARAMETER: 'wpml_language', REST_PREFIX: '/wp-json' },
  args: ['--namespace', 'tribe/events/v1', '--prefix', '/wp-json'],
}
const forgetful: Mode = {
  name: 'at the French address, without a memory',
  environment: { CACHE_MEGABYTES: '0' },
  args: ['--prefix', '/fr'],
}

// Words and addresses are the same on every engine: they are tried on one.
const modes = process.env.TEST_ENGINE === 'postgres' ? [plain] : [plain, dropIn, forgetful]

for (const mode of modes) {
  describe(`recorded cases ${mode.name}`, { concurrency: 2 }, () => {
    for (const file of readdirSync(here('cases')).sort()) {
      test(`${file} is answered as recorded`, async () => {
        const { code, output } = await play(mode, file, await freePort())
        assert.equal(code, 0, output)
      })
    }
  })
}

function play(
  { environment, args }: Mode,
  file: string,
  port: number,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const launch = `${process.execPath} ${here('serve.ts')}`
  const where = ['--launch', launch, '--port', String(port), '--cases', here('cases'), '--only', file]
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [here('player/run.mjs'), ...where, '--users', here('player/users.json'), ...args],
      { maxBuffer: 16 * 1024 * 1024, env: { ...process.env, ...environment } },
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
