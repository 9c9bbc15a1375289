import { groupedInFours } from '../access/auth/credentials.ts'
import { findUserByLogin } from '../access/auth/user.repository.ts'
import type { User } from '../access/auth/user.ts'
import type { Deps } from '../access/deps.ts'
import type { Config } from '../base/config/config.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../base/languages/language.ts'
import { message } from '../base/languages/texts.ts'
import { Problem } from '../base/problems.ts'
import type { Db } from '../storage/database/tables.ts'
import { isUnavailable } from '../storage/database/unavailable.ts'
import { withDatabase } from './database.ts'
import { CommandError, EXIT } from './output.ts'

/**
 * Runs work on users and keys.
 *
 * @throws CommandError if it cannot be done, with the message that clients of the service get.
 */
export function withAccounts<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  return withDatabase(config, async (deps) => {
    try {
      return await work(deps)
    } catch (error) {
      if (!(error instanceof Problem) || isUnavailable(error)) throw error
      throw new CommandError(EXIT.failed, message(DEFAULT_TEXT_LANGUAGE, error.code), { cause: error })
    }
  })
}

/** Runs work on one user. */
export function withUser<T>(config: Config, name: string, work: (deps: Deps, user: User) => Promise<T>): Promise<T> {
  return withAccounts(config, async (deps) => work(deps, await userNamed(deps.storage.db, name)))
}

/** @throws CommandError if the user does not exist. */
export async function userNamed(db: Db, name: string): Promise<User> {
  const user = await findUserByLogin(db, name)
  if (!user) throw new CommandError(EXIT.failed, `User ${name} not found.`)
  return user
}

export function secretLine(secret: string): string {
  return `Application password, shown only now: ${groupedInFours(secret)}`
}
