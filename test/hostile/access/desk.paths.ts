import { sessionCookieName } from '../../../src/access/auth/session.cookie.ts'
import { csrfTokenOf, newSessionSecret, openSession } from '../../../src/access/auth/session.service.ts'
import { findUserByLogin } from '../../../src/access/auth/user.repository.ts'
import { openRoutes, ownRoutes } from '../../../src/desk/serving/desk.routes.ts'
import type { TestAnswer, TestApp } from '../../support/app.ts'
import { formText, sameOrigin } from '../../support/desk.ts'
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
  return routes.flatMap((route) => pathsOf(route, ids))
}

/** Returns the addresses of a route, with each value of its parameters. */
export function pathsOf(route: string, ids: readonly string[] = ['999']): readonly string[] {
  return [...route.matchAll(/{(\w+)}/g)].reduce<readonly string[]>(
    (paths, [part, name = '']) => {
      const values = name === 'id' ? ids : valuesInPaths[name]
      if (!values) throw new Error(`${route}: say in valuesInPaths what “${name}” may be.`)
      return paths.flatMap((path) => values.map((value) => path.replace(part, value)))
    },
    [route],
  )
}

/** The desk as a caller sees it in a browser. */
export interface Desk {
  readonly get: (path: string) => Promise<TestAnswer>
  readonly send: (path: string, fields: Readonly<Record<string, string>>) => Promise<TestAnswer>
}

export async function openDeskOf({ deps, send }: TestApp, caller: Caller): Promise<Desk> {
  const secret = newSessionSecret()
  if (caller !== 'visitor') {
    const user = await findUserByLogin(deps.storage.db, caller)
    if (!user) throw new Error(`No user ${caller}.`)
    await deps.storage.writeWithoutRevision((tx) => openSession({ tx, at: deps.now() }, user, secret))
  }
  const headers = {
    ...sameOrigin,
    ...(caller === 'visitor' ? {} : { cookie: `${sessionCookieName(false)}=${secret}` }),
  }
  return {
    get: (path) => send({ path: `/${path}`, headers }),
    send: (path, fields) => {
      const form = formText({ ...fields, csrf: csrfTokenOf(secret) })
      return send({ method: 'POST', path: `/${path}`, headers, form })
    },
  }
}
