import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { installPackage } from '../support/package.ts'
import { form, picture } from '../support/pictures.ts'
import { recordedFiles } from '../support/recording.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const typescript = join(root, 'node_modules/typescript/bin/tsc')
const typeRoots = join(root, 'node_modules/@types')

/** A user's program that imports the service as a library. */
const program = `
import { type Service, startService } from 'cal-events'
import { readConfig } from 'cal-events/config'

const service: Service = await startService(readConfig({ PORT: '0', DATA_DIR: './library' }))
const { status } = await fetch(\`\${service.url}/cal/events/v1/events\`)
await service.close()
// @ts-expect-error What is not there is known not to be.
console.log(status, service.nothing)
`

// One installation for all tests, because it takes most of the time.
test('what is published serves from an empty folder', { timeout: 240_000 }, async (t) => {
  const site = await installPackage(t)
  await writeFile(join(site.folder, '.env'), `ADMIN_PASSWORD="${adminPassword}"\n`)

  await t.test('the package holds what runs and what is read, and neither sources nor tests', () => {
    const known = /^(bin|dist|docs|ops)\/|^[A-Z]+(\.md)?$|^package\.json$|^packages\/client\/README\.md$/
    const odd = site.files.filter((file) => !known.test(file))
    const tests = site.files.filter((file) => /\.(test|arbitrary)\.|golden|(?<!\.d)\.ts$/.test(file))

    assert.deepEqual([...odd, ...tests], [])
    const styles = globSync('**/*.{css,js}', { cwd: join(root, 'src') }).map((file) => `dist/${file}`)
    for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/main.d.ts', ...styles]) {
      assert.ok(site.files.includes(file), file)
    }
  })

  await t.test('the command line helps, and imports', async () => {
    assert.match(await site.run('npx', ['cal-events', '--help']), /^ {2}serve /m)
    const imported = await site.run('npx', ['cal-events', 'import', 'tec', ...recordedFiles, '--quiet', '--json'])

    assert.equal(JSON.parse(imported).events.created, 39)
  })

  await t.test('it serves with workers: interface, pages, reference, and pictures', async () => {
    const url = await site.serve(['--workers', '2'])
    const api = ['events', 'events.ics', 'doc'].map((path) => `/cal/events/v1/${path}`)
    const asking = [...api, '/embed.js', '/health/live', '/health/ready']
    const pages = ['/events/', '/events/map/', '/docs', '/fr/docs', '/docs/guides/', '/docs/client/']

    const linked = (await Promise.all(pages.map((page) => textOf(url + page)))).flatMap((text) => assetsOf(text))
    const answers = await Promise.all(
      [...asking, ...new Set(linked)].map(async (path) => [path, (await fetch(new URL(path, url))).status]),
    )
    const uploaded = await fetch(`${url}/cal/service/v1/media`, {
      method: 'POST',
      headers: { authorization: adminAuthorization, ...formOfPicture.headers },
      body: formOfPicture.payload,
    })

    assert.ok(linked.some((path) => path.endsWith('.css')) && linked.some((path) => path.endsWith('.js')))
    assert.deepEqual(
      answers.filter(([, status]) => status !== 200),
      [],
    )
    assert.equal(uploaded.status, 201)
  })

  await t.test('a program that imports it is typed, and serves', async () => {
    await writeFile(join(site.folder, 'program.ts'), program)
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', 'node']

    await site.run(process.execPath, [typescript, ...options, '--typeRoots', typeRoots, 'program.ts'])
    assert.equal(await site.run(process.execPath, ['program.ts']), '200 undefined\n')
  })
})

const formOfPicture = form(await picture(640, 480))

async function textOf(address: string): Promise<string> {
  const answer = await fetch(address)
  assert.equal(answer.status, 200, address)
  return answer.text()
}

/** Addresses of styles and scripts that a page loads. */
function assetsOf(html: string): readonly string[] {
  return [...html.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)].map(([, path = '']) => path)
}
