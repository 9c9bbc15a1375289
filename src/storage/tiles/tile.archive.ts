import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Compression, type Header, PMTiles, SharedPromiseCache, type Source, TileType, tileTypeExt } from 'pmtiles'
import { ConfigError } from '../../base/config/config.ts'
import { decodeBytes, type TileArchive, type TileCoding } from './tile.ts'

/** Larger than any part of an archive. A caller that requests more reads a broken archive. */
const maxReadBytes = 16 * 1024 * 1024

/** A file that is read in independent parts. */
interface RandomAccessFile extends Source {
  close(): Promise<void>
}

/**
 * Opens a file for reading parts of it.
 *
 * @throws Error of the system if the file cannot be read.
 */
async function openRandomAccess(path: string): Promise<RandomAccessFile> {
  const file = await open(path)
  return {
    getKey: () => path,
    getBytes: async (offset, length) => {
      if (length > maxReadBytes) throw new Error(`${path} has a part of ${length} bytes.`)
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: offset })
      return { data: toArrayBuffer(buffer.subarray(0, bytesRead)) }
    },
    close: () => file.close(),
  }
}

/** Returns the bytes in a buffer of their own. */
function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}

/**
 * Maximum number of archive directories kept in memory. The archive of a town has one. Those of the planet take 1 MB
 * each.
 */
const maxDirectories = 16
/** The header and the first directory must be within these bytes (PMTiles 3, section 2). */
const headBytes = 16_384
const maxMetadataBytes = 4 * 1024 * 1024

const codings: Partial<Readonly<Record<Compression, TileCoding>>> = {
  [Compression.Gzip]: 'gzip',
  [Compression.Brotli]: 'br',
  [Compression.Zstd]: 'zstd',
}

async function decompressed(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  return toArrayBuffer(await decodeBytes(new Uint8Array(bytes), codings[compression]))
}

/**
 * Opens an archive and checks whether the map can be drawn from it.
 *
 * @throws ConfigError with a message that says what is wrong with the file.
 */
export async function openTileArchive(path: string): Promise<TileArchive> {
  const wrong = (expected: string, cause?: unknown) =>
    Object.assign(new ConfigError([`MAP_PMTILES is “${path}” but must be ${expected}.`]), { cause })
  const file = await openRandomAccess(path).catch((error: NodeJS.ErrnoException) => {
    throw wrong(error.code === 'ENOENT' ? 'a file that exists' : `a file that can be read (${error.code})`, error)
  })
  try {
    const cache = new SharedPromiseCache(maxDirectories, false, decompressed)
    const header = await cache.getHeader(file).catch((error: unknown) => {
      throw wrong('a PMTiles archive, version 3', error)
    })
    if (header.tileType !== TileType.Mvt) {
      const kind = tileTypeExt(header.tileType).slice(1) || 'something else'
      throw wrong(`an archive of vector tiles (MVT); it holds ${kind}`)
    }
    const { metadata, version } = await readMetadata(file, header).catch((error: unknown) => {
      throw wrong('a whole PMTiles archive; its metadata cannot be read', error)
    })
    if (!hasRoads(metadata)) {
      throw wrong('made in the schema of the Protomaps basemap, version 4; it has no layer “roads” with a “kind”')
    }
    // Stored tiles are sent unchanged, so they are not decompressed.
    const tiles = new PMTiles(file, cache, async (bytes) => bytes)
    const coding = codings[header.tileCompression]
    return {
      version,
      minZoom: header.minZoom,
      maxZoom: header.maxZoom,
      bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat],
      find: async ({ z, x, y }) => {
        const found = await tiles.getZxy(z, x, y)
        return found && { bytes: Buffer.from(found.data), coding }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Returns the metadata of the archive, and a version that identifies its content. The version covers the directories.
 */
async function readMetadata(file: RandomAccessFile, header: Header): Promise<{ metadata: unknown; version: string }> {
  if (header.jsonMetadataLength > maxMetadataBytes) throw new Error('Its metadata is too long.')
  const { data: head } = await file.getBytes(0, headBytes)
  const { data: packed } = await file.getBytes(header.jsonMetadataOffset, header.jsonMetadataLength)
  const digest = createHash('sha256').update(new Uint8Array(head)).update(new Uint8Array(packed)).digest('hex')
  const text = Buffer.from(await decompressed(packed, header.internalCompression)).toString('utf8')
  return { metadata: JSON.parse(text), version: digest.slice(0, 16) }
}

/** Whether the archive has the road layer that the style of the map requires. */
function hasRoads(metadata: unknown): boolean {
  const { vector_layers: layers } = (metadata ?? {}) as { readonly vector_layers?: unknown }
  if (!Array.isArray(layers)) return false
  return layers.some(
    (layer: { readonly id?: unknown; readonly fields?: Readonly<Record<string, unknown>> } | null) =>
      layer?.id === 'roads' && layer.fields?.kind !== undefined,
  )
}
