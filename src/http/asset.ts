import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Headers } from './headers.ts'

const pack = promisify(gzip)

/** Something that is sent as it is. */
export interface Asset {
  readonly type: string
  readonly bytes: Buffer
  readonly gzipped: Buffer
  /** Weak: it stands for the packed bytes as well (RFC 9110, 8.8.1). */
  readonly etag: string
}

export async function assetOf(type: string, bytes: Buffer): Promise<Asset> {
  return { type, bytes, gzipped: await pack(bytes), etag: `W/"${digestOf(bytes)}"` }
}

/** A short name of the content, another one for every other content. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

export function sendAsset({ headers }: FastifyRequest, reply: FastifyReply, asset: Asset, more: Headers): FastifyReply {
  const { type, bytes, gzipped, etag } = asset
  reply.headers({ ...more, ETag: etag, Vary: 'Accept-Encoding' })
  if (headers['if-none-match']?.includes(etag)) return reply.status(304).send()
  reply.type(type)
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i.test(String(headers['accept-encoding'] ?? ''))
    ? reply.header('Content-Encoding', 'gzip').send(gzipped)
    : reply.send(bytes)
}

/** Calls `make` when it is first needed, and again only if that failed. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
