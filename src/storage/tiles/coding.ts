import { promisify } from 'node:util'
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib'

/** The content coding of stored bytes, as HTTP names it (RFC 9110, 8.4.1). */
export type Coding = 'gzip' | 'br' | 'zstd'

const longestDecoded = 64 * 1024 * 1024

const decoders = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const satisfies Record<Coding, unknown>

/** Returns the bytes with the coding removed. */
export async function decoded(bytes: Uint8Array, coding: Coding | undefined): Promise<Buffer> {
  return coding === undefined ? Buffer.from(bytes) : decoders[coding](bytes, { maxOutputLength: longestDecoded })
}
