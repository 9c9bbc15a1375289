import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestApp, testNow } from '../../../test/support/app.ts'
import { backUp, givenBackupConfig, givenFolder, restore } from '../../../test/support/backup.ts'
import { givenEvent } from '../../../test/support/given.ts'
import { form, picture } from '../../../test/support/pictures.ts'
import { givenBrowser, service } from '../../../test/support/signing.ts'
import { revokeKey, rotateKey } from '../../access/auth/key.service.ts'
import { createUser } from '../../access/auth/user.service.ts'
import type { Config } from '../../base/config/config.ts'
import { CHANGE_KINDS } from '../../calendar/changelog/change.log.ts'
import { readChangePage } from '../../calendar/changes/change.page.service.ts'
import type { ChangePage } from '../../calendar/changes/change.page.ts'
import { openDeps } from '../../main.ts'
import { countRows, type TableRow, tableBatches, tableNames } from '../../storage/database/copies/copy.tables.ts'
import { withSnapshot } from '../../storage/database/copies/snapshot.ts'
import { readRevision } from '../../storage/database/revision.ts'
import type { Db } from '../../storage/database/tables.ts'
import { checkAll } from '../checks/check.service.ts'
import { writeFileAtomically } from './backup.file.ts'
import { newKey, parseBackupKey } from './backup.key.ts'
import { BackupError } from './backup.ts'

/** A calendar with an event, a picture, and an empty target for a restore; undefined on PGlite. */
async function givenCalendar(t: TestContext) {
  const place = await givenBackupConfig(t)
  if (!place) {
    t.skip('PGlite is in one process only.')
    return undefined
  }
  const app = await startTestApp(t)
  await givenEvent(app, { venue: { venue: 'Parc Jarry' }, categories: ['Fête'], title: 'Été 🎉' })
  const shown = await uploaded(app)
  const state = { event_status: 'canceled', event_status_reason: 'Tempête', attendance: 'online' }
  await givenEvent(app, { image: shown.id, ...state, virtual_url: 'https://meet.example/' })
  const folder = await givenFolder(t)
  return { app, config: app.deps.config, place, folder, file: join(folder, 'backup'), shown }
}

/** Uploads a picture, and returns its id and the names of its files. */
async function uploaded(app: TestApp): Promise<{ readonly id: number; readonly names: readonly string[] }> {
  const upload = form(await picture(400, 300))
  const { status, body } = await app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/media', ...upload })
  assert.equal(status, 201)
  const { file, sizes } = await app.deps.storage.db
    .selectFrom('media')
    .selectAll()
    .where('record_id', '=', body.id)
    .executeTakeFirstOrThrow()
  const made = Object.values(JSON.parse(sizes) as Record<string, { readonly file: string }>)
  return { id: body.id, names: [file, ...made.map((size) => size.file)] }
}

async function contentOf(db: Db): Promise<Readonly<Record<string, readonly TableRow[]>>> {
  const tables: [string, readonly TableRow[]][] = []
  for (const table of tableNames) tables.push([table, (await Array.fromAsync(tableBatches(db, table))).flat()])
  return Object.fromEntries(tables)
}

async function contentAt(config: Config): Promise<Readonly<Record<string, readonly TableRow[]>>> {
  return withSnapshot(config, ({ db }) => contentOf(db))
}

async function filesAt({ media }: Config): Promise<ReadonlyMap<string, Buffer>> {
  assert.ok(media.kind === 'folder')
  const names = await readdir(media.folder, { recursive: true }).catch(() => [])
  const files = names.filter((name) => /\.\w+$/.test(name)).sort()
  return new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(join(media.folder, name))] as const)),
  )
}

test('what is restored is what the snapshot showed, in database and pictures', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { config, place, file } = calendar
  const key = parseBackupKey((await newKey()).identity)
  const progress: number[] = []

  const created = await backUp(config, file, { key })
  const verified: number[] = []
  const restored = await restore(place, file, {
    key,
    onVerified: (done, total) => verified.push(done / total),
    onProgress: (done, total) => progress.push(done / total),
  })

  assert.deepEqual(await contentAt(place), await contentAt(config))
  assert.deepEqual(await filesAt(place), await filesAt(config))
  assert.equal(created.manifest.pictures.files, (await filesAt(config)).size)
  assert.deepEqual(restored.manifest, created.manifest)
  assert.deepEqual([verified.at(-1), progress.at(-1)], [1, 1])
})

test('a restore ends sessions and links, and tells which revoked keys it has brought back', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { app, config, place, file } = calendar
  const { cookie, headers } = await givenBrowser(app, 'administrator')
  const own = (path: string) => service(`/users/me/keys${path}`)
  const made = async (label: string) =>
    (await app.send({ as: 'editor', method: 'POST', path: own(''), json: { label } })).body.id
  const [kept, lost, replaced] = [await made('kept'), await made('lost'), await made('replaced')]
  const json = { kind: 'reset' }
  const link = await app.send({ method: 'POST', path: service('/users/4/links'), json, headers })
  assert.deepEqual([link.status, cookie !== ''], [201, true])
  await backUp(config, file)

  const first = await restore(place, file, { now: new Date(testNow * 1000) })
  const deps = await openDeps(place, { now: () => testNow })
  await revokeKey(deps, lost)
  await rotateKey(deps, replaced, { overlapHours: 0, by: undefined })
  await deps.storage.close()
  const second = await restore(place, file, { isForced: true, now: new Date(testNow * 1000) })

  assert.deepEqual([first.endedSessions, first.endedLinks, first.returnedKeys], [1, 1, undefined])
  assert.deepEqual(second.returnedKeys, [
    { id: lost, user: 'editor', label: 'lost', scope: 'write' },
    { id: replaced, user: 'editor', label: 'replaced', scope: 'write' },
  ])
  const { sessions, access_links: links, application_passwords: keys = [] } = await contentAt(place)
  assert.deepEqual([sessions, links], [[], []])
  assert.ok(keys.some(({ id }) => id === kept))
})

test('a restored database is consistent, with its event index and search index', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { config, place, file } = calendar
  await backUp(config, file)
  await restore(place, file)

  const findings = await checkAll(place)

  assert.ok(findings.length > 0)
  assert.deepEqual(
    findings.filter(({ count }) => count > 0),
    [],
  )
})

test('a restored database has a log of changes of its own, which refuses cursors of before', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { app, config, place, file } = calendar
  const everything = {
    ...{ after: undefined, kinds: CHANGE_KINDS, language: undefined, filters: [] },
    ...{ isLinked: false, isOfUnprotected: false, perPage: 100 },
  }
  const before = await readChangePage(app.deps.storage, everything)
  await backUp(config, file)
  await restore(place, file)

  await withSnapshot(place, async (restored) => {
    const kept = await readChangePage(restored, everything)
    const ids = ({ changes }: ChangePage) => changes.map(({ kind, id }) => `${kind} ${id}`).sort()
    assert.deepEqual(ids(kept), ids(before))
    await assert.rejects(readChangePage(restored, { ...everything, after: before.next }), { code: 'sync-expired' })
  })
})

test('what is restored is served as it was, and goes on with new ids and numbers of writes', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { app, config, place, file } = calendar
  const last = await createUser(app.deps, { name: 'gone', role: 'author' })
  await app.deps.storage.write((tx) => tx.deleteFrom('users').where('id', '=', last.user.id).execute())
  await app.deps.storage.write((tx) => tx.updateTable('users').set({ last_revision: 500 }).execute())

  await backUp(config, file)
  await restore(place, file)

  const deps = await openDeps(place)
  t.after(() => deps.storage.close())
  const { user } = await createUser(deps, { name: 'new', role: 'author' })
  const listed = await countListings(deps.storage.db)
  assert.equal(user.id, last.user.id + 1)
  assert.ok(listed > 0)
  assert.equal(listed, await countListings(app.deps.storage.db))
  if (deps.storage.dialect.name === 'postgres') assert.ok((await readRevision(deps.storage.db)) > 500)
})

async function countListings(db: Db): Promise<number> {
  return countRows(db, 'listed_events' as (typeof tableNames)[number])
}

test('pictures that are removed or added while a backup is made do not break it', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { app, config, place, file, shown } = calendar
  const removed = await uploaded(app)
  let added: typeof shown | undefined

  const created = await backUp(config, file, {
    read: (work) =>
      withSnapshot(config, async (snapshot) => {
        // The snapshot shows the state at its first statement.
        await countRows(snapshot.db, 'media')
        if (added) return work(snapshot)
        const path = `//cal/service/v1/media/${removed.id}`
        assert.equal((await app.send({ as: 'administrator', method: 'DELETE', path })).status, 200)
        added = await uploaded(app)
        return work(snapshot)
      }),
  })
  await restore(place, file)

  assert.deepEqual(created.manifest.pictures, {
    ...created.manifest.pictures,
    files: shown.names.length,
    removed: removed.names,
    missing: [],
  })
  assert.deepEqual([...(await filesAt(place)).keys()], [...shown.names].sort())
  assert.equal(added?.names.length, shown.names.length)
})

test('a file that the database names and that is lost is told, and does not keep the rest from being backed up', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { app, config, place, file, shown } = calendar
  const [lost = ''] = shown.names
  await app.deps.pictures.store.remove(lost)

  const { manifest } = await backUp(config, file)
  await restore(place, file)

  assert.deepEqual(manifest.pictures.missing, [lost])
  assert.deepEqual(await contentAt(place), await contentAt(config))
})

test('what is there is replaced only by force, and then wholly', async (t) => {
  const calendar = await givenCalendar(t)
  const place = await givenBackupConfig(t)
  if (!calendar || !place) return
  const { config, file } = calendar
  await backUp(config, file)
  const deps = await openDeps(place)
  await createUser(deps, { name: 'somebody', role: 'administrator' })
  const before = await contentOf(deps.storage.db)
  await deps.storage.close()

  await assert.rejects(restore(place, file), /The database is not empty\. To replace all of its content, add --force/)
  const refused = await contentAt(place)
  await restore(place, file, { isForced: true })

  assert.deepEqual(refused, before)
  assert.deepEqual(await contentAt(place), await contentAt(config))
})

test('pictures of another calendar are left alone, and keep a restore from happening by mistake', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { config, place, file } = calendar
  await backUp(config, file)
  assert.ok(place.media.kind === 'folder')
  const stranger = join(place.media.folder, '2020', '01', 'stranger-0a.jpg')
  await mkdir(dirname(stranger), { recursive: true })
  await writeFile(stranger, 'picture')

  await assert.rejects(restore(place, file), /has 1 files that are not in this backup/)
  const { strangers } = await restore(place, file, { isForced: true })

  assert.equal(strangers, 1)
  assert.equal(await readFile(stranger, 'utf8'), 'picture')
})

test('a database file that somebody has open is not restored into', async (t) => {
  const calendar = await givenCalendar(t)
  if (!calendar) return
  const { config, file } = calendar
  if (config.database.engine !== 'sqlite') return
  await backUp(config, file)

  await assert.rejects(restore(config, file, { isForced: true }), /calendar\.sqlite is in use\. Stop the service first/)
})

test('a file is written whole or not at all, and replaced only by force', async (t) => {
  const folder = await givenFolder(t)
  const file = join(folder, 'backup')
  const write = (text: string, isForced: boolean) =>
    writeFileAtomically(file, { isForced }, async (target) => {
      target.end(text)
      await once(target, 'finish')
    })
  await write('first', false)

  await assert.rejects(write('second', false), BackupError)
  await assert.rejects(
    writeFileAtomically(file, { isForced: true }, async (target) => {
      target.write('half of it')
      throw new Error('the disk is full')
    }),
    /disk is full/,
  )
  const kept = await readFile(file, 'utf8')
  await write('third', true)

  assert.equal(kept, 'first')
  assert.equal(await readFile(file, 'utf8'), 'third')
  assert.deepEqual(await readdir(folder), ['backup'])
})

test('what others have left in the folder, and cannot be removed, keeps no backup from being written', async (t) => {
  const folder = await givenFolder(t)
  const longAgo = new Date(Date.now() - 14 * 24 * 3600 * 1000)
  const elsewhere = (random: string) => join(folder, `cal-events-backup.ffffffff.1.${random}.part`)
  const [directory, link, left] = [elsewhere('00000001'), elsewhere('00000002'), elsewhere('00000003')]
  await mkdir(directory)
  await symlink('nowhere', link)
  await writeFile(left, 'half of it')
  for (const path of [directory, left]) await utimes(path, longAgo, longAgo)
  const write = (name: string) =>
    writeFileAtomically(join(folder, name), { isForced: false }, async (target) => {
      target.end('whole')
      await once(target, 'finish')
      // A folder with the name that a process of this machine would have used, and that process has ended.
      const [part = ''] = (await readdir(folder)).filter((found) => found.includes(`.${process.pid}.`))
      await mkdir(join(folder, part.replace(/\.\d+\./, '.4194999.')), { recursive: true })
    })

  await write('first')
  await write('second')

  assert.equal(await readFile(join(folder, 'second'), 'utf8'), 'whole')
  const found = await readdir(folder)
  assert.deepEqual(
    [directory, link, left].map((path) => found.includes(basename(path))),
    [true, true, false],
  )
})

test('what is there and is no file is not replaced, not even by force', async (t) => {
  const folder = await givenFolder(t)
  const socket = join(folder, 'socket')
  const server = createServer().listen(socket)
  await once(server, 'listening')
  t.after(() => server.close())
  await symlink(socket, join(folder, 'link'))

  for (const name of ['socket', 'link']) {
    for (const isForced of [false, true]) {
      await assert.rejects(
        writeFileAtomically(join(folder, name), { isForced }, async (target) => {
          target.end('a backup')
          await once(target, 'finish')
        }),
        new BackupError(`The file ${join(folder, name)} cannot be written: it is not a regular file.`),
      )
    }
  }

  assert.ok((await stat(socket)).isSocket())
})

test('a key is keys of age with what age-keygen writes around them, or one passphrase', async () => {
  const { identity, recipient } = await newKey()

  assert.deepEqual(parseBackupKey(`# created: today\n# public key: ${recipient}\n${identity}\n`), {
    ...{ recipients: [], identities: [identity], passphrase: undefined },
  })
  assert.deepEqual(parseBackupKey(`${recipient}\r\n\n${recipient}`).recipients, [recipient, recipient])
  assert.equal(parseBackupKey(' correct horse battery \n').passphrase, 'correct horse battery')
  for (const wrong of [
    '',
    '# nothing\n',
    'too short',
    `${recipient}\nand a passphrase`,
    'one passphrase\nand another',
  ]) {
    assert.throws(() => parseBackupKey(wrong), BackupError, wrong)
  }
})
