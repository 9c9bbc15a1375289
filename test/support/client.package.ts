import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'packages/client')
const tsc = join(root, 'node_modules/.bin/tsc')

/** Returns a new folder with the client installed, compiled as it is published. */
export async function installClient(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-client-'))
  t.after(() => rm(folder, { recursive: true }))
  const place = join(folder, 'node_modules/@cal-events/client')
  await mkdir(place, { recursive: true })
  await copyFile(join(source, 'package.json'), join(place, 'package.json'))
  await run(tsc, ['-p', source, '--outDir', join(place, 'dist')])
  return folder
}
