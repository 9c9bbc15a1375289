import { sessionCookieName } from '../../../src/access/auth/session.cookie.ts'
import { newSessionSecret, openSession } from '../../../src/access/auth/session.service.ts'
import { findUserByLogin } from '../../../src/access/auth/user.repository.ts'
import { openRoutes, ownRoutes } from '../../../src/desk/serving/desk.routes.ts'
import type { TestAnswer, TestApp } from '../../support/app.ts'
import { sameOrigin } from '../../support/desk.ts'
import type { Facts } from './facts.ts'
import type { Caller } from './visibility.ts'

/** Values of path parameters of the desk that are not ids of records. The rest of the desk is about no record. */
const valuesInPaths: Readonly<Record<string, readonly string[]>> = {
  ...{ kind: ['events', 'venues', 'organizers'], user: ['5'], key: ['999'], session: ['999'], secret: ['x'] },
}

/** Pages about the caller alone. Their keys say when they were last used, and the hunt uses them. */
const ofCaller = '/admin/account/'

/** Every address of the desk that may show something of others, from its tables, for each record. */
export function deskPaths({ records, templates }: Facts): readonly string[] {
  const ids = [...records, ...templates].map(({ id }) => String(id))
  const routes = [...openRoutes, ...ownRoutes].map(({ route }) => route).filter((route) => !route.startsWith(ofCaller))
  return routes.flatMap((route) =>
    [...route.matchAll(/{(\w+)}/g)].reduce<readonly string[]>(
      (paths, [part, name = '']) => {
        const values = name === 'id' ? ids : valuesInPaths[name]
        if (!values) throw new Error(`${route}: say in valuesInPaths what “${name}” may be.`)
        return paths.flatMap((path) => values.map((value) => path.replace(part, value)))
      },
      [route],
    ),
  )
}

/** Reads a page of the desk. */
export type DeskReader = (path: string) => Promise<TestAnswer>

/** Returns the desk as this caller sees it in a browser. */
export async function openDeskOf({ deps, send }: TestApp, caller: Caller): Promise<DeskReader> {
  if (caller === 'visitor') return (path) => send({ path: `/${path}`, headers: sameOrigin })
  const secret = newSessionSecret()
  const user = await findUserByLogin(deps.storage.db, caller)
  if (!user) throw new Error(`No user ${caller}.`)
  await deps.storage.writeWithoutRevision((tx) => openSession({ tx, at: deps.now() }, user, secret))
  const headers = { ...sameOrigin, cookie: `${sessionCookieName(false)}=${secret}` }
  return (path) => send({ path: `/${path}`, headers })
}
