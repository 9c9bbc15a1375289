import { hash } from 'node:crypto'
import { fail } from '../../base/problems.ts'
import type { Storage } from '../../storage/database/storage.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { holdWrite } from '../../storage/database/writes/held.write.ts'
import type { Actor } from '../auth/actor.ts'
import type { Deps } from '../deps.ts'
import { findKeyedWrite, hasKeyedWriteBefore, removeKeyedWrites, saveKeyedWrite } from './idempotency.repository.ts'

// A client that sends a write again under the same key gets its result, and nothing is written twice
// (docs/decisions/0051-idempotency-keys.md).

export interface KeyedRequest {
  readonly userId: number
  readonly digest: string
  /** Digest of everything that the write depends on. */
  request: string
  /** Set when the result of an earlier request was found. */
  isReplayed: boolean
}

/** How the result of a write is remembered, and found again. */
export interface Replay<T> {
  /** Returns the part of the result to store, as JSON. It contains no secret. Undefined: nothing was done. */
  readonly remember: (result: T) => unknown
  /** Returns the result as it is now. */
  readonly recall: (tx: Tx, remembered: unknown) => Promise<T>
}

/** The result of a write is a record. If it was deleted since, `find` says so. */
export function replayById<T extends { readonly id: number }>(find: (tx: Tx, id: number) => Promise<T>): Replay<T> {
  return { remember: ({ id }) => id, recall: (tx, id) => find(tx, Number(id)) }
}

const hourSeconds = 3600
const maxKeyLength = 255

type HeaderLookup = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Returns the request with its idempotency key; undefined if it has none. The key is a string of a structured field
 * (draft-ietf-httpapi-idempotency-key-header), or the same text without quotes.
 *
 * @param parts Everything that the write depends on, as values that JSON can express.
 * @throws idempotency-key-invalid
 */
export function keyedRequest(
  headers: HeaderLookup,
  { actor, config, parts }: Pick<Deps, 'config'> & { readonly actor: Actor; readonly parts: readonly unknown[] },
): KeyedRequest | undefined {
  const sent = keyHeader(headers)
  if (typeof sent !== 'string' || actor.kind !== 'user' || config.idempotencyHours === 0) return undefined
  const key = keyIn(sent.trim())
  if (key === undefined) fail('idempotency-key-invalid')
  const ifMatch = headers['if-match'] ?? ''
  return {
    userId: actor.id,
    digest: digestOf(key),
    request: digestOf(JSON.stringify([...parts, ifMatch])),
    isReplayed: false,
  }
}

/** Adds what the write depends on and was not known before, as values that JSON can express. */
export function addToRequest(keyed: KeyedRequest, ...parts: readonly unknown[]): void {
  keyed.request = digestOf(JSON.stringify([keyed.request, ...parts]))
}

export function hasKey(headers: HeaderLookup): boolean {
  return keyHeader(headers) !== undefined
}

function keyHeader(headers: HeaderLookup): HeaderLookup[string] {
  return headers['idempotency-key'] ?? headers['x-idempotency-key']
}

function keyIn(sent: string): string | undefined {
  const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/.exec(sent)?.[1]?.replace(/\\(.)/g, '$1')
  const key = quoted ?? (/^[!#-+\--:<-~]*$/.test(sent) ? sent : '')
  return key.length >= 1 && key.length <= maxKeyLength ? key : undefined
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

type KeyedCall = { readonly deps: Pick<Deps, 'config' | 'storage' | 'now'>; readonly keyed?: KeyedRequest | undefined }

/**
 * Runs the write of a request. With an idempotency key it is remembered in the same transaction: it is done and
 * remembered, or neither. A later request under the key gets the same result instead.
 *
 * @throws idempotency-key-reused
 */
export function writeOnce<T>(call: KeyedCall, replay: Replay<T>, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { keyed } = call
  const { storage, now } = call.deps
  if (!keyed) return storage.write(work)
  return storage.write(async (tx) => {
    const earlier = await findEarlier(tx, keyed, call.deps)
    if (earlier) {
      keyed.isReplayed = true
      return replay.recall(tx, JSON.parse(earlier.result))
    }
    keyed.isReplayed = false
    const result = await work(tx)
    await save(tx, keyed, { remembered: replay.remember(result), at: now() })
    return result
  })
}

async function save(
  tx: Tx,
  { userId, digest, request }: KeyedRequest,
  { remembered, at }: { readonly remembered: unknown; readonly at: number },
): Promise<void> {
  const result = JSON.stringify(remembered)
  if (result !== undefined) await saveKeyedWrite(tx, { user_id: userId, digest, request, result, used_at: at })
}

/** An earlier request under the key has succeeded. */
class Repeated extends Error {
  readonly result: string

  constructor(result: string) {
    super('Repeated')
    this.result = result
  }
}

/**
 * Does the same for work that opens its transactions itself, with a storage that joins them. The result is complete in
 * the transaction of the write, and remembered there.
 *
 * @throws idempotency-key-reused
 */
export async function rememberOnce<T>(
  { deps, keyed }: KeyedCall,
  { remember, recall }: { readonly remember: (result: T) => unknown; readonly recall: (remembered: unknown) => T },
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  if (!keyed) return work(deps.storage)
  const assertNew = async (db: Db) => {
    const earlier = await findEarlier(db, keyed, deps)
    if (earlier) throw new Repeated(earlier.result)
  }
  const end = (tx: Tx, result: T) => save(tx, keyed, { remembered: remember(result), at: deps.now() })
  try {
    await assertNew(deps.storage.db)
    return await holdWrite(deps.storage, { begin: assertNew, end }, work)
  } catch (error) {
    if (!(error instanceof Repeated)) throw error
    keyed.isReplayed = true
    return recall(JSON.parse(error.result))
  }
}

/**
 * Returns true if an earlier request under the key has succeeded.
 *
 * @throws idempotency-key-reused
 */
export async function isRepeated(
  db: Db,
  keyed: KeyedRequest | undefined,
  deps: Pick<Deps, 'config' | 'now'>,
): Promise<boolean> {
  return keyed !== undefined && (await findEarlier(db, keyed, deps)) !== undefined
}

async function findEarlier(db: Db, keyed: KeyedRequest, deps: Pick<Deps, 'config' | 'now'>) {
  const earlier = await findKeyedWrite(db, { ...keyed, since: oldestKept(deps) })
  if (earlier && earlier.request !== keyed.request) fail('idempotency-key-reused')
  return earlier
}

function oldestKept({ config, now }: Pick<Deps, 'config' | 'now'>): number {
  return now() - config.idempotencyHours * hourSeconds
}

/** Small enough to let other writers run between batches. */
const batchSize = 1000

export function hasExpiredKeys(deps: Deps): Promise<boolean> {
  return hasKeyedWriteBefore(deps.storage.db, oldestKept(deps))
}

/** Removes a limited number of keys that have expired. @returns whether there may be more. */
export async function removeExpiredKeys(deps: Deps): Promise<boolean> {
  const removed = await deps.storage.writeWithoutRevision((tx) => removeKeyedWrites(tx, oldestKept(deps), batchSize))
  return removed === batchSize
}
