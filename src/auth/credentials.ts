import { createHash, randomInt } from 'node:crypto'

/** What a client sent to say who it is. */
export interface Credentials {
  readonly login: string
  readonly secret: string
}

const secretLetters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const secretLength = 24

/**
 * The credentials of a Basic `Authorization` header (RFC 7617), or undefined where it is another scheme, cannot be
 * read or has no password: such a request is a visitor's (conventions.md §7).
 */
export function parseBasic(header: string | undefined): Credentials | undefined {
  const match = /^basic[ \t]+([a-z0-9+/_=-]+)[ \t]*$/i.exec(header ?? '')
  if (!match?.[1]) return undefined
  const text = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const secret = text.slice(colon + 1)
  // RFC 7617, 2: no control characters; NUL is one that not every database can be asked for.
  return colon < 0 || secret === '' || text.includes('\0') ? undefined : { login: text.slice(0, colon), secret }
}

/**
 * Digest of an application password, hex. Blanks, dashes and other signs in it do not count (conventions.md §7). A fast
 * hash is enough: the secret is random and long, so it cannot be guessed.
 */
export function digestOf(secret: string): string {
  return createHash('sha256')
    .update(secret.replace(/[^a-z0-9]/gi, ''))
    .digest('hex')
}

/** A new application password: 24 letters and digits without look-alikes, about 139 bits. */
export function newSecret(): string {
  return Array.from({ length: secretLength }, () => secretLetters[randomInt(secretLetters.length)]).join('')
}

/** A secret as people read it: in groups of four. */
export function spaced(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}
