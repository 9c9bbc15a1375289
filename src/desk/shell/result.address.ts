import { createHmac, timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { OwnCall } from './desk.call.ts'

// A form that was sent is answered with an address that shows what it did, so that loading the page again sends nothing.
// The result is a part of that address. Nothing is stored, so any node can show it.

/** Proxies accept addresses of 8 KB. */
const longestResult = 6000
const longestText = 256 * 1024

/**
 * Returns a result as a parameter of the address that shows it; undefined if it is too long for an address.
 *
 * @param purpose The path of the page that shows it. Other pages do not accept it.
 */
export function packResult(call: OwnCall, purpose: string, result: object): string | undefined {
  const packed = deflateRawSync(JSON.stringify(result)).toString('base64url')
  const text = `${packed}.${signatureOf(call, purpose, packed)}`
  return text.length > longestResult ? undefined : text
}

/**
 * Returns a result from its address; undefined if the address was not made in this session. So nobody can send others a
 * link that says what never happened.
 */
export function unpackResult(call: OwnCall, purpose: string): unknown {
  const [packed = '', signature = ''] = (call.query.get('result') ?? '').split('.')
  const [own, sent] = [signatureOf(call, purpose, packed), signature].map((one) => Buffer.from(one))
  if (!own || !sent || own.length !== sent.length || !timingSafeEqual(own, sent)) return undefined
  const text = inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: longestText })
  return JSON.parse(text.toString())
}

/** The token of a session is known to its user alone. */
function signatureOf({ me }: OwnCall, purpose: string, packed: string): string {
  return createHmac('sha256', me.csrf_token).update(`${purpose} ${packed}`).digest('base64url').slice(0, 32)
}
