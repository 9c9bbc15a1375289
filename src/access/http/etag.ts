import { hash } from 'node:crypto'
import type { Coding } from './accept.encoding.ts'

/**
 * Returns a strong validator of these bytes, or of a text in UTF-8 (RFC 9110, 8.8.3).
 *
 * @param version The version of the record that they show. The validator then begins with it.
 */
export function etagOf(body: string | Buffer, version?: number): string {
  return `"${version === undefined ? '' : `${version}-`}${hash('sha1', body, 'base64url')}"`
}

/** Returns the validator of a response in this coding. Each coded form has a different one (RFC 9110, 8.8.3.3). */
export function codedEtag(etag: string, coding: Coding): string {
  return etag.replace(/"$/, `-${coding}"`)
}

/** Returns true if `If-None-Match` lists this validator. Uses the weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  const opaque = opaqueOf(etag)
  return ifNoneMatch.split(',').some((tag) => opaqueOf(tag.trim()) === opaque)
}

/** Removes the mark of a weak validator. */
function opaqueOf(etag: string): string {
  return etag.replace(/^W\//, '')
}
