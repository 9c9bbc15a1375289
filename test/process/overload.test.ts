import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../tools/overload.ts', import.meta.url))
const maxGrowthMegabytes = 300

/** The short form of `npm run overload`. It asserts no times, because the machine may be busy. */
test('a server at twice its capacity answers with nothing but success, 429 and 503, and serves on afterwards', async () => {
  const args = [script, '--json', '--seconds', '6', '--connections', '200', '--in-flight', '8']
  // The exit code also reports whether the times were within the limits.
  const { stdout } = await run(process.execPath, args, { timeout: 120_000 }).catch(
    (error) => error as { stdout: string },
  )
  const figures = JSON.parse(stdout)

  const seen = new Set([...Object.keys(figures.crowd), ...Object.keys(figures.greedy)])
  assert.deepEqual(
    [...seen].filter((status) => !['200', '429', '503'].includes(status)),
    [],
    stdout,
  )
  assert.ok(figures.crowd['200'] > 0 && figures.crowd['503'] > 0, stdout)
  assert.ok(figures.greedy['429'] > 0, stdout)
  assert.equal(figures.unanswered, 0, stdout)
  assert.ok(figures.megabytes.most - figures.megabytes.first < maxGrowthMegabytes, stdout)
  assert.equal(figures.statusAfter, 200, stdout)
})
