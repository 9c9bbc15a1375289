import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { archiveFile, pmtiles } from '../../../test/support/pmtiles.ts'
import { ConfigError, readConfig } from '../../base/config/config.ts'
import { startService } from '../../main.ts'
import { createStreets } from './streets.ts'

const tiles = [{ z: 0, x: 0, y: 0, bytes: Buffer.from('tile') }]

async function opened(t: TestContext, bytes: Buffer) {
  const streets = createStreets({ mapPmtiles: await archiveFile(t, bytes) })
  t.after(() => streets.close())
  const archive = await streets.archive()
  assert.ok(archive)
  return archive
}

test('an archive gives its tiles as they are stored, and nothing where it has none', async (t) => {
  const packed = await opened(t, pmtiles({ tiles }))
  const plain = await opened(t, pmtiles({ tiles, isPacked: false }))

  assert.equal((await packed.find({ z: 0, x: 0, y: 0 }))?.coding, 'gzip')
  assert.deepEqual(await plain.find({ z: 0, x: 0, y: 0 }), { bytes: Buffer.from('tile'), coding: undefined })
  assert.equal(await packed.find({ z: 1, x: 0, y: 0 }), undefined)
})

test('the version of an archive stands for its content, wherever its file is', async (t) => {
  const [one, same, other] = await Promise.all([
    opened(t, pmtiles({ tiles })),
    opened(t, pmtiles({ tiles })),
    opened(t, pmtiles({ tiles, metadata: { vector_layers: [{ id: 'roads', fields: { kind: '' } }], version: '2' } })),
  ])

  assert.equal(one?.version, same?.version)
  assert.notEqual(one?.version, other?.version)
})

test('what is wrong with the file of the map is said in a sentence', async (t) => {
  const whole = pmtiles({ tiles })
  const cases: readonly (readonly [string, RegExp])[] = [
    ['/nowhere/town.pmtiles', /^MAP_PMTILES is “\/nowhere\/town\.pmtiles” but must be a file that exists\.$/],
    [tmpdir(), /must be a file that can be read|must be a PMTiles archive, version 3\.$/],
    [await archiveFile(t, Buffer.alloc(0)), /must be a PMTiles archive, version 3\.$/],
    [await archiveFile(t, randomBytes(20_000)), /must be a PMTiles archive, version 3\.$/],
    [await archiveFile(t, whole.subarray(0, 130)), /must be a (?:whole )?PMTiles archive/],
    [
      await archiveFile(t, pmtiles({ tiles, tileType: 2 })),
      /must be an archive of vector tiles \(MVT\); it holds png\.$/,
    ],
    [
      await archiveFile(t, pmtiles({ tiles, metadata: { vector_layers: [{ id: 'transportation', fields: {} }] } })),
      /schema of the Protomaps basemap, version 4; it has no layer “roads” with a “kind”\.$/,
    ],
    [await archiveFile(t, pmtiles({ tiles, metadata: null })), /schema of the Protomaps basemap/],
  ]

  for (const [mapPmtiles, expected] of cases) {
    await assert.rejects(createStreets({ mapPmtiles }).archive(), (error) => {
      assert.ok(error instanceof ConfigError, String(error))
      assert.match(error.faults.join(' '), expected)
      return true
    })
  }
})

test('the service does not start without the map that it is set to show', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-start-'))
  t.after(() => rm(folder, { recursive: true }))
  const config = readConfig({ DATA_DIR: folder, PORT: '0', MAP_PMTILES: join(folder, 'none.pmtiles') })

  await assert.rejects(startService(config), /^Error: The configuration is not valid:\n- MAP_PMTILES is /)
})
