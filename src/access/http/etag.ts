import { hash } from 'node:crypto'
import type { Coding } from './accept.encoding.ts'

/** A strong validator of these bytes (RFC 9110, 8.8.3). */
export function etagOf(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** The validator of an answer in this coding: no two forms have the same one (RFC 9110, 8.8.3.3). */
export function codedEtag(etag: string, coding: Coding): string {
  return etag.replace(/"$/, `-${coding}"`)
}

/** Whether `If-None-Match` names this validator. The comparison is the weak one (RFC 9110, 13.1.2). */
export function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  const opaque = opaqueOf(etag)
  return ifNoneMatch.split(',').some((tag) => opaqueOf(tag.trim()) === opaque)
}

/** A validator without the mark of a weak one. */
function opaqueOf(etag: string): string {
  return etag.replace(/^W\//, '')
}
