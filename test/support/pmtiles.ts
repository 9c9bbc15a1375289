import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'

/** A tile of an archive before compression. */
export interface GivenTile {
  readonly z: number
  readonly x: number
  readonly y: number
  readonly bytes: Uint8Array
}

export interface GivenArchive {
  readonly tiles: readonly GivenTile[]
  readonly metadata?: unknown
  readonly bounds?: readonly [number, number, number, number]
  /** 1 means vector tiles, 2 means PNG (PMTiles 3, section 3). */
  readonly tileType?: number
  /** True if tiles are compressed with gzip, as usual. */
  readonly isPacked?: boolean
}

const headerBytes = 127

/** Returns a PMTiles archive of version 3, whose root directory lists all tiles. */
export function pmtiles({
  tiles,
  metadata = { vector_layers: [{ id: 'roads', fields: { kind: 'String' } }] },
  bounds = [-180, -85, 180, 85],
  tileType = 1,
  isPacked = true,
}: GivenArchive): Buffer {
  const entries = tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes: isPacked ? gzipSync(bytes) : Buffer.from(bytes) }))
    .sort((one, other) => one.id - other.id)
  const directory = gzipSync(directoryOf(entries.map(({ id, bytes }) => ({ id, length: bytes.length }))))
  const described = gzipSync(JSON.stringify(metadata))
  const data = Buffer.concat(entries.map(({ bytes }) => bytes))
  const zooms = tiles.map(({ z }) => z)
  const header = Buffer.alloc(headerBytes)
  header.write('PMTiles', 'latin1')
  header.writeUInt8(3, 7)
  const metadataAt = headerBytes + directory.length
  const dataAt = metadataAt + described.length
  const places = [headerBytes, directory.length, metadataAt, described.length, dataAt, 0, dataAt, data.length]
  const counts = [entries.length, entries.length, entries.length]
  for (const [place, number] of [...places, ...counts].entries()) {
    header.writeBigUInt64LE(BigInt(number), 8 + place * 8)
  }
  const [gzip, plain] = [2, 1]
  for (const [place, number] of [
    1,
    gzip,
    isPacked ? gzip : plain,
    tileType,
    Math.min(...zooms),
    Math.max(...zooms),
  ].entries()) {
    header.writeUInt8(number, 96 + place)
  }
  for (const [place, degrees] of bounds.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + place * 4)
  return Buffer.concat([header, directory, described, data])
}

/** Encodes ids as differences, runs, lengths and offsets, one column each (PMTiles 3, section 4). */
function directoryOf(entries: readonly { readonly id: number; readonly length: number }[]): Buffer {
  const ids = entries.map(({ id }, place) => id - (entries[place - 1]?.id ?? 0))
  const numbers = [
    entries.length,
    ...ids,
    ...entries.map(() => 1),
    ...entries.map(({ length }) => length),
    // 0 if the tile follows the previous one; else one more than the offset.
    ...entries.map((_, place) => (place === 0 ? 1 : 0)),
  ]
  return Buffer.from(numbers.flatMap(varint))
}

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) + 128, ...varint(Math.floor(number / 128))]
}

/** Writes these bytes to a file, which is removed when the test ends. */
export async function archiveFile(t: Pick<TestContext, 'after'>, bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-map-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'town.pmtiles')
  await writeFile(file, bytes)
  return file
}
