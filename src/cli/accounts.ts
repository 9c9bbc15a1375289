import { spaced } from '../auth/credentials.ts'
import { findUserByLogin } from '../auth/user.repository.ts'
import type { User } from '../auth/user.ts'
import type { Config } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { message } from '../languages/texts.ts'
import { Problem } from '../problems.ts'
import type { Db } from '../storage/tables.ts'
import { isUnavailable } from '../storage/unavailable.ts'
import { withDatabase } from './database.ts'
import { CommandError, EXIT } from './output.ts'

/**
 * Works with users and keys.
 *
 * @throws CommandError where it cannot be done, in the words that clients of the service are told.
 */
export function withAccounts<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  return withDatabase(config, async (deps) => {
    try {
      return await work(deps)
    } catch (error) {
      if (!(error instanceof Problem) || isUnavailable(error)) throw error
      throw new CommandError(EXIT.failed, message('en', error.code), { cause: error })
    }
  })
}

/** The same for one of the users. */
export function withUser<T>(config: Config, name: string, work: (deps: Deps, user: User) => Promise<T>): Promise<T> {
  return withAccounts(config, async (deps) => work(deps, await userNamed(deps.storage.db, name)))
}

/** @throws CommandError where there is no such user. */
export async function userNamed(db: Db, name: string): Promise<User> {
  const user = await findUserByLogin(db, name)
  if (!user) throw new CommandError(EXIT.failed, `User ${name} not found.`)
  return user
}

export function secretLine(secret: string): string {
  return `Application password, shown only now: ${spaced(secret)}`
}
