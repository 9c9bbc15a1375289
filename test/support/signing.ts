import assert from 'node:assert/strict'
import { ROLES, type Role, type UserId } from '../../src/access/auth/actor.ts'
import { setPassword } from '../../src/access/auth/session.service.ts'
import type { TestApp } from './app.ts'

/** A password for tests. */
export const goodPassword = 'correct horse battery staple'

/** Returns the address of a route of the service’s own namespace, for `TestApp.send`. */
export const service = (path: string): string => `//cal/service/v1${path}`

/** A browser with a session. */
export interface Browser {
  /** The `Cookie` field of all its requests. */
  readonly cookie: string
  readonly token: string
  /** The headers of a change. */
  readonly headers: { readonly cookie: string; readonly 'x-csrf-token': string }
}

/** Sets a password as the command line does. */
export async function setOwnPassword(app: TestApp, as: Role, password = goodPassword): Promise<void> {
  await setPassword(app.deps, (ROLES.indexOf(as) + 1) as UserId, { password })
}

/** Signs in a user who has this password. */
export async function openBrowser(app: TestApp, login: string, password = goodPassword): Promise<Browser> {
  const { status, body, headers } = await app.send({
    method: 'POST',
    path: service('/session'),
    json: { login, password },
  })
  assert.equal(status, 201)
  const [cookie = ''] = String(headers['set-cookie']).split(';')
  return { cookie, token: body.csrf_token, headers: { cookie, 'x-csrf-token': body.csrf_token } }
}

/** Returns a browser in which a user of this role has signed in. */
export async function givenBrowser(app: TestApp, as: Role): Promise<Browser> {
  await setOwnPassword(app, as)
  return openBrowser(app, as)
}
