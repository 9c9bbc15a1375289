import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { isLong } from '../support/long.ts'
import { startCaseSite } from './site.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** How to start a server and send requests to it. */
interface Mode {
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

const plain: Mode = { name: 'in our own words', environment: {}, args: [] }
/**
 * The tests of one machine run side by side, so a thread may take longer than in service. Every file of cases starts
 * threads of its own, which takes longer than its cases.
 */
const threaded = { READERS: '1', QUERY_TIMEOUT_MS: '60000' }
const dropIn: Mode = {
  name: 'as a drop-in, by a reader thread',
  environment: { VENDOR_WORD: 'tribe', LANGUAGE_PARAMETER: 'wpml_language', REST_PREFIX: '/wp-json', ...threaded },
  args: ['--namespace', 'tribe/events/v1', '--prefix', '/wp-json'],
}
const forgetful: Mode = {
  name: 'at the French address, without a response cache',
  environment: { CACHE_MEGABYTES: '0' },
  args: ['--prefix', '/fr'],
}

// Words and addresses do not depend on the engine, so one engine is enough for them, in the long form.
const modes = process.env.TEST_ENGINE === 'postgres' || !isLong ? [plain] : [plain, dropIn, forgetful]

for (const mode of modes) {
  describe(`recorded cases ${mode.name}`, { concurrency: 2 }, () => {
    for (const file of readdirSync(here('cases')).sort()) {
      test(`${file} is answered as recorded`, async (t) => {
        const { code, output } = await play(t, mode, file)
        assert.equal(code, 0, output)
      })
    }
  })
}

/**
 * Plays a file of cases against a service of its own in this process. The player runs in a thread, and sends requests
 * over HTTP.
 */
async function play(
  t: TestContext,
  { environment, args }: Mode,
  file: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const site = await startCaseSite({ LOG_LEVEL: 'silent', ...environment, PORT: '0' })
  t.after(site.close)
  const where = ['--base', site.url, '--cases', here('cases'), '--only', file, '--users', here('player/users.json')]
  const player = new Worker(here('player/run.mjs'), { argv: [...where, ...args], stdout: true, stderr: true })
  const output: string[] = []
  for (const stream of [player.stdout, player.stderr]) stream.on('data', (text) => output.push(String(text)))
  const [code] = await once(player, 'exit')
  // A player that skips a file because it needs a server of its own has tested nothing.
  if (!/ 0 skipped\n/.test(output.join(''))) return { code: 2, output: output.join('') }
  return { code, output: output.join('') }
}
