import { fail } from '../../base/problems.ts'
import { isHttps, isSameOrigin } from '../auth/presented.ts'
import { assertLasting } from '../auth/reach.ts'
import { sessionCookie, sessionSecretIn } from '../auth/session.cookie.ts'
import { csrfTokenOf, endSession, openSessions, signIn } from '../auth/session.service.ts'
import { longestSessionSeconds, type SessionId } from '../auth/session.ts'
import { findUser } from '../auth/user.repository.ts'
import { guessed } from '../http/caller.ts'
import { uncacheable } from '../http/headers.ts'
import { readBody } from '../http/service.body.ts'
import type { AddRoute } from '../http/service.ts'
import { signInArguments } from './account.arguments.ts'
import { numberInPath, userInPath } from './account.paths.ts'
import { presentSession, presentUser } from './account.present.ts'

/** Signing in with a browser, and what one has signed in with. */
export function sessionRoutes(add: AddRoute): void {
  add('POST', '/session', async (call, request, reply) => {
    const { site } = call.addresses
    // Another site could otherwise sign its visitors in as somebody whom it knows.
    if (!isSameOrigin({ headers: request.headers, site })) fail('rest_forbidden')
    const { login, password } = await readBody(call, request, signInArguments)
    const { user, session, secret } = await guessed(call.deps, call.client, login, () =>
      signIn(call.deps, login, password),
    )
    return reply
      .status(201)
      .headers({ ...uncacheable, 'Set-Cookie': sessionCookie(secret, longestSessionSeconds, isHttps(site)) })
      .send({ user: presentUser(user), session: presentSession(session, session), csrf_token: csrfTokenOf(secret) })
  })

  add('GET', '/session', async ({ deps, session, addresses }, request) => {
    const secret = sessionSecretIn(request.headers.cookie, isHttps(addresses.site))
    if (!session || !secret) return fail('rest_forbidden', { status: 401 })
    const user = (await findUser(deps.storage.db, session.userId)) ?? fail('user-not-found')
    return { user: presentUser(user), session: presentSession(session, session), csrf_token: csrfTokenOf(secret) }
  })

  add('DELETE', '/session', async ({ deps, session, addresses }, _request, reply) => {
    if (!session) return fail('rest_forbidden', { status: 401 })
    await endSession(deps, session.userId, session.id)
    return reply
      .status(204)
      .header('Set-Cookie', sessionCookie('', 0, isHttps(addresses.site)))
      .send()
  })

  add('GET', '/users/:user/sessions', async (call, request) => {
    const sessions = await openSessions(call.deps, await userInPath(call, request))
    return sessions.map((session) => presentSession(session, call.session))
  })

  add('DELETE', '/users/:user/sessions/:session', async (call, request, reply) => {
    const userId = await userInPath(call, request)
    assertLasting(call.key)
    const id = numberInPath(request, 'session', 'session-not-found')
    await endSession(call.deps, userId, id as SessionId)
    return reply.status(204).send()
  })
}
