import type { Coding } from './coding.ts'

/** Position of a tile on the square of the Earth (EPSG:3857). */
export interface TilePlace {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** A tile in its stored encoding. */
export interface StoredTile {
  readonly bytes: Buffer
  readonly coding: Coding | undefined
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
  find(place: TilePlace): Promise<StoredTile | undefined>
  close(): Promise<void>
}
