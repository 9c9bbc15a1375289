import { fail } from '../../base/problems.ts'
import { serviceOrigin } from '../../storage/database/origin.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { Deps } from '../deps.ts'
import type { Role, UserId } from './actor.ts'
import { addKey } from './key.service.ts'
import type { HeldKey } from './key.ts'
import { addLink } from './link.service.ts'
import {
  countAdministrators,
  countRecordsOf,
  findUser,
  findUserByLogin,
  hasAnyUser,
  insertUser,
  removeUser,
  updateUser,
} from './user.repository.ts'
import type { User } from './user.ts'

export interface NewUser {
  readonly name: string
  readonly role: Role
  readonly email?: string
  /** Used as the application password. Default: a random one. */
  readonly secret?: string
}

/** A new user, with the secret of the first key, which cannot be read again. */
export interface CreatedUser {
  readonly user: User
  readonly secret: string
}

export interface UserChanges {
  readonly role?: Role | undefined
  readonly email?: string | undefined
}

/**
 * Adds a user with a first application password, which expires with the key of the caller. The secret is returned once
 * and never again: only its digest is stored.
 *
 * @throws user-exists
 */
export async function createUser(deps: Deps, user: NewUser, by?: HeldKey): Promise<CreatedUser> {
  return deps.storage.write(async (tx) => {
    await assertLoginFree(tx, user.name)
    await assertLoginFree(tx, user.email ?? '')
    return addUser({ tx, at: deps.now() }, user, by)
  })
}

async function assertLoginFree(db: Db, login: string): Promise<void> {
  if (login !== '' && (await findUserByLogin(db, login))) fail('user-exists', { details: { login } })
}

async function addUser(
  { tx, at }: { readonly tx: Tx; readonly at: number },
  user: NewUser,
  by?: HeldKey,
): Promise<CreatedUser> {
  const created = await insertUser(tx, { name: user.name, email: user.email ?? '', role: user.role }, at)
  const { secret } = await addKey({ tx, at }, created.id, { label: 'first', secret: user.secret, by })
  return { user: created, secret }
}

/**
 * Changes the given properties and leaves the others unchanged. A new role takes effect from the next request,
 * including requests with existing keys and sessions.
 *
 * @throws user-not-found, user-exists, last-administrator
 */
export async function changeUser(deps: Deps, id: UserId, changes: UserChanges): Promise<User> {
  return deps.storage.write(async (tx) => {
    const user = (await findUser(tx, id)) ?? fail('user-not-found')
    const { email = user.email, role = user.role } = changes
    if (email.toLowerCase() !== user.email) await assertLoginFree(tx, email)
    if (role !== 'administrator') await assertAnotherAdministrator(tx, user)
    const changed = { ...user, email: email.toLowerCase(), role }
    await updateUser(tx, changed)
    return changed
  })
}

/**
 * Removes a user who owns no records, with all keys and sessions of that user.
 *
 * @throws user-not-found, user-has-records, last-administrator
 */
export async function deleteUser(deps: Deps, id: UserId): Promise<User> {
  return deps.storage.write(async (tx) => {
    const user = (await findUser(tx, id)) ?? fail('user-not-found')
    const records = await countRecordsOf(tx, id)
    if (records > 0) fail('user-has-records', { details: { records } })
    await assertAnotherAdministrator(tx, user)
    await removeUser(tx, id)
    return user
  })
}

/** Checks that another administrator exists. */
async function assertAnotherAdministrator(tx: Tx, user: User): Promise<void> {
  if (user.role === 'administrator' && (await countAdministrators(tx)) === 1) fail('last-administrator')
}

/** The first administrator, with the secret of a link with which a person chooses the password. */
export interface FirstAdministrator extends CreatedUser {
  readonly linkSecret: string
}

/** Creates the administrator if no user exists yet. Returns undefined if one exists. */
export async function createFirstAdministrator({
  config,
  storage,
  now,
}: Deps): Promise<FirstAdministrator | undefined> {
  if (await hasAnyUser(storage.db)) return undefined
  const { adminUser, adminPassword } = config
  return storage.withOrigin(serviceOrigin).write(async (tx) => {
    // Checked again within the transaction: of nodes that start at the same time, only one creates the administrator.
    if (await hasAnyUser(tx)) return undefined
    const secret = adminPassword === undefined ? {} : { secret: adminPassword }
    const created = await addUser({ tx, at: now() }, { name: adminUser, role: 'administrator', ...secret })
    const { secret: linkSecret } = await addLink({ tx, at: now() }, created.user.id, 'start')
    return { ...created, linkSecret }
  })
}
