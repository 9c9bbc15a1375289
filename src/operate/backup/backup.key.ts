import { Readable } from 'node:stream'
import { BackupError } from './backup.ts'

/** What locks and opens backups, in the form of `age` (age-encryption.org/v1). */
export interface BackupKey {
  /** Public keys, `age1…`: what they lock only the secret key opens. */
  readonly recipients: readonly string[]
  /** Secret keys, `AGE-SECRET-KEY-…`: they lock and open. */
  readonly identities: readonly string[]
  /** Locks and opens. */
  readonly passphrase: string | undefined
}

const shortestPassphrase = 12
/** What a file begins with that `age` has encrypted. */
export const ageMagic = Buffer.from('age-encryption.org/v1\n')

/**
 * Reads a key: public keys, secret keys, or one passphrase, one on a line. Empty lines and those that begin with `#` are
 * passed over, as `age-keygen` writes them.
 *
 * @throws BackupError
 */
export function parseBackupKey(text: string): BackupKey {
  const lines = text.split(/\r?\n/).flatMap((line) => (/^\s*(#|$)/.test(line) ? [] : [line.trim()]))
  const recipients = lines.filter((line) => /^age1[a-z0-9]+$/.test(line))
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  const [passphrase, ...others] = lines.filter((line) => !recipients.includes(line) && !identities.includes(line))
  if (lines.length === 0) throw new BackupError('The key is empty.')
  if (others.length > 0 || (passphrase !== undefined && lines.length > 1)) {
    throw new BackupError('The key must be age keys, one per line, or a single passphrase.')
  }
  if (passphrase !== undefined && passphrase.length < shortestPassphrase) {
    throw new BackupError(`A passphrase must have at least ${shortestPassphrase} characters.`)
  }
  return { recipients, identities, passphrase }
}

/** A new secret key, and the public key that belongs to it. */
export async function newKey(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

type ByteTransform = (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>

/**
 * Encrypts what passes through.
 *
 * @throws BackupError where a key is none.
 */
export async function encryptWith({ recipients, identities, passphrase }: BackupKey): Promise<ByteTransform> {
  const { Encrypter, identityToRecipient } = await import('age-encryption')
  const encrypter = new Encrypter()
  try {
    if (passphrase !== undefined) encrypter.setPassphrase(passphrase)
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    for (const identity of identities) encrypter.addRecipient(await identityToRecipient(identity))
  } catch (cause) {
    throw unreadableReason(cause)
  }
  return async function* (source) {
    yield* fromWeb(await encrypter.encrypt(toWeb(source)))
  }
}

/**
 * Decrypts what passes through.
 *
 * @throws BackupError where the key does not fit.
 */
export async function decryptWith({ recipients, identities, passphrase }: BackupKey): Promise<ByteTransform> {
  if (identities.length === 0 && passphrase === undefined) {
    const public_ = recipients.length === 1 ? 'The key is public' : 'The keys are public'
    throw new BackupError(`${public_}. Opening the backup requires the secret key.`)
  }
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  try {
    if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
    for (const identity of identities) decrypter.addIdentity(identity)
  } catch (cause) {
    throw unreadableReason(cause)
  }
  return async function* (source) {
    yield* fromWeb(await decrypter.decrypt(toWeb(source)).catch(throwWrongKey))
  }
}

function unreadableReason(cause: unknown): BackupError {
  return new BackupError('The key cannot be read: it is not an age key.', { cause })
}

/** The library says only in words that a key does not fit. All else is damage. */
function throwWrongKey(cause: unknown): never {
  if (cause instanceof Error && /no identity matched/.test(cause.message)) {
    throw new BackupError('The key does not open this backup.', { cause })
  }
  throw cause
}

// The streams of the web and those of Node are typed apart; their chunks are bytes on both sides.

function toWeb(source: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(source, { objectMode: false })) as ReadableStream<Uint8Array>
}

async function* fromWeb(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
