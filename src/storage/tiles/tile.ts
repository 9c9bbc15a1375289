import type { TileCoding } from './tile.coding.ts'

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
