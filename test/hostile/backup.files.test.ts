import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { pack } from 'tar-stream'
import { newKey, parseBackupKey } from '../../src/operate/backup/backup.key.ts'
import { BackupError } from '../../src/operate/backup/backup.ts'
import { verifyBackup } from '../../src/operate/backup/backup.verify.ts'
import { startTestApp } from '../support/app.ts'
import {
  backUp,
  beginningPart,
  givenFolder,
  packed,
  sealedTar,
  type TestPart,
  textPart,
  withSums,
} from '../support/backup.ts'
import { givenEvent } from '../support/given.ts'
import { runs } from '../support/long.ts'
import { form, picture } from '../support/pictures.ts'

const verify = (bytes: Buffer, key?: ReturnType<typeof parseBackupKey>) =>
  verifyBackup(Readable.from([bytes]), key, 'file')

/** Makes a backup of a small calendar with pictures, with and without a key. */
async function givenBackups(t: TestContext) {
  const app = await startTestApp(t)
  await givenEvent(app, { venue: { venue: 'Parc Jarry' }, categories: ['Fête'] })
  await app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/media', ...form(await picture(400, 300)) })
  const folder = await givenFolder(t)
  const key = parseBackupKey((await newKey()).identity)
  const { config } = app.deps
  await backUp(config, join(folder, 'plain'))
  await backUp(config, join(folder, 'locked'), { key })
  return [
    { key: undefined, bytes: await readFile(join(folder, 'plain')) },
    { key, bytes: await readFile(join(folder, 'locked')) },
  ]
}

/** Damages a file: flips some bits, removes its end or a piece, or adds bytes. */
function damaged(whole: Buffer): fc.Arbitrary<Buffer> {
  const at = fc.nat({ max: whole.length - 1 })
  const flipped = fc
    .array(fc.tuple(at, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 })
    .map((turns) => {
      const bytes = Buffer.from(whole)
      for (const [index, bits] of turns) bytes[index] = (bytes[index] ?? 0) ^ bits
      return bytes
    })
  const cut = at.map((end) => whole.subarray(0, end))
  const holed = fc
    .tuple(at, fc.integer({ min: 1, max: 5000 }))
    .map(([start, size]) => Buffer.concat([whole.subarray(0, start), whole.subarray(start + size)]))
  const grown = fc
    .tuple(at, fc.uint8Array({ minLength: 1, maxLength: 600 }))
    .map(([start, more]) => Buffer.concat([whole.subarray(0, start), more, whole.subarray(start)]))
  return fc.oneof(flipped, cut, holed, grown).filter((bytes) => !bytes.equals(whole))
}

test('a backup that is damaged anywhere is refused, with and without a key', async (t) => {
  for (const { bytes, key } of await givenBackups(t)) {
    await verify(bytes, key)

    await fc.assert(
      fc.asyncProperty(damaged(bytes), (broken) => assert.rejects(verify(broken, key), BackupError)),
      { numRuns: runs(30, 150) },
    )
  }
})

test('a part that is not what was written is named', async (t) => {
  const [whole] = await givenBackups(t)
  assert.ok(whole)
  const rows = textPart('database/settings.000001.ndjson', '{"name":"colour","value":"blue"}\n')
  const parts = withSums([beginningPart(), rows])
  const changed = parts.map((part) =>
    part.name === rows.name ? textPart(rows.name, '{"name":"colour","value":"grey"}\n') : part,
  )

  await verify(await packed(parts))
  await assert.rejects(
    verify(await packed(changed)),
    /damaged in sums\/000001\.sha256: the part database\/settings\.000001\.ndjson is not as it was written/,
  )
  await assert.rejects(verify(whole.bytes.subarray(0, -1)), /damaged in .*: its end is missing/)
})

test('the key that is missing, wrong, or only public is told', async (t) => {
  const [, locked] = await givenBackups(t)
  const other = await newKey()
  assert.ok(locked)

  await assert.rejects(verify(locked.bytes), /is encrypted\. Give its key with --key-file/)
  await assert.rejects(verify(locked.bytes, parseBackupKey(other.identity)), /The key does not open this backup/)
  await assert.rejects(
    verify(locked.bytes, parseBackupKey(other.recipient)),
    /key is public\. Opening the backup requires the secret key/,
  )
  await assert.rejects(verify(locked.bytes, parseBackupKey('a passphrase of somebody')), /does not open this backup/)
})

const row = { name: 'colour', value: 'blue' }
const settings = textPart('database/settings.000001.ndjson', `${JSON.stringify(row)}\n`)
const sizes = '{}'
const pictured = (file: string) =>
  textPart('database/media.000001.ndjson', `${JSON.stringify({ record_id: 1, file, sizes })}\n`)
const stored = '2030/01/photo-0a.jpg'

/**
 * Parts made by an attacker who knows the format of backups, by the reason for the refusal. Their checksums and
 * manifest are valid.
 */
const hostile: Readonly<Record<string, Readonly<Record<string, readonly TestPart[]>>>> = {
  'it has a part that no backup has': {
    'a name that climbs out': [beginningPart(), textPart('../evil', 'x')],
    'a picture that climbs out': [beginningPart(), textPart('media/../../2030/01/a.jpg', 'x')],
    'a name from the root': [beginningPart(), textPart('/etc/passwd', 'x')],
    'a name with a backslash': [beginningPart(), textPart('media/2030/01/..\\a.jpg', 'x')],
    'a script among pictures': [beginningPart(), textPart('media/2030/01/a.php', 'x')],
    'a link': [
      beginningPart(),
      { ...textPart('media/2030/01/a.jpg', ''), header: { type: 'symlink', linkname: '/etc/passwd' } },
    ],
    'a hard link': [
      beginningPart(),
      { ...textPart('media/2030/01/a.jpg', ''), header: { type: 'link', linkname: '/etc/passwd' } },
    ],
    'a folder': [beginningPart(), { ...textPart('media/2030/01/a.jpg', ''), header: { type: 'directory' } }],
    'a device': [beginningPart(), { ...textPart('media/2030/01/a.jpg', ''), header: { type: 'character-device' } }],
    'headers of a kind that we do not write': [beginningPart(), { ...settings, header: { pax: { uid: '0' } } }],
  },
  'has a file that belongs to no picture': {
    'a picture that no row names': [beginningPart(), textPart(`media/${stored}`, 'x')],
  },
  'lists a picture file that it does not contain': {
    'a row that names a picture which is not there': [beginningPart(), pictured(stored)],
  },
  'A picture has files with invalid names': {
    'a row that names a file outside': [beginningPart(), pictured('../../etc/passwd')],
  },
  'it is not where it should be': {
    'the same picture twice': [
      ...[beginningPart(), pictured(stored)],
      ...[textPart(`media/${stored}`, 'x'), textPart(`media/${stored}`, 'y')],
    ],
    'the same rows twice': [beginningPart(), settings, settings],
    'a table in two places': [beginningPart(), settings, pictured('2030/01/b.jpg'), settings],
    'rows behind pictures': [beginningPart(), pictured(stored), textPart(`media/${stored}`, 'x'), settings],
    'a table that begins in its middle': [beginningPart(), textPart('database/settings.000002.ndjson', '{}\n')],
    'two beginnings': [beginningPart(), beginningPart()],
    'no beginning': [settings],
    nothing: [],
  },
  'settings has a line that is not a row': {
    'rows that are lists': [beginningPart(), textPart(settings.name, '[1]\n')],
    'rows that hold objects': [beginningPart(), textPart(settings.name, '{"name":{"toString":1},"value":""}\n')],
  },
  'settings do not all have the same columns': {
    'rows that are not alike': [beginningPart(), textPart(settings.name, '{"name":"a","value":""}\n{"name":"b"}\n')],
  },
  'settings has a line that is not JSON': {
    'rows that are no JSON': [beginningPart(), textPart(settings.name, 'drop table users\n')],
  },
  'format 2, written by a newer version': {
    'a newer format': [beginningPart({ format: 2 })],
  },
  'its content is not as expected': {
    'a beginning that says nothing': [textPart('backup.json', 'null')],
  },
}

for (const [reason, cases] of Object.entries(hostile)) {
  for (const [title, parts] of Object.entries(cases)) {
    test(`a backup with ${title} is refused`, async () => {
      await assert.rejects(
        verify(await packed(withSums(parts))),
        (error) => error instanceof BackupError && error.message.includes(reason),
      )
    })
  }
}

test('a manifest that counts other rows, tables or pictures than there are is refused', async () => {
  const parts = [beginningPart(), settings]
  const digest = '0'.repeat(64)
  const pictures = { files: 1, bytes: 0, removed: [], missing: [] }

  for (const changes of [
    { tables: {} },
    { tables: { settings: { rows: 1, digest } } },
    { tables: { other: { rows: 1, digest } } },
    { pictures },
    { sums: digest },
  ]) {
    await assert.rejects(verify(await packed(withSums(parts, changes))), BackupError, JSON.stringify(changes))
  }
})

test('a part that says it is larger than any may be is refused before it is read', async () => {
  const tar = pack()
  tar.entry({ name: settings.name, size: 2 ** 33 })
  const [header] = await once(tar, 'data')

  await assert.rejects(verify(await sealedTar(header)), /has 8589934592 bytes, more than any may have/)
})

test('what is no backup is told so', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK\x03\x04'), Buffer.from('some text'), Buffer.alloc(100_000)]) {
    await assert.rejects(
      verify(bytes),
      /^BackupError: file is not a backup of this service|^Error: file is not a backup of this service, or its beginning is damaged\.$/,
    )
  }
})
