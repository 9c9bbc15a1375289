import { hash } from 'node:crypto'
import type { Coding } from './accept.encoding.ts'

/** What tells whether a client has a response (RFC 9110, 8.8). */
export interface Validators {
  /** With its quotes. */
  readonly etag: string
  /** An HTTP date. Undefined if only the validator counts. */
  readonly lastModified?: string | undefined
}

/** The header fields of a request that say what the client has. */
export interface Conditions {
  readonly 'if-none-match'?: string | undefined
  readonly 'if-modified-since'?: string | undefined
}

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

/** Returns true if `If-Modified-Since` is not before this date. It must be a date in GMT (RFC 9110, 5.6.7 and 13.1.3). */
export function isUnmodified(lastModified: string | undefined, ifModifiedSince: string | undefined): boolean {
  if (lastModified === undefined || ifModifiedSince?.endsWith(' GMT') !== true) return false
  return Date.parse(ifModifiedSince) >= Date.parse(lastModified)
}

/** Returns the header with the date of a response, if it is known. */
export function dateHeader(validators: Pick<Validators, 'lastModified'> | undefined): Readonly<Record<string, string>> {
  const date = validators?.lastModified
  return date === undefined ? {} : { 'Last-Modified': date }
}

/** Removes the mark of a weak validator. */
function opaqueOf(etag: string): string {
  return etag.replace(/^W\//, '')
}
