import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const source = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href)

/** Starts the service, answers a list, and prints which modules of TypeBox were loaded for that, and by which file. */
const program = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({
    resolve: (name, context, next) => {
      if (/^typebox/.test(name)) loaded.push(context.parentURL)
      return next(name, context)
    },
  })
  const { readConfig } = await import(${source('base/config/config.ts')})
  const { openDeps } = await import(${source('main.ts')})
  const { createApp } = await import(${source('app.ts')})
  const settings = { DATA_DIR: process.argv[1], LOG_LEVEL: 'silent', DATABASE_URL: '', READERS: '0' }
  const deps = await openDeps(readConfig(settings))
  const server = createApp(deps)
  const list = await server.inject({ url: '/cal/events/v1/events' })
  const before = loaded.length
  await server.inject({ url: '/cal/events/v1/doc' })
  console.log(JSON.stringify({ status: list.statusCode, loaded: loaded.slice(0, before), later: loaded.length - before }))
  process.exit(0)`

test('the service starts and answers lists without the library of schemas, which only documents need', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-start-'))
  t.after(() => rm(folder, { recursive: true }))

  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program, folder])
  const { status, loaded, later } = JSON.parse(stdout)

  assert.deepEqual([status, loaded], [200, []])
  assert.ok(later > 0)
})
