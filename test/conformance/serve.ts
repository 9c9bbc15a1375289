// Serves an empty temporary database on 127.0.0.1:$PORT with the users of $CONFORMANCE_USERS, for the case player.
// It is one on the server of $DATABASE_URL where that names one. The database goes when the server is ended.
import { readFile } from 'node:fs/promises'
import { isRole } from '../../src/access/auth/actor.ts'
import { createUser } from '../../src/access/auth/user.service.ts'
import { createApp } from '../../src/app.ts'
import { systemClock } from '../../src/base/time/clock.ts'
import { openExternalDeps } from '../../src/main.ts'
import { openTestDatabase } from '../support/database.ts'

interface CaseUser {
  readonly user: string
  readonly role: string
  readonly password: string
}

const usersFile = process.env.CONFORMANCE_USERS ?? new URL('player/users.json', import.meta.url)
// The cases were recorded on a site without a zone of its own (rulings.md 20).
const { config, storage, remove } = await openTestDatabase({
  SITE_TIMEZONE: 'UTC+0',
  ...process.env,
  HOST: '127.0.0.1',
})
const deps = { config, storage, ...(await openExternalDeps(config)), now: systemClock }
const users = JSON.parse(await readFile(usersFile, 'utf8')) as Readonly<Record<string, CaseUser>>
for (const { user, role, password } of Object.values(users)) {
  if (!isRole(role)) throw new Error(`${user} has the unknown role ${role}.`)
  await createUser(deps, { name: user, role, email: `${user}@example.org`, secret: password })
}
const server = createApp(deps)
console.log(await server.listen({ host: config.host, port: config.port }))

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await server.close()
    await remove()
  })
}
