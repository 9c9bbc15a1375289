import type { Role } from '../access/auth/actor.ts'
import { renewKeys } from '../access/auth/key.service.ts'
import { maxPasswordLetters, minPasswordLetters } from '../access/auth/password.hash.ts'
import { setPassword } from '../access/auth/session.service.ts'
import { listUsers } from '../access/auth/user.repository.ts'
import { changeUser, createUser, deleteUser } from '../access/auth/user.service.ts'
import { isEmailAddress, isUserName, maxNameLetters } from '../access/auth/user.ts'
import type { Config } from '../base/config/config.ts'
import { secretLine, withAccounts, withUser } from './accounts.ts'
import { CommandError, EXIT, type OutputOptions, printResult, table } from './output.ts'
import { readSecret } from './secret.ts'

/** Adds a user and prints the application password, which is not stored in plain text. */
export async function addUser(
  config: Config,
  name: string,
  { role, email = '', ...output }: OutputOptions & { readonly role: Role; readonly email?: string },
): Promise<number> {
  if (!isUserName(name)) {
    throw new CommandError(
      EXIT.usage,
      `A user name must have 1 to ${maxNameLetters} characters, no colon, and no space at either end.`,
    )
  }
  if (email !== '' && !isEmailAddress(email)) {
    throw new CommandError(EXIT.usage, `“${email}” is not an email address.`)
  }
  const { user, secret } = await withAccounts(config, (deps) => createUser(deps, { name, role, email }))
  printResult(
    output,
    { ...user, application_password: secret },
    `${user.name} was added with the role ${user.role}.\n${secretLine(secret)}`,
  )
  return EXIT.ok
}

export async function printUsers(config: Config, output: OutputOptions): Promise<number> {
  const users = await withAccounts(config, ({ storage }) => listUsers(storage.db))
  printResult(
    output,
    users,
    table(
      ['ID', 'NAME', 'ROLE', 'E-MAIL'],
      users.map(({ id, name, role, email }) => [String(id), name, role, email]),
    ),
  )
  return EXIT.ok
}

export async function changeRole(
  config: Config,
  { name, role }: { readonly name: string; readonly role: Role },
  output: OutputOptions,
): Promise<number> {
  const user = await withUser(config, name, (deps, { id }) => changeUser(deps, id, { role }))
  printResult(output, user, `${user.name} now has the role ${user.role}.`)
  return EXIT.ok
}

/** Removes a user who owns nothing and is not the last administrator. */
export async function removeUserCommand(config: Config, name: string, output: OutputOptions): Promise<number> {
  const user = await withUser(config, name, (deps, { id }) => deleteUser(deps, id))
  printResult(output, { removed: user }, `${user.name} was removed.`)
  return EXIT.ok
}

/** Gives a user a new application password and prints it. */
export async function newPassword(
  config: Config,
  name: string,
  { keep = false, ...output }: OutputOptions & { readonly keep?: boolean },
): Promise<number> {
  const { user, secret } = await withUser(config, name, async (deps, found) => ({
    user: found,
    secret: await renewKeys(deps, found.id, { keepOthers: keep }),
  }))
  const others = keep ? 'Earlier ones stay valid.' : 'Earlier ones are no longer valid.'
  printResult(
    output,
    { ...user, application_password: secret },
    `${user.name} has a new application password. ${others}\n${secretLine(secret)}`,
  )
  return EXIT.ok
}

/** Sets the password for signing in with a browser. It is read from standard input, so that nobody else sees it. */
export async function setAccountPassword(config: Config, name: string, output: OutputOptions): Promise<number> {
  const password = await readSecret(`New password for ${name}: `)
  const letters = [...password].length
  if (letters < minPasswordLetters || letters > maxPasswordLetters) {
    throw new CommandError(
      EXIT.usage,
      `A password must have ${minPasswordLetters} to ${maxPasswordLetters} characters; this one has ${letters}.`,
    )
  }
  const user = await withUser(config, name, async (deps, found) => {
    await setPassword(deps, found.id, { password })
    return found
  })
  printResult(output, user, `${user.name} has a new password and is signed out everywhere.`)
  return EXIT.ok
}
