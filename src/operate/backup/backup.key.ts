import { Readable } from 'node:stream'
import { BackupError } from './backup.ts'

/** The keys that encrypt and decrypt backups, in the `age` format (age-encryption.org/v1). */
export interface BackupKey {
  /** Public keys, `age1…`: data that they encrypt can be decrypted with the secret key only. */
  readonly recipients: readonly string[]
  /** Secret keys, `AGE-SECRET-KEY-…`: they encrypt and decrypt. */
  readonly identities: readonly string[]
  /** Encrypts and decrypts. */
  readonly passphrase: string | undefined
}

const shortestPassphrase = 12
/** The first bytes of a file that `age` has encrypted. */
export const ageMagic = Buffer.from('age-encryption.org/v1\n')

/**
 * Reads a key: public keys, secret keys, or one passphrase, one per line. Ignores empty lines and lines that begin with
 * `#`, as `age-keygen` writes them.
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

/** Creates a new secret key and its public key. */
export async function newKey(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

type ByteTransform = (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>

/**
 * Creates a transform that encrypts.
 *
 * @throws BackupError if a key is invalid.
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
 * Creates a transform that decrypts.
 *
 * @throws BackupError if the key does not match.
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

/** The library reports a wrong key only in its message. All other errors mean damage. */
function throwWrongKey(cause: unknown): never {
  if (cause instanceof Error && /no identity matched/.test(cause.message)) {
    throw new BackupError('The key does not open this backup.', { cause })
  }
  throw cause
}

// Web streams and Node streams have different types, but the chunks of both are bytes.

function toWeb(source: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(source, { objectMode: false })) as ReadableStream<Uint8Array>
}

async function* fromWeb(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
