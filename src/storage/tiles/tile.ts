import { promisify } from 'node:util'
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib'

/** Position of a tile on the square of the Earth (EPSG:3857). */
export interface TileCoordinates {
  readonly z: number
  readonly x: number
  readonly y: number
}

export interface StoredTile {
  readonly bytes: Buffer
  readonly coding: TileCoding | undefined
}

/** One file with the vector tiles of a region, in the schema of the Protomaps basemap. */
export interface TileArchive {
  /** Digest of the header, the first directory and the metadata, which name the build. */
  readonly version: string
  readonly minZoom: number
  readonly maxZoom: number
  /** West, south, east, north, in degrees. */
  readonly bounds: readonly [number, number, number, number]
  /** Returns undefined if the archive has no tile at this position. */
  find(place: TileCoordinates): Promise<StoredTile | undefined>
  close(): Promise<void>
}

/** The content coding of stored bytes, as HTTP names it (RFC 9110, 8.4.1). */
export type TileCoding = 'gzip' | 'br' | 'zstd'

const maxDecodedBytes = 64 * 1024 * 1024

const decoders = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const satisfies Record<TileCoding, unknown>

/** Returns the bytes with the coding removed. */
export async function decodeBytes(bytes: Uint8Array, coding: TileCoding | undefined): Promise<Buffer> {
  return coding === undefined ? Buffer.from(bytes) : decoders[coding](bytes, { maxOutputLength: maxDecodedBytes })
}
