import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createConcurrencyLimit } from '../../base/concurrency/concurrency.limit.ts'
import { Problem } from '../../base/problems.ts'
import { normalize } from '../../base/text/normalize.ts'

const hash = promisify(argon2)

/** The costs of one hash: the minimum for argon2id in the OWASP Password Storage Cheat Sheet. */
const costs = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const hashBytes = 32

/** Each hash takes 19 MB and about 30 ms of a processor. More at once would take both from requests that read. */
const maxConcurrent = 2
const maxWaiting = 32
const retryAfterSeconds = 2

export const minPasswordLetters = 12
export const maxPasswordLetters = 256

interface ParsedHash {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly hash: Buffer
}

/** Hashes a password. Returns a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  return phcOf({ ...costs, salt, hash: await derive(password, { ...costs, salt }, hashBytes) })
}

/**
 * Returns true if the password matches the hash. Without a hash it takes the same time and returns false, so that
 * nobody can find out which users have a password.
 */
export async function isPassword(phc: string | undefined, password: string): Promise<boolean> {
  const kept = parsePhc(phc ?? dummyHash)
  const sent = await derive(password, kept, kept.hash.length)
  return timingSafeEqual(sent, kept.hash) && phc !== undefined
}

/** Returns true if the hash was made with costs other than the current ones. */
export function needsRehash(phc: string): boolean {
  const { memory, passes, parallelism, salt, hash: kept } = parsePhc(phc)
  const isAtCost = memory === costs.memory && passes === costs.passes && parallelism === costs.parallelism
  return !isAtCost || salt.length < saltBytes || kept.length < hashBytes
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function phcOf({ memory, passes, parallelism, salt, hash: kept }: ParsedHash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(kept)}`
}

function parsePhc(phc: string): ParsedHash {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc)
  if (!match) throw new Error('A kept password is no PHC string of argon2id.')
  const [, memory, passes, parallelism, salt = '', kept = ''] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(kept, 'base64'),
  }
}

/** A hash that no password matches: work for users without a password. */
const dummyHash = phcOf({ ...costs, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) })

const hashing = createConcurrencyLimit({
  maxConcurrent: maxConcurrent,
  maxWaiting: maxWaiting,
  onFull: () => new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } }),
})

/** @throws service_unavailable if too many calls wait. */
async function derive(
  password: string,
  { memory, passes, parallelism, salt }: Omit<ParsedHash, 'hash'>,
  tagLength: number,
): Promise<Buffer> {
  return hashing.run(() => {
    // The same letters can be typed as different code points (NIST SP 800-63B, 5.1.1.2).
    const message = normalize(password, 'NFKC')
    return hash('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength })
  })
}
