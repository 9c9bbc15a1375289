import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, identityOnly } from './accept.encoding.ts'
import {
  chooseCoding,
  codingsAcceptedBy,
  isText,
  matchedEtag,
  setContentEncoding,
  withVaryByEncoding,
} from './content.coding.ts'
import { encodeContent } from './content.encoder.ts'
import type { Headers } from './headers.ts'

/** A file that is sent unchanged. */
export interface Asset {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
  /** Returns the file in a coding. It is encoded once, at the highest level, when first requested. */
  readonly codedIn: (coding: Coding) => Promise<Buffer>
}

export function assetOf(type: string, bytes: Buffer): Asset {
  const forms = new Map<Coding, () => Promise<Buffer>>()
  const codedIn = (coding: Coding) => {
    const form = forms.get(coding) ?? once(() => encodeContent(coding, bytes, 'lasting'))
    forms.set(coding, form)
    return form()
  }
  return { type, bytes, etag: `"${assetDigest(bytes)}"`, codedIn }
}

/** Returns a short digest of the content. Different contents have different digests. */
export function assetDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

export async function sendAsset(
  { raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { asset: { type, bytes, etag, codedIn }, headers: more }: { readonly asset: Asset; readonly headers: Headers },
): Promise<FastifyReply> {
  const isCodable = isText(type, more['Cache-Control'])
  const accepted = isCodable ? codingsAcceptedBy(raw) : identityOnly
  const known = matchedEtag(etag, accepted, headers['if-none-match'])
  reply.headers({ ...(isCodable ? withVaryByEncoding(more) : more), ETag: known ?? etag })
  if (known !== undefined) return reply.status(304).send()
  reply.type(type)
  const coding = chooseCoding(accepted, bytes.length)
  if (!coding) return reply.send(bytes)
  const form = await codedIn(coding)
  setContentEncoding(reply, coding)
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
