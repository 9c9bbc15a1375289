import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installClient } from '../support/client.package.ts'
import { startClientSite } from '../support/client.site.ts'
import { givenEvent } from '../support/given.ts'
import { picture } from '../support/pictures.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'packages/client')
const tsc = join(root, 'node_modules/.bin/tsc')

/** A program of the README, and its output there. */
interface Example {
  readonly program: string
  readonly printed: string
}

async function examples(): Promise<readonly Example[]> {
  const readme = await readFile(join(source, 'README.md'), 'utf8')
  return [...readme.matchAll(/```ts\n(.*?)```\n(?:\n```text\n(.*?)```\n)?/gs)].map(
    ([, program = '', printed = '']) => ({
      program,
      printed,
    }),
  )
}

/** The strictest options, because the published types must not require less strict ones. */
const strict = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true },
  ...{ target: 'esnext', lib: ['esnext'], types: ['node'], module: 'nodenext', noEmit: true, skipLibCheck: false },
}

test('every example of the read-me compiles, runs and prints what it says, with the package as it is published', async (t) => {
  const site = await startClientSite(t)
  await givenEvent(site.app, {
    ...{ start_date: '2030-05-01 19:00:00', end_date: '2030-05-01 21:00:00', timezone: 'America/Toronto' },
    venue: { venue: 'Parc Jarry' },
  })
  const key = await site.keyOf('editor')
  const folder = await installClient(t)
  const found = await examples()
  assert.ok(found.length > 4)

  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'poster.png'), await picture(20, 20, 'png'))
  for (const [place, { program }] of found.entries()) {
    const real = program.replaceAll('https://calendar.example.org', site.url).replace(/x{4}( x{4}){5}/, key)
    await writeFile(join(folder, `${place}.ts`), real)
  }
  const files = found.map((_, place) => `${place}.ts`)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files }))

  await run(tsc, ['-p', folder]).catch(({ stdout }) => assert.fail(stdout))
  for (const [place, { program, printed }] of found.entries()) {
    const { stdout } = await run(process.execPath, [`${place}.ts`], { cwd: folder })
    assert.equal(stdout, printed, program)
  }
  const listed = await site.visitor().events.list({ start_date: '2030-05-01', end_date: '2030-12-31' })
  assert.deepEqual(
    listed.items.map(({ title, image }) => [title, image !== false]),
    [
      ['Concert', true],
      ['Fête de quartier', false],
    ],
  )
})
