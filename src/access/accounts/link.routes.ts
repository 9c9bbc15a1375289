import { fail } from '../../base/problems.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { createLink, findLink, followLink } from '../auth/link.service.ts'
import { linkPath } from '../auth/link.ts'
import { mayManageUsers } from '../auth/policy.ts'
import { isHttps, isSameOrigin } from '../auth/request.credentials.ts'
import { sessionCookie } from '../auth/session.cookie.ts'
import { csrfTokenOf } from '../auth/session.service.ts'
import { maxSessionSeconds } from '../auth/session.ts'
import { uncacheable } from '../http/answers/headers.ts'
import { limitGuesses } from '../http/caller.ts'
import { endpoint, openToAll, type Route } from '../http/route.ts'
import { linkArguments, linkPasswordArguments, newLinkArguments, userPath } from './account.arguments.ts'
import { userInPath } from './account.paths.ts'
import { presentSession, presentUser } from './account.present.ts'

const tag = 'Sessions'

const createEndpoint = endpoint({
  methods: ['POST'],
  operation: 'createLink',
  summary: 'links.create',
  about: 'links.create.about',
  answer: { status: 201, schema: async () => (await import('./account.schema.ts')).NewLinkSchema },
  problems: ['rest_forbidden', 'user-not-found', 'session-required'],
  path: userPath,
  args: newLinkArguments,
  isOpenTo: mayManageUsers,
  target: async (request) => {
    const id = await userInPath(request)
    // A link sets a password, which outlasts every key.
    if (!request.session) fail('session-required')
    return id
  },
  handle: async ({ deps, addresses, target: id, values: { kind } }) => {
    const { link, secret } = await createLink(deps, id, kind)
    const url = `${addresses.site}${linkPath(secret)}`
    return { status: 201, headers: uncacheable, body: { url, kind: link.kind, expires_at: isoUtc(link.expiresAt) } }
  },
})

const getEndpoint = endpoint({
  methods: ['POST'],
  operation: 'getLink',
  summary: 'links.get',
  about: 'links.get.about',
  answer: { schema: async () => (await import('./account.schema.ts')).LinkSchema },
  problems: ['link-not-valid'],
  args: linkArguments,
  isOpenTo: openToAll,
  handle: async ({ deps, client, values: { secret } }) => {
    const { user, link } = await limitGuesses(deps, { client, target: undefined }, () =>
      findLink(deps.storage.db, secret, deps.now()),
    )
    const body = { user: user.name, kind: link.kind, expires_at: isoUtc(link.expiresAt) }
    return { status: 200, headers: uncacheable, body }
  },
})

const followEndpoint = endpoint({
  methods: ['POST'],
  operation: 'followLink',
  summary: 'links.follow',
  about: 'links.follow.about',
  answer: { status: 201, schema: async () => (await import('./account.schema.ts')).SignedInSchema },
  problems: ['rest_forbidden', 'link-not-valid'],
  args: linkPasswordArguments,
  isOpenTo: openToAll,
  target: ({ headers, addresses }) => {
    // As for signing in.
    if (!isSameOrigin({ headers, site: addresses.site })) fail('rest_forbidden')
  },
  handle: async ({ deps, client, addresses, values }) => {
    const { user, session, secret } = await limitGuesses(deps, { client, target: undefined }, () =>
      followLink(deps, values.secret, values.password),
    )
    const cookie = sessionCookie(secret, maxSessionSeconds, isHttps(addresses.site))
    return {
      status: 201,
      headers: { ...uncacheable, 'Set-Cookie': cookie },
      body: { user: presentUser(user), session: presentSession(session, session), csrf_token: csrfTokenOf(secret) },
    }
  },
})

/** Links with which people choose their password. The secret is in the body, so that no log of addresses has it. */
export const linkRoutes: readonly Route[] = [
  { path: '/users/{user}/links', tag, endpoints: [createEndpoint] },
  { path: '/links/lookup', tag, endpoints: [getEndpoint] },
  { path: '/links/follow', tag, endpoints: [followEndpoint] },
]
