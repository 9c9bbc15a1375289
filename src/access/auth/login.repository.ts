import { type RawBuilder, sql } from 'kysely'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, KeyRow, UserRow } from '../../storage/database/tables.ts'
import { keyFromRow } from './key.repository.ts'
import type { Key, KeyDigests } from './key.ts'
import { chooseByLogin, type UserWithRevision, userWithRevisionFromRow } from './user.repository.ts'

type LoginRow = Omit<UserRow, 'created_at'> & { readonly key_id: number | null } & Omit<KeyRow, 'id' | 'user_id'>

const usersWithKeys = (condition: RawBuilder<unknown>) => sql<LoginRow>`
  select users.id, users.name, users.name_folded, users.email, users.role, users.last_revision,
    held.id as key_id, held.label, held.scope, held.digest, held.created_at, held.expires_at, held.last_used_at,
    held.previous_digest, held.previous_until, held.makers
  from users left join application_passwords held on held.user_id = users.id where ${condition}`

// Every request with a password runs one of these. Not “=”, because SQLite then plans the join again for every value.
const listByName = compiledStatement<{ readonly login: string }, LoginRow>(({ login }) =>
  usersWithKeys(sql`users.name_folded in (${login})`),
)
const listByNameOrEmail = compiledStatement<{ readonly login: string }, LoginRow>(({ login }) =>
  usersWithKeys(sql`users.name_folded in (${login}) or users.email in (${login})`),
)

/**
 * Returns the user whom `findUserByLogin` finds, with the keys of that user, the oldest first. One query,
 * whether or not the user exists.
 */
export async function findLogin(
  db: Db,
  login: string,
): Promise<{ readonly writer: UserWithRevision | undefined; readonly keys: readonly (Key & KeyDigests)[] }> {
  const folded = login.toLowerCase()
  const rows = await (login.includes('@') ? listByNameOrEmail : listByName)(db, { login: folded })
  const user = chooseByLogin(rows, folded)
  const keys = rows.flatMap(({ key_id, id, ...row }) =>
    id === user?.id && key_id !== null ? [keyFromRow({ ...row, id: key_id, user_id: id })] : [],
  )
  return {
    writer: user && userWithRevisionFromRow({ ...user, created_at: 0 }),
    keys: keys.toSorted((one, other) => one.id - other.id),
  }
}
