import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { startCommands } from '../../../test/support/called.command.ts'
import { referenceEvents, referencePassword, startReferenceSite } from '../../../test/support/reference.site.ts'
import type { UserId } from '../../access/auth/actor.ts'
import { createUser } from '../../access/auth/user.service.ts'
import { importMoved } from '../imports/moved.import.ts'
import { openPullFolder, type PullManifest } from '../pull/pull.folder.ts'

const administrator = 5 as UserId
const newPassword = 'aaaa bbbb cccc dddd eeee ffff'

/** Serves this calendar, and returns its address. Its administrator “mover” has the password above. */
async function served({ deps, server }: TestApp): Promise<string> {
  await createUser(deps, { name: 'mover', role: 'administrator', email: 'mover@example.org', secret: newPassword })
  await server.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

/** Pulls the double of a site, imports it, and returns what compares both. */
async function moved(t: TestContext) {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/New_York' })
  const old = await startReferenceSite(t)
  const { run, folder: cwd } = await startCommands(t)
  await writeFile(join(cwd, 'key.txt'), referencePassword)
  await writeFile(join(cwd, 'new.txt'), newPassword)
  const asAdmin = ['--pause', '0', '--quiet', '--user', 'admin', '--password-file', 'key.txt']
  assert.equal((await run(['pull', 'tec', old.url, '--folder', 'old', '--events', '110', ...asAdmin])).exitCode, 0)
  const folder = openPullFolder(join(cwd, 'old'))
  const manifest = (await folder.readManifest()) as PullManifest
  await importMoved(app.deps, { folder, manifest }, { authorId: administrator })
  const url = await served(app)
  const asNew = ['--pause', '0', '--quiet', '--new-user', 'mover', '--new-password-file', 'new.txt']
  return { app, old, run, cwd, folder, url, asAdmin, asNew }
}

test('a moved calendar has everything, and differs only as a move makes it differ', async (t) => {
  const { run, old, url, asAdmin, asNew } = await moved(t)

  const fromFolder = await run(['verify', 'tec', 'old', url, ...asNew, '--json'])
  const fromSite = await run(['verify', 'tec', old.url, url, '--events', '110', ...asAdmin, ...asNew])

  const { is_same, compared, deviations, differences } = JSON.parse(fromFolder.out)
  assert.deepEqual(differences, [])
  assert.deepEqual([fromFolder.exitCode, fromFolder.err, is_same], [0, '', true])
  assert.equal(compared.events, referenceEvents.length)
  assert.deepEqual(deviations, {
    ...{ published: 4, slug: 2, trash: 2, markup: 25, reversed: 1, 'second-hour': 1 },
  })
  assert.deepEqual([fromSite.exitCode, fromSite.err], [0, ''])
  assert.match(fromSite.out, /^Compared: 2 categories.*\nDifferences that a move makes: .*\nNothing else differs\.\n$/)
})

test('what is missing, additional or different is named with both values', async (t) => {
  const { app, run, url, asNew, folder } = await moved(t)
  const file = folder.pathOf('events/102.json')
  const concert = JSON.parse(await readFile(file, 'utf8'))
  await folder.writeJson('events/102.json', { ...concert, v1: { ...concert.v1, start_date: '2031-05-03 20:00:00' } })
  await folder.writeJson('events/900.json', {
    ...concert,
    id: 900,
    raw: { ...concert.raw, id: 900, slug: 'only-there' },
  })
  await app.send({ as: 'administrator', method: 'POST', path: '/venues', json: { venue: 'Only here' } })

  const { exitCode, out } = await run(['verify', 'tec', 'old', url, ...asNew])
  const asJson = await run(['verify', 'tec', 'old', url, ...asNew, '--json'])

  assert.equal(exitCode, 1)
  assert.deepEqual(JSON.parse(asJson.out).differences, [
    { what: 'additional', kind: 'venues', record: 'only-here' },
    {
      ...{ what: 'different', kind: 'events', record: 'concert', field: 'start_date' },
      ...{ old: '2031-05-03 20:00:00', new: '2031-05-03 19:30:00' },
    },
    { what: 'missing', kind: 'events', record: 'only-there' },
  ])
  assert.match(out, /different events start_date: 1\n {2}concert: "2031-05-03 20:00:00" → "2031-05-03 19:30:00"\n/)
})

test('two sides that are read by different people, and folders of something else, are refused', async (t) => {
  const { run, url, cwd } = await moved(t)
  await writeFile(join(cwd, 'file.txt'), '')

  const unlike = await run(['verify', 'tec', 'old', url, '--pause', '0'])
  const nothing = await run(['verify', 'tec', 'nowhere', url])

  assert.deepEqual([unlike.exitCode, nothing.exitCode], [2, 2])
  assert.match(unlike.err, /A user has read the old site, and visitors the new one/)
  assert.match(nothing.err, /“nowhere” is neither the address of a site nor a folder/)
})
