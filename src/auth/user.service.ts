import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { fail } from '../problems.ts'
import { type Actor, type Role, visitor } from './actor.ts'
import { type Credentials, digestOf, newSecret } from './credentials.ts'
import {
  findUserByLogin,
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

/**
 * Who the credentials belong to. An unknown user and a wrong password are one and the same to the client, so that
 * nobody learns which users exist (conventions.md §9).
 *
 * @throws incorrect_password
 */
export async function authenticate({ storage }: Deps, credentials: Credentials | undefined): Promise<Actor> {
  if (!credentials) return visitor
  const user = await findUserByLogin(storage.db, credentials.login)
  const sent = Buffer.from(digestOf(credentials.secret), 'hex')
  const known = user ? await listDigests(storage.db, user.id) : []
  // All are compared, whether or not one has matched: the time tells nothing.
  const matches = known.filter((digest) => timingSafeEqual(Buffer.from(digest, 'hex'), sent))
  if (!user || matches.length === 0) return fail('incorrect_password')
  return { kind: 'user', id: user.id, role: user.role }
}

/** Adds a user with an application password. The secret is shown here and never again: only its digest is kept. */
export async function createUser(deps: Deps, user: NewUser): Promise<{ readonly user: User; readonly secret: string }> {
  const secret = user.secret ?? newSecret()
  return deps.storage.write(async (tx) => {
    const created = await insertUser(tx, { name: user.name, email: user.email ?? '', role: user.role }, deps.now())
    await insertDigest(tx, created.id, 'first', digestOf(secret), deps.now())
    return { user: created, secret }
  })
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
export async function createFirstAdministrator(
  deps: Deps,
): Promise<{ readonly user: User; readonly secret: string } | undefined> {
  if (await hasAnyUser(deps.storage.db)) return undefined
  const { adminUser, adminPassword } = deps.config
  return createUser(deps, {
    name: adminUser,
    role: 'administrator',
    ...(adminPassword === undefined ? {} : { secret: adminPassword }),
  })
}
