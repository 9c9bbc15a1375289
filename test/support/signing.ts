import assert from 'node:assert/strict'
import { ROLES, type Role, type UserId } from '../../src/access/auth/actor.ts'
import { setPassword } from '../../src/access/auth/session.service.ts'
import type { TestApp } from './app.ts'

/** What a person of a test signs in with. */
export const goodPassword = 'correct horse battery staple'

/** Address of a route of the service’s own namespace, for `TestApp.send`. */
export const service = (path: string): string => `//cal/service/v1${path}`

/** A browser that has signed in. */
export interface Browser {
  /** `Cookie` header of all that it sends. */
  readonly cookie: string
  readonly token: string
  /** What it sends to change something. */
  readonly headers: { readonly cookie: string; readonly 'x-csrf-token': string }
}

/** As the command line does. */
export async function setOwnPassword(app: TestApp, as: Role, password = goodPassword): Promise<void> {
  await setPassword(app.deps, (ROLES.indexOf(as) + 1) as UserId, { password })
}

/** Signs in; the user has this password. */
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

/** Somebody of this role, signed in with a browser. */
export async function givenBrowser(app: TestApp, as: Role): Promise<Browser> {
  await setOwnPassword(app, as)
  return openBrowser(app, as)
}
