import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Config, readConfig } from '../../src/base/config/config.ts'
import { type TableRow, tableBatches, tableNames } from '../../src/storage/database/copies/copy.tables.ts'
import { withSnapshot } from '../../src/storage/database/copies/snapshot.ts'
import { startTestApp } from '../support/app.ts'
import { backUp, givenBackupConfig, givenFolder, restore } from '../support/backup.ts'
import { givenEvent } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'

async function contentAt(config: Config): Promise<Readonly<Record<string, readonly TableRow[]>>> {
  return withSnapshot(config, async ({ db }) => {
    const tables: [string, readonly TableRow[]][] = []
    for (const table of tableNames) tables.push([table, (await Array.fromAsync(tableBatches(db, table))).flat()])
    return Object.fromEntries(tables)
  })
}

test('a backup of PostgreSQL is restored into SQLite, and one of that into PostgreSQL', async (t) => {
  const back = await givenBackupConfig(t)
  if (!back) {
    t.skip('PGlite is in one process only.')
    return
  }
  const app = await startTestApp(t)
  const { config } = app.deps
  const { body: image } = await app.send({
    ...{ as: 'editor', method: 'POST', path: '//cal/service/v1/media' },
    ...form(await picture(400, 300)),
  })
  await givenEvent(app, {
    title: 'Été 🎉',
    venue: { venue: 'Parc Jarry', geo_lat: '45.53', geo_lng: '-73.63' },
    image: image.id,
  })
  const [first, second] = [join(await givenFolder(t), 'first'), join(await givenFolder(t), 'second')]
  const between = readConfig({ DATA_DIR: await givenFolder(t) })

  const there = await backUp(config, first)
  await restore(between, first)
  const here = await backUp(between, second)
  await restore(back, second)

  assert.deepEqual([there.backupHeader.engine, here.backupHeader.engine], ['postgres', 'sqlite'])
  assert.deepEqual(here.manifest.tables, there.manifest.tables)
  assert.deepEqual(here.manifest.pictures, there.manifest.pictures)
  assert.deepEqual(await contentAt(between), await contentAt(config))
  assert.deepEqual(await contentAt(back), await contentAt(config))
})
