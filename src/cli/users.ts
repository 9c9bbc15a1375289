import type { Role } from '../auth/actor.ts'
import { spaced } from '../auth/credentials.ts'
import { countRecordsOf, findUserByLogin, listUsers, removeUser, type User } from '../auth/user.repository.ts'
import { createUser, renewPassword } from '../auth/user.service.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../storage/tables.ts'
import { withDatabase } from './database.ts'
import { CommandError, EXIT, type OutputOptions, report, table } from './output.ts'

const maxNameLength = 60

/** Adds a user and shows the application password, which is kept nowhere. */
export async function addUser(
  config: Config,
  name: string,
  { role, email = '', ...output }: OutputOptions & { readonly role: Role; readonly email?: string },
): Promise<number> {
  assertName(name)
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new CommandError(EXIT.usage, `“${email}” is not an e-mail address.`)
  }
  const { user, secret } = await withDatabase(config, async (deps) => {
    for (const login of [name, email]) {
      if (login !== '' && (await findUserByLogin(deps.storage.db, login))) {
        throw new CommandError(EXIT.failed, `There is a user ${login} already.`)
      }
    }
    return createUser(deps, { name, role, email })
  })
  report(
    output,
    { ...user, application_password: secret },
    `${user.name} has been added as ${user.role}.\n${passwordLine(secret)}`,
  )
  return EXIT.ok
}

export async function printUsers(config: Config, output: OutputOptions): Promise<number> {
  const users = await withDatabase(config, ({ storage }) => listUsers(storage.db))
  report(
    output,
    users,
    table(
      ['ID', 'NAME', 'ROLE', 'E-MAIL'],
      users.map(({ id, name, role, email }) => [String(id), name, role, email]),
    ),
  )
  return EXIT.ok
}

/** Removes a user who owns nothing. The last administrator stays: nobody else could let others in. */
export async function dropUser(config: Config, name: string, output: OutputOptions): Promise<number> {
  const user = await withDatabase(config, ({ storage }) =>
    storage.write(async (tx) => {
      const found = await userNamed(tx, name)
      const records = await countRecordsOf(tx, found.id)
      if (records > 0) {
        throw new CommandError(EXIT.failed, `${found.name} owns ${records} records and was not removed.`)
      }
      const administrators = (await listUsers(tx)).filter(({ role }) => role === 'administrator')
      if (administrators.length === 1 && administrators[0]?.id === found.id) {
        throw new CommandError(EXIT.failed, `${found.name} is the last administrator and was not removed.`)
      }
      await removeUser(tx, found.id)
      return found
    }),
  )
  report(output, { removed: user }, `${user.name} has been removed.`)
  return EXIT.ok
}

/** Gives a user a new application password and shows it. */
export async function newPassword(
  config: Config,
  name: string,
  { keep = false, ...output }: OutputOptions & { readonly keep?: boolean },
): Promise<number> {
  const { user, secret } = await withDatabase(config, async (deps) => {
    const found = await userNamed(deps.storage.db, name)
    return { user: found, secret: await renewPassword(deps, found, { keepOthers: keep }) }
  })
  const others = keep ? 'Those before stay valid.' : 'Those before are no longer valid.'
  report(
    output,
    { ...user, application_password: secret },
    `${user.name} has a new application password. ${others}\n${passwordLine(secret)}`,
  )
  return EXIT.ok
}

/** @throws CommandError where there is no such user. */
async function userNamed(db: Db, name: string): Promise<User> {
  const user = await findUserByLogin(db, name)
  if (!user) throw new CommandError(EXIT.failed, `There is no user ${name}.`)
  return user
}

/** RFC 7617, 2: a user name with a colon cannot be sent. */
function assertName(name: string): void {
  if (name.trim() !== name || name === '' || name.length > maxNameLength || /[:\p{Cc}]/u.test(name)) {
    throw new CommandError(
      EXIT.usage,
      `A user name has 1 to ${maxNameLength} characters, none of them a colon, and no blank at either end.`,
    )
  }
}

function passwordLine(secret: string): string {
  return `Application password, shown only now: ${spaced(secret)}`
}
