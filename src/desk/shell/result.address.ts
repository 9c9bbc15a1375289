import { createHmac, timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { OwnCall } from './desk.call.ts'

// A form that was sent is answered with an address that shows what it did, so that loading the page again sends nothing.
// The result is a part of that address. Nothing is stored, so any node can show it.

/** The parameter of an address that says what was done. */
export const resultName = 'result'
/** Proxies accept addresses of 8 KB. */
const longestResult = 6000
const longestText = 256 * 1024

/**
 * Returns a result as a parameter of the address that shows it; undefined if it is too long for an address.
 *
 * @param purpose The path of the page that shows it. Other pages do not accept it.
 */
export function packResult(call: OwnCall, purpose: string, result: object): string | undefined {
  const json = JSON.stringify(result)
  if (Buffer.byteLength(json) > longestText) return undefined
  const packed = deflateRawSync(json).toString('base64url')
  const text = `${packed}.${signatureOf(call, purpose, packed)}`
  return text.length > longestResult ? undefined : text
}

/**
 * Returns a result from its address; undefined if the address was not made in this session. So nobody can send others a
 * link that says what never happened. Users can sign anything for themselves, so the shape is checked too.
 */
export function unpackResult<T>(
  call: OwnCall,
  purpose: string,
  isResult: (value: unknown) => value is T,
): T | undefined {
  const [packed = '', signature = ''] = (call.query.get(resultName) ?? '').split('.')
  const [own, sent] = [signatureOf(call, purpose, packed), signature].map((one) => Buffer.from(one))
  if (!own || !sent || own.length !== sent.length || !timingSafeEqual(own, sent)) return undefined
  const value = unpacked(packed)
  return isResult(value) ? value : undefined
}

function unpacked(packed: string): unknown {
  try {
    const text = inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: longestText })
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}

/** Returns the members of a value of any shape. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {}
}

/** Whether a value is a list of objects whose members with these names are texts. */
export function areTexts<Name extends string>(
  value: unknown,
  names: readonly Name[],
): value is readonly Readonly<Record<Name, string>>[] {
  return Array.isArray(value) && value.every((one) => names.every((name) => typeof membersOf(one)[name] === 'string'))
}

/** The token of a session is known to its user alone. */
function signatureOf({ me }: OwnCall, purpose: string, packed: string): string {
  return createHmac('sha256', me.csrf_token).update(`${purpose} ${packed}`).digest('base64url').slice(0, 32)
}
