import { promisify } from 'node:util'
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib'

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
