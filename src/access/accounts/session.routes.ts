import { fail } from '../../base/problems.ts'
import { assertUnlimitedKey } from '../auth/key.limits.ts'
import { isHttps, isSameOrigin } from '../auth/request.credentials.ts'
import { sessionCookie, sessionSecretIn } from '../auth/session.cookie.ts'
import { csrfTokenOf, endSession, listOpenSessions, signIn } from '../auth/session.service.ts'
import { maxSessionSeconds, type SessionId } from '../auth/session.ts'
import { findUser } from '../auth/user.repository.ts'
import { uncacheable } from '../http/answers/headers.ts'
import { limitGuesses } from '../http/caller.ts'
import { alwaysShort } from '../http/read.cost.ts'
import { endpoint, openToAll, openToUsers, type Route } from '../http/route.ts'
import { sessionPath, signInArguments, userPath } from './account.arguments.ts'
import { userInPath } from './account.paths.ts'
import { presentSession, presentUser } from './account.present.ts'

const signedIn = async () => (await import('./account.schema.ts')).SignedInSchema
const tag = 'Sessions'

const signInEndpoint = endpoint({
  methods: ['POST'],
  operation: 'signIn',
  summary: 'session.create',
  about: 'session.create.about',
  answer: { status: 201, schema: signedIn },
  problems: ['rest_forbidden', 'sign-in-failed'],
  args: signInArguments,
  isOpenTo: openToAll,
  target: ({ headers, addresses }) => {
    // Otherwise another site could sign its visitors in under an account that it knows.
    if (!isSameOrigin({ headers, site: addresses.site })) fail('rest_forbidden')
  },
  handle: async ({ deps, client, addresses, values: { login, password } }) => {
    const { user, session, secret } = await limitGuesses(deps, { client, target: login }, () =>
      signIn(deps, login, password),
    )
    const cookie = sessionCookie(secret, maxSessionSeconds, isHttps(addresses.site))
    return {
      status: 201,
      headers: { ...uncacheable, 'Set-Cookie': cookie },
      body: { user: presentUser(user), session: presentSession(session, session), csrf_token: csrfTokenOf(secret) },
    }
  },
})

const getEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'getSession',
  summary: 'session.get',
  answer: { schema: signedIn },
  problems: ['rest_forbidden', 'user-not-found'],
  isOpenTo: openToUsers,
  handle: async ({ deps, session, addresses, headers }) => {
    const secret = sessionSecretIn(headers.cookie, isHttps(addresses.site))
    if (!session || !secret) return fail('rest_forbidden', { status: 401 })
    const user = (await findUser(deps.storage.db, session.userId)) ?? fail('user-not-found')
    return {
      status: 200,
      body: { user: presentUser(user), session: presentSession(session, session), csrf_token: csrfTokenOf(secret) },
    }
  },
})

const signOutEndpoint = endpoint({
  methods: ['DELETE'],
  operation: 'signOut',
  isUrgent: true,
  summary: 'session.remove',
  answer: { status: 204 },
  problems: ['rest_forbidden', 'session-not-found'],
  isOpenTo: openToUsers,
  handle: async ({ deps, session, addresses }) => {
    if (!session) return fail('rest_forbidden', { status: 401 })
    await endSession(deps, session.userId, session.id)
    return { status: 204, body: {}, headers: { 'Set-Cookie': sessionCookie('', 0, isHttps(addresses.site)) } }
  },
})

const listEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'listSessions',
  summary: 'sessions.list',
  answer: { schema: async () => (await import('./account.schema.ts')).SessionListSchema },
  problems: ['rest_forbidden', 'user-not-found'],
  path: userPath,
  isOpenTo: openToUsers,
  target: userInPath,
  handle: async ({ deps, session, target: userId }) => {
    const sessions = await listOpenSessions(deps, userId)
    return { status: 200, body: sessions.map((one) => presentSession(one, session)) }
  },
})

const endEndpoint = endpoint({
  methods: ['DELETE'],
  remembersAnswer: {},
  operation: 'endSession',
  isUrgent: true,
  summary: 'sessions.remove',
  answer: { status: 204 },
  problems: ['rest_forbidden', 'beyond-own-key', 'user-not-found', 'session-not-found'],
  path: sessionPath,
  isOpenTo: openToUsers,
  target: async (request) => {
    const userId = await userInPath(request)
    assertUnlimitedKey(request.key)
    return { userId, id: request.path.session ?? fail('session-not-found') }
  },
  handle: async ({ deps, target: { userId, id } }) => {
    await endSession(deps, userId, id as SessionId)
    return { status: 204, body: {} }
  },
})

export const sessionRoutes: readonly Route[] = [
  { path: '/session', tag, endpoints: [signInEndpoint, getEndpoint, signOutEndpoint] },
  { path: '/users/{user}/sessions', tag, endpoints: [listEndpoint] },
  { path: '/users/{user}/sessions/{session}', tag, endpoints: [endEndpoint] },
]
