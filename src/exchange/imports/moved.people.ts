import { isRole, type Role, type UserId } from '../../access/auth/actor.ts'
import { findUserByLogin, insertUser } from '../../access/auth/user.repository.ts'
import { isEmailAddress, isUserName, type User } from '../../access/auth/user.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { Form } from '../pull/pull.lists.ts'
import type { ImportRemark } from './source.ts'
import { listOf, trimmedText } from './tec.values.ts'

/** The owners of moved records by their ids on the other site, and what is said about the users. */
export interface MovedPeople {
  readonly authors: ReadonlyMap<number, UserId>
  readonly remarks: readonly ImportRemark[]
}

/**
 * Finds the owners of moved records by their email addresses, and creates those who are not here, without a password. A
 * dry run creates nobody.
 * Users who own nothing are only named.
 */
export async function writeMovedPeople(
  tx: Tx,
  { users, authorIds }: { readonly users: readonly Form[]; readonly authorIds: ReadonlySet<number> },
  { now, isDryRun }: { readonly now: number; readonly isDryRun: boolean },
): Promise<MovedPeople> {
  const authors = new Map<number, UserId>()
  const created = new Set<number>()
  const remarks: ImportRemark[] = []
  const say = (name: string, text: ImportRemark['text']) => remarks.push({ file: 'users', path: name, text })
  for (const user of users) {
    const id = Number(user.id)
    const email = trimmedText(user.email)
    const login = trimmedText(user.username) || trimmedText(user.slug)
    if (!authorIds.has(id)) {
      say(login, { key: 'import.moved.user.left', values: { email } })
      continue
    }
    const known = await findKnown(tx, login, email)
    if (known) {
      authors.set(id, known.id)
      continue
    }
    const name = await freeName(tx, isUserName(login) ? login : `user-${id}`)
    const role = roleOf(user)
    created.add(id)
    if (!isDryRun) {
      const user = await insertUser(tx, { name, email: isEmailAddress(email) ? email : '', role }, now)
      authors.set(id, user.id)
    }
    say(login, { key: 'import.moved.user.created', values: { name, role } })
  }
  for (const id of authorIds) {
    if (!authors.has(id) && !created.has(id)) say(String(id), { key: 'import.moved.user.unknown' })
  }
  return { authors, remarks }
}

/** Returns the user with this email address, or with this name and none, as the first administrator has. */
async function findKnown(tx: Tx, login: string, email: string): Promise<User | undefined> {
  const byEmail = isEmailAddress(email) ? await findUserByLogin(tx, email) : undefined
  const byName = byEmail ? undefined : await findUserByLogin(tx, login)
  return byEmail ?? (byName?.email === '' && byName.name.toLowerCase() === login.toLowerCase() ? byName : undefined)
}

/** Returns the highest role that this service knows too. Owners of records may at least write. */
function roleOf({ roles }: Form): Role {
  return listOf(roles).find(isRoleName) ?? 'contributor'
}

const isRoleName = (role: unknown): role is Role => typeof role === 'string' && isRole(role)

/** Returns a name that nobody has: another person may have it here. */
async function freeName(tx: Tx, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!(await findUserByLogin(tx, name))) return name
  }
}
