import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../../bin/cal-events.mjs', import.meta.url))
const execute = promisify(execFile)

/** Runs the program as the user whose caches are in `folder`. */
async function runWith(folder: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { PATH: process.env.PATH, XDG_CACHE_HOME: folder, ...environment }
  return (await execute(process.execPath, [program, '--version'], { env })).stdout
}

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-compiled-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

const compiledIn = (folder: string) => join(folder, 'cal-events/compiled')

test('what is compiled is kept for the next start, where only its user can write', async (t) => {
  const folder = await emptyFolder(t)

  await runWith(folder)

  assert.equal((await stat(compiledIn(folder))).mode & 0o777, 0o700)
  assert.equal((await readdir(compiledIn(folder))).length, 1)
})

test('nothing is loaded from a folder that others can write, nor from below one', async (t) => {
  const [own, above] = [await emptyFolder(t), await emptyFolder(t)]
  for (const folder of [own, above]) await mkdir(compiledIn(folder), { recursive: true })
  await chmod(compiledIn(own), 0o777)
  await chmod(above, 0o777)

  await Promise.all([own, above].map((folder) => runWith(folder)))

  assert.deepEqual(await Promise.all([own, above].map((folder) => readdir(compiledIn(folder)))), [[], []])
})

test('another folder counts where it is named, and where nothing can be kept the program runs as ever', async (t) => {
  const [folder, other] = [await emptyFolder(t), await emptyFolder(t)]

  await runWith(folder, { NODE_COMPILE_CACHE: other })

  assert.deepEqual(await readdir(folder), [])
  assert.equal((await readdir(other)).length, 1)
  assert.match(await runWith('/dev/null'), /^\d+\.\d+\.\d+\n$/)
})
