import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Config } from '../../src/base/config/config.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { BackupError, type Manifest } from '../../src/operate/backup/backup.ts'
import { type TableRow, tableBatches, tableNames } from '../../src/storage/database/copies/copy.tables.ts'
import { CopyError } from '../../src/storage/database/copies/copy.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import { startTestApp } from '../support/app.ts'
import {
  backUp,
  beginningPart,
  givenBackupConfig,
  givenFolder,
  packed,
  partsOf,
  restore,
  type TestPart,
  textPart,
  withSums,
} from '../support/backup.ts'
import { givenEvent } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'

/** Makes a backup of a calendar with an event, split into parts, and an empty target. Undefined on PGlite. */
async function givenParts(t: TestContext) {
  const place = await givenBackupConfig(t)
  if (!place) {
    t.skip('PGlite is in one process only.')
    return undefined
  }
  const app = await startTestApp(t)
  await givenEvent(app, { venue: { venue: 'Parc Jarry' }, categories: ['Fête'] })
  await app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/media', ...form(await picture(400, 300)) })
  const folder = await givenFolder(t)
  await backUp(app.deps.config, join(folder, 'backup'))
  const parts = await partsOf(join(folder, 'backup'))
  /** Writes a file of these parts, with valid checksums. */
  const file = async (changed: readonly TestPart[], changes: Partial<Manifest> = {}) => {
    const path = join(folder, 'changed')
    await writeFile(path, await packed(withSums(changed, changes)))
    return path
  }
  return { app, place, parts, file }
}

type Given = NonNullable<Awaited<ReturnType<typeof givenParts>>>

const rowsName = (table: string) => `database/${table}.000001.ndjson`

/** Returns the parts with other lines of one table. */
function withLines(parts: Given['parts'], table: string, change: (lines: string) => string): readonly TestPart[] {
  return parts.map((part) =>
    part.name === rowsName(table) ? textPart(part.name, change(part.bytes.toString())) : part,
  )
}

/** Returns all rows by table. */
async function contentOf(config: Config): Promise<Readonly<Record<string, readonly TableRow[]>>> {
  const storage = await openStorage(config, {
    audited: auditedTables,
    derivations: derivationsFor(config),
    isRestoring: true,
  })
  try {
    const tables: [string, readonly TableRow[]][] = []
    for (const table of tableNames)
      tables.push([table, (await Array.fromAsync(tableBatches(storage.db, table))).flat()])
    return Object.fromEntries(tables)
  } finally {
    await storage.close()
  }
}

async function rowsIn(config: Config): Promise<number> {
  const { settings, ...others } = await contentOf(config)
  assert.ok(settings)
  return Object.values(others).flat().length
}

const attacks: Readonly<Record<string, (parts: Given['parts']) => readonly TestPart[]>> = {
  'a column that is none': (parts) =>
    withLines(parts, 'venues', (lines) => lines.replaceAll('"city"', '"city\\"; --"')),
  'a column of the prototype': (parts) => withLines(parts, 'terms', (text) => text.replaceAll('"slug"', '"__proto__"')),
  'a table that is none': (parts) => [
    ...parts.slice(0, 1),
    textPart(rowsName('secrets'), '{"a":1}\n'),
    ...parts.slice(1),
  ],
  'a table of the database’s own': (parts) => [
    ...parts.slice(0, 1),
    textPart(rowsName('kysely_migration'), '{"name":"9999","timestamp":""}\n'),
    ...parts.slice(1),
  ],
}

for (const [title, change] of Object.entries(attacks)) {
  test(`a backup with ${title} is not restored, and leaves the database empty`, async (t) => {
    const given = await givenParts(t)
    if (!given) return
    const { place, parts, file } = given

    await assert.rejects(
      restore(place, await file(change(parts))),
      (error) => error instanceof BackupError || error instanceof CopyError,
    )

    assert.equal(await rowsIn(place), 0)
  })
}

/** Faults that only the constraints of the database detect. */
const broken: Readonly<Record<string, (parts: Given['parts']) => readonly TestPart[]>> = {
  'a link to what is not there': (parts) =>
    withLines(parts, 'event_terms', (text) => text.replace(/"term_id":\d+/, '"term_id":999')),
  'two rows with one key': (parts) => withLines(parts, 'terms', (text) => text + text),
  'a text in the place of a number': (parts) =>
    withLines(parts, 'venues', (text) => text.replace(/"record_id":\d+/, '"record_id":"x"')),
}

for (const [title, change] of Object.entries(broken)) {
  test(`a backup with ${title} is not restored, forced or not, and what was there stays`, async (t) => {
    const given = await givenParts(t)
    const filled = await givenBackupConfig(t)
    if (!given || !filled) return
    const { place, parts, file } = given
    await restore(filled, await file(parts))
    const before = await contentOf(filled)
    const path = await file(change(parts))

    await assert.rejects(restore(place, path), CopyError)
    await assert.rejects(restore(filled, path, { isForced: true }), CopyError)

    assert.equal(await rowsIn(place), 0)
    assert.deepEqual(await contentOf(filled), before)
  })
}

test('a backup of a newer version is refused with the name of that version', async (t) => {
  const given = await givenParts(t)
  if (!given) return
  const { place, parts, file } = given
  const newer = [beginningPart({ migration: '9999-of-tomorrow', service: '7.0.0' }), ...parts.slice(1)]

  await assert.rejects(
    restore(place, await file(newer)),
    /9999-of-tomorrow and was made by version 7\.0\.0.*a newer one/,
  )
})

test('a backup that has not all tables of its form is not restored', async (t) => {
  const given = await givenParts(t)
  if (!given) return
  const { place, file } = given
  const settings = { rows: 0, digest: createHash('sha256').digest('hex') }

  await assert.rejects(
    restore(place, await file([beginningPart()], { tables: { settings } })),
    /table users .* is missing/,
  )
})

test('a damaged backup changes neither the database nor the pictures', async (t) => {
  const given = await givenParts(t)
  if (!given) return
  const { place, parts, file } = given
  const bytes = await packed(withSums(parts))
  const path = await file(parts)
  await writeFile(path, bytes.subarray(0, -200))

  await assert.rejects(restore(place, path), /is damaged/)

  assert.deepEqual(await readdir(place.dataDir), [])
})
