import { readFile } from 'node:fs/promises'
import { isRole } from '../../src/access/auth/actor.ts'
import { createUser } from '../../src/access/auth/user.service.ts'
import { createApp } from '../../src/app.ts'
import { systemClock } from '../../src/base/time/clock.ts'
import { openExternalDeps } from '../../src/main.ts'
import { openTestDatabase } from '../support/database.ts'

/** The users of the cases. The player has the same ones. */
export const casePlayerUsers = new URL('player/users.json', import.meta.url)

interface CaseUser {
  readonly user: string
  readonly role: string
  readonly password: string
}

/** A service with an empty database, as the recorded cases expect it. */
export interface CaseSite {
  readonly url: string
  /** Closes it and removes its database. */
  close(): Promise<void>
}

/**
 * Serves an empty temporary database, on the server of DATABASE_URL if the environment sets it.
 *
 * @param usersFile Its users, in the order of their ids.
 */
export async function startCaseSite(
  environment: Readonly<Record<string, string | undefined>>,
  usersFile: URL | string = casePlayerUsers,
): Promise<CaseSite> {
  // The cases were recorded on a site without a time zone of its own (rulings.md 20).
  const { config, storage, remove } = await openTestDatabase({
    SITE_TIMEZONE: 'UTC+0',
    ...environment,
    HOST: '127.0.0.1',
  })
  const deps = { config, storage, ...(await openExternalDeps(config)), now: systemClock }
  const users = JSON.parse(await readFile(usersFile, 'utf8')) as Readonly<Record<string, CaseUser>>
  for (const { user, role, password } of Object.values(users)) {
    if (!isRole(role)) throw new Error(`${user} has the unknown role ${role}.`)
    await createUser(deps, { name: user, role, email: `${user}@example.org`, secret: password })
  }
  const server = createApp(deps)
  const url = await server.listen({ host: config.host, port: config.port })
  return {
    url,
    close: async () => {
      await server.close()
      await deps.pictures.imageWorker.close()
      await deps.streets.close()
      await remove()
    },
  }
}
