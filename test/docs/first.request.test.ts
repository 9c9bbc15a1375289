import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { installClient } from '../support/client.package.ts'
import { startClientSite } from '../support/client.site.ts'
import { givenEvent } from '../support/given.ts'
import { programsOf } from '../support/guides.ts'

const run = promisify(execFile)

for (const settings of [{}, { REST_PREFIX: '/wp-json', VENDOR_WORD: 'tribe' }]) {
  test(`the first request works as a service with ${JSON.stringify(settings)} shows it`, async (t) => {
    const site = await startClientSite(t, settings)
    await givenEvent(site.app, { title: 'Concert', start_date: 'tomorrow 19:00', end_date: 'tomorrow 21:00' })
    const cwd = await installClient(t)
    await writeFile(join(cwd, 'package.json'), '{"type": "module"}')

    const programs = await programsOf(site.url, 'first-request')
    await writeFile(join(cwd, 'first.ts'), programs.ts ?? '')
    const { stdout: answer } = await run('sh', ['-c', programs.sh ?? ''])
    const typescript = await run(process.execPath, ['first.ts'], { cwd })
    const python = await run('python3', ['-c', programs.python ?? ''])

    assert.equal(JSON.parse(answer).events[0].title, 'Concert')
    assert.match(typescript.stdout, /^\d{4}-\d\d-\d\d 19:00:00 Concert\n$/)
    assert.equal(python.stdout, typescript.stdout)
  })
}
