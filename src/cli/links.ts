import type { Role } from '../access/auth/actor.ts'
import { createLink } from '../access/auth/link.service.ts'
import { type LinkKind, linkPath } from '../access/auth/link.ts'
import { createUser } from '../access/auth/user.service.ts'
import { isEmailAddress, isUserName, maxNameLetters } from '../access/auth/user.ts'
import type { Config } from '../base/config/config.ts'
import { isoUtc } from '../base/time/wire.ts'
import { userNamed, withAccounts } from './accounts.ts'
import { CommandError, EXIT, type OutputOptions, printResult } from './output.ts'

const lifetimes: Readonly<Record<LinkKind, string>> = { start: 'one hour', invitation: 'seven days', reset: 'one hour' }

interface Invitation extends OutputOptions {
  readonly role?: Role
  readonly email?: string
}

/** Prints a link with which a user chooses a password. With a role, the user is added first. */
export async function inviteUser(
  config: Config,
  name: string,
  { role, email = '', ...output }: Invitation,
): Promise<number> {
  if (role !== undefined) {
    if (!isUserName(name)) {
      throw new CommandError(
        EXIT.usage,
        `A user name must have 1 to ${maxNameLetters} characters, no colon, and no space at either end.`,
      )
    }
    if (email !== '' && !isEmailAddress(email)) {
      throw new CommandError(EXIT.usage, `“${email}” is not an email address.`)
    }
    await withAccounts(config, (deps) => createUser(deps, { name, role, email }))
  }
  return printLink(config, { name, kind: 'invitation' }, output)
}

/** Prints a link with which a user chooses a new password. */
export function resetPassword(config: Config, name: string, output: OutputOptions): Promise<number> {
  return printLink(config, { name, kind: 'reset' }, output)
}

async function printLink(
  config: Config,
  { name, kind }: { readonly name: string; readonly kind: LinkKind },
  output: OutputOptions,
): Promise<number> {
  const { user, made } = await withAccounts(config, async (deps) => {
    const found = await userNamed(deps.storage.db, name)
    return { user: found, made: await createLink(deps, found.id, kind) }
  })
  const url = `${config.publicUrl ?? `http://${config.host}:${config.port}`}${linkPath(made.secret)}`
  printResult(
    output,
    { user: user.name, kind, url, expires_at: isoUtc(made.link.expiresAt) },
    `Link for ${user.name}, which works once, within ${lifetimes[kind]}:\n${url}`,
  )
  return EXIT.ok
}
