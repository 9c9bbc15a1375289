import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, onlyPlain } from './accept.encoding.ts'
import { coded } from './coder.ts'
import { acceptedBy, codingFor, isText, knownForm, sayCoding, varyingByCoding } from './coding.ts'
import type { Headers } from './headers.ts'

/** A file that is sent unchanged. */
export interface Asset {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
  /** Returns the file in a coding. It is coded once, at the highest level, when first requested. */
  readonly codedIn: (coding: Coding) => Promise<Buffer>
}

export function assetOf(type: string, bytes: Buffer): Asset {
  const forms = new Map<Coding, () => Promise<Buffer>>()
  const codedIn = (coding: Coding) => {
    const form = forms.get(coding) ?? once(() => coded(coding, bytes, 'lasting'))
    forms.set(coding, form)
    return form()
  }
  return { type, bytes, etag: `"${digestOf(bytes)}"`, codedIn }
}

/** Returns a short digest of the content. Different contents have different digests. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

export async function sendAsset(
  { raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { asset: { type, bytes, etag, codedIn }, headers: more }: { readonly asset: Asset; readonly headers: Headers },
): Promise<FastifyReply> {
  const isCodable = isText(type, more['Cache-Control'])
  const accepted = isCodable ? acceptedBy(raw) : onlyPlain
  const known = knownForm(etag, accepted, headers['if-none-match'])
  reply.headers({ ...(isCodable ? varyingByCoding(more) : more), ETag: known ?? etag })
  if (known !== undefined) return reply.status(304).send()
  reply.type(type)
  const coding = codingFor(accepted, bytes.length)
  if (!coding) return reply.send(bytes)
  const form = await codedIn(coding)
  sayCoding(reply, coding)
  return reply.send(form)
}

/** Calls `make` on first use, and again only if the call failed. */
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
