import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const saltBytes = 16

/**
 * What is kept of an event's password: salt and salted digest, hex. A list tries the password it was sent on every
 * protected event of the page, so the hash is a fast one.
 */
export function digestPassword(password: string, salt: string = randomBytes(saltBytes).toString('hex')): string {
  return `${salt}:${createHash('sha256').update(`${salt}:${password}`).digest('hex')}`
}

/** Whether this password opens what the digest protects; takes the same time for every wrong one. */
export function isPasswordOf(digest: string, password: string): boolean {
  const [salt = ''] = digest.split(':')
  const sent = Buffer.from(digestPassword(password, salt))
  const kept = Buffer.from(digest)
  return sent.length === kept.length && timingSafeEqual(sent, kept)
}
