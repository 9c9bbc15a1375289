import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestApp } from '../../../../test/support/app.ts'
import { archiveFile, pmtiles } from '../../../../test/support/pmtiles.ts'

const content = Buffer.from('streets of a tile')
const tiles = [
  { z: 2, x: 1, y: 1, bytes: content },
  { z: 3, x: 2, y: 2, bytes: Buffer.from('nearer') },
]

/** Starts a service with these tiles and returns it with their address. */
async function startWithTiles(t: TestContext, isPacked = true) {
  const file = await archiveFile(t, pmtiles({ tiles, isPacked }))
  const app = await startTestApp(t, { MAP_PMTILES: file })
  const archive = await app.deps.streets.archive()
  const folder = `//assets/map/${archive?.version}`
  return { app, folder }
}

test('a tile is sent as it is stored, for as long as anybody likes to keep it', async (t) => {
  const { app, folder } = await startWithTiles(t)

  const answer = await app.send({ path: `${folder}/2/1/1.mvt`, headers: { 'accept-encoding': 'br, gzip;q=0.5' } })

  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'application/vnd.mapbox-vector-tile')
  assert.equal(answer.headers['content-encoding'], 'gzip')
  assert.equal(answer.headers.vary, 'Accept-Encoding')
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.deepEqual(gunzipSync(answer.bytes), content)
})

test('a client that does not read gzip gets the tile itself', async (t) => {
  const { app, folder } = await startWithTiles(t)
  const plain = await startWithTiles(t, false)
  const refusals: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'gzip;q=0' },
  ]

  for (const headers of refusals) {
    const answer = await app.send({ path: `${folder}/2/1/1.mvt`, headers })
    assert.equal(answer.headers['content-encoding'], undefined)
    assert.deepEqual(answer.bytes, content)
  }
  const stored = await plain.app.send({ path: `${plain.folder}/2/1/1.mvt`, headers: { 'accept-encoding': 'gzip' } })
  assert.equal(stored.headers['content-encoding'], undefined)
  assert.deepEqual(stored.bytes, content)
})

test('who has a tile is not sent it again', async (t) => {
  const { app, folder } = await startWithTiles(t)
  const path = `${folder}/2/1/1.mvt`
  const { headers } = await app.send({ path })

  const again = await app.send({ path, headers: { 'if-none-match': String(headers.etag) } })

  assert.equal(again.status, 304)
  assert.equal(again.text, '')
  assert.equal(again.headers.etag, headers.etag)
  assert.notEqual((await app.send({ path: `${folder}/3/2/2.mvt` })).headers.etag, headers.etag)
})

test('a place with nothing to see is empty; one that no map has is not found', async (t) => {
  const { app, folder } = await startWithTiles(t)

  const empty = await app.send({ path: `${folder}/3/7/7.mvt` })
  assert.equal(empty.status, 204)
  assert.equal(empty.text, '')
  for (const path of [
    ...['1/0/0.mvt', '4/0/0.mvt', '2/4/0.mvt', '2/0/4.mvt', '2/-1/0.mvt', '2/1/1.png', '2/1/1', '2/01/1.mvt'],
    ...['2/1/1e0.mvt', '2/1/%00.mvt', '99999999999/0/0.mvt', '2/1/.mvt', '30/1073741824/0.mvt'],
  ]) {
    assert.equal((await app.send({ path: `${folder}/${path}` })).status, 404, path)
  }
})

test('tiles of another archive, or of none, are not found', async (t) => {
  const { app } = await startWithTiles(t)
  const without = await startTestApp(t)

  for (const one of [app, without]) {
    assert.equal((await one.send({ path: '//assets/map/0123456789abcdef/2/1/1.mvt' })).status, 404)
  }
})
