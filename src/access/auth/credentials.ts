import { hash, randomInt } from 'node:crypto'

/** The credentials that a request presents. */
export type Credentials =
  | { readonly kind: 'basic'; readonly login: string; readonly secret: string }
  | { readonly kind: 'bearer'; readonly secret: string }
  | { readonly kind: 'session'; readonly secret: string }

const secretLetters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const secretLength = 24

/**
 * Reads the credentials of an `Authorization` header, Basic (RFC 7617) or Bearer (RFC 6750). Returns undefined if the
 * scheme is another one, the value cannot be read, or the password is empty: the request is then a visitor's
 * (conventions.md §7).
 */
export function parseAuthorization(header: string | undefined): Credentials | undefined {
  const [, scheme = '', text = ''] = /^(basic|bearer)[ \t]+([a-z0-9+/._~=-]+)[ \t]*$/i.exec(header ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return { kind: 'bearer', secret: text }
  return parseBasic(text)
}

function parseBasic(encoded: string): Credentials | undefined {
  if (!/^[a-z0-9+/_=-]+$/i.test(encoded)) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const secret = text.slice(colon + 1)
  // RFC 7617, 2: no control characters. Not every database accepts NUL in a parameter.
  if (colon < 0 || secret === '' || text.includes('\0')) return undefined
  return { kind: 'basic', login: text.slice(0, colon), secret }
}

/**
 * Returns the digest of an application password in hex. It ignores blanks, dashes and other signs in the password
 * (conventions.md §7). A fast hash is enough: the secret is long and random, so nobody can guess it.
 */
export function secretDigest(secret: string): string {
  return hash('sha256', secret.replace(/[^a-z0-9]/gi, ''), 'hex')
}

/** Returns a new application password: 24 letters and digits without look-alikes, about 139 bits. */
export function newSecret(): string {
  return Array.from({ length: secretLength }, () => secretLetters[randomInt(secretLetters.length)]).join('')
}

/** Formats a secret for people: in groups of four. */
export function groupedInFours(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}

/** Returns true if the text has the format of our own secrets, whether or not it is one. */
export function looksLikeSecret(text: string): boolean {
  return text.replace(/[^a-z0-9]/gi, '').length === secretLength
}
