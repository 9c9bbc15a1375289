import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const saltBytes = 16

/** A password as it is sent, or that of another event, which nobody can read. */
export type NewPassword = string | { readonly digest: string }

/** Returns the digest to store; undefined for none. */
export function digestOf(password: NewPassword): string | undefined {
  if (typeof password !== 'string') return password.digest
  return password === '' ? undefined : digestPassword(password)
}

/**
 * Returns the stored digest of an event password: salt and salted digest, hex. A list tries its password on every
 * protected event of the page, so the hash is fast.
 */
export function digestPassword(password: string, salt: string = randomBytes(saltBytes).toString('hex')): string {
  return `${salt}:${createHash('sha256').update(`${salt}:${password}`).digest('hex')}`
}

/** Whether this password matches the digest. Takes the same time for every wrong password. */
export function isPasswordOf(digest: string, password: string): boolean {
  const [salt = ''] = digest.split(':')
  const sent = Buffer.from(digestPassword(password, salt))
  const kept = Buffer.from(digest)
  return sent.length === kept.length && timingSafeEqual(sent, kept)
}
