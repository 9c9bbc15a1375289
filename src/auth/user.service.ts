import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { fail } from '../problems.ts'
import { ownOrigin } from '../storage/origin.ts'
import type { Tx } from '../storage/tables.ts'
import { type Actor, type Role, visitor } from './actor.ts'
import { type Credentials, digestOf, newSecret } from './credentials.ts'
import {
  findWriterByLogin,
  hasAnyUser,
  insertDigest,
  insertUser,
  listDigests,
  removeDigests,
  type User,
} from './user.repository.ts'

export interface NewUser {
  readonly name: string
  readonly role: Role
  readonly email?: string
  /** Taken as the application password; a random one is made without it. */
  readonly secret?: string
}

/** Who is asking, and the number of the last write that they asked for: 0 for visitors. */
export interface Caller {
  readonly actor: Actor
  readonly lastRevision: number
}

/** A user who was just made, with the secret that nobody can read again. */
export interface CreatedUser {
  readonly user: User
  readonly secret: string
}

/**
 * Who the credentials belong to. An unknown user and a wrong password are one and the same to the client, so that
 * nobody learns which users exist (conventions.md §9).
 *
 * @throws incorrect_password
 */
export async function authenticate({ storage }: Deps, credentials: Credentials | undefined): Promise<Caller> {
  if (!credentials) return { actor: visitor, lastRevision: 0 }
  const writer = await findWriterByLogin(storage.db, credentials.login)
  const sent = Buffer.from(digestOf(credentials.secret), 'hex')
  const known = writer ? await listDigests(storage.db, writer.user.id) : []
  // All are compared, whether or not one has matched: the time tells nothing.
  const matches = known.filter((digest) => timingSafeEqual(Buffer.from(digest, 'hex'), sent))
  if (!writer || matches.length === 0) return fail('incorrect_password')
  const { user, lastRevision } = writer
  return { actor: { kind: 'user', id: user.id, role: user.role }, lastRevision }
}

/** Adds a user with an application password. The secret is shown here and never again: only its digest is kept. */
export async function createUser(deps: Deps, user: NewUser): Promise<CreatedUser> {
  return deps.storage.write((tx) => addUser(tx, user, deps.now()))
}

async function addUser(tx: Tx, user: NewUser, now: number): Promise<CreatedUser> {
  const secret = user.secret ?? newSecret()
  const created = await insertUser(tx, { name: user.name, email: user.email ?? '', role: user.role }, now)
  await insertDigest(tx, created.id, 'first', digestOf(secret), now)
  return { user: created, secret }
}

/** Gives the user a new application password; those before are revoked unless `keepOthers`. */
export async function renewPassword(
  deps: Deps,
  user: User,
  { keepOthers = false, label = 'cli' }: { readonly keepOthers?: boolean; readonly label?: string } = {},
): Promise<string> {
  const secret = newSecret()
  await deps.storage.write(async (tx) => {
    if (!keepOthers) await removeDigests(tx, user.id)
    await insertDigest(tx, user.id, label, digestOf(secret), deps.now())
  })
  return secret
}

/** Makes the administrator where there is no user yet; undefined where there is one. */
export async function createFirstAdministrator({ config, storage, now }: Deps): Promise<CreatedUser | undefined> {
  if (await hasAnyUser(storage.db)) return undefined
  const { adminUser, adminPassword } = config
  return storage.writtenBy(ownOrigin).write(async (tx) => {
    // Asked again inside: of nodes that start at once, one makes the administrator.
    if (await hasAnyUser(tx)) return undefined
    const secret = adminPassword === undefined ? {} : { secret: adminPassword }
    return addUser(tx, { name: adminUser, role: 'administrator', ...secret }, now())
  })
}
