import { fail } from '../../base/problems.ts'
import { assertUnlimitedKey } from '../auth/key.limits.ts'
import { mayManageUsers } from '../auth/policy.ts'
import { assertKnowsPassword, setPassword } from '../auth/session.service.ts'
import { findUser, listUsers } from '../auth/user.repository.ts'
import { changeUser, createUser, deleteUser } from '../auth/user.service.ts'
import { limitGuesses } from '../http/caller.ts'
import { alwaysShort } from '../http/read.cost.ts'
import { endpoint, openToUsers, type Route } from '../http/route.ts'
import { newUserArguments, passwordArguments, userArguments, userPath } from './account.arguments.ts'
import { userInPath } from './account.paths.ts'
import { presentUser } from './account.present.ts'

const schema = async () => (await import('./account.schema.ts')).UserSchema
const tag = 'Users'

const listEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'listUsers',
  summary: 'users.list',
  answer: { schema: async () => (await import('./account.schema.ts')).UserListSchema },
  problems: ['rest_forbidden'],
  isOpenTo: mayManageUsers,
  handle: async ({ deps }) => ({ status: 200, body: (await listUsers(deps.storage.db)).map(presentUser) }),
})

const createEndpoint = endpoint({
  methods: ['POST'],
  remembersAnswer: { without: ['application_password'] },
  operation: 'createUser',
  summary: 'users.create',
  about: 'users.lasting.about',
  answer: {
    status: 201,
    schema: async () => (await import('./account.schema.ts')).NewUserSchema,
    headers: ['Location'],
  },
  problems: ['rest_forbidden', 'beyond-own-key', 'user-exists'],
  args: newUserArguments,
  isOpenTo: mayManageUsers,
  target: ({ key }) => assertUnlimitedKey(key),
  handle: async ({ deps, key, addresses, requestPath, values }) => {
    const { name, role, email = '' } = values
    const { user, secret } = await createUser(deps, { name, role, email }, key)
    return {
      status: 201,
      body: { ...presentUser(user), application_password: secret },
      headers: { Location: `${addresses.site}${requestPath}/${user.id}` },
    }
  },
})

const getEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'getUser',
  summary: 'users.get',
  answer: { schema },
  problems: ['rest_forbidden', 'user-not-found'],
  path: userPath,
  isOpenTo: openToUsers,
  target: userInPath,
  handle: async ({ deps, target: id }) => ({
    status: 200,
    body: presentUser((await findUser(deps.storage.db, id)) ?? fail('user-not-found')),
  }),
})

const changeEndpoint = endpoint({
  methods: ['PATCH'],
  remembersAnswer: {},
  operation: 'changeUser',
  isUrgent: true,
  summary: 'users.change',
  about: 'users.lasting.about',
  answer: { schema },
  problems: ['rest_forbidden', 'beyond-own-key', 'user-not-found', 'last-administrator'],
  path: userPath,
  args: userArguments,
  isOpenTo: mayManageUsers,
  target: (request) => {
    assertUnlimitedKey(request.key)
    return userInPath(request)
  },
  handle: async ({ deps, target: id, values }) => ({
    status: 200,
    body: presentUser(await changeUser(deps, id, values)),
  }),
})

const deleteEndpoint = endpoint({
  methods: ['DELETE'],
  remembersAnswer: {},
  operation: 'deleteUser',
  isUrgent: true,
  summary: 'users.remove',
  about: 'users.remove.about',
  answer: { schema: async () => (await import('./account.schema.ts')).RemovedUserSchema },
  problems: ['rest_forbidden', 'beyond-own-key', 'user-not-found', 'user-has-records', 'last-administrator'],
  path: userPath,
  isOpenTo: mayManageUsers,
  target: (request) => {
    assertUnlimitedKey(request.key)
    return userInPath(request)
  },
  handle: async ({ deps, target: id }) => ({
    status: 200,
    body: { deleted: true, previous: presentUser(await deleteUser(deps, id)) },
  }),
})

const passwordEndpoint = endpoint({
  methods: ['PUT'],
  operation: 'setPassword',
  isUrgent: true,
  summary: 'users.password',
  about: 'users.password.about',
  answer: { status: 204 },
  problems: ['rest_forbidden', 'user-not-found', 'session-required', 'current-password-wrong'],
  path: userPath,
  args: passwordArguments,
  isOpenTo: openToUsers,
  target: async (request) => {
    const id = await userInPath(request)
    // A password outlasts every key, and anybody who knows it can act as the user.
    return { id, session: request.session ?? fail('session-required') }
  },
  handle: async ({ deps, actor, client, target: { id, session }, values }) => {
    const isOwn = actor.kind === 'user' && actor.id === id
    if (isOwn) {
      await limitGuesses(deps, { client, target: `password of ${id}` }, () =>
        assertKnowsPassword(deps, id, values.current_password),
      )
    }
    await setPassword(deps, id, { password: values.password, kept: isOwn ? session.id : undefined })
    return { status: 204, body: {} }
  },
})

/** Users. Administrators manage all of them; every user may read their own entry and change their own password. */
export const userRoutes: readonly Route[] = [
  { path: '/users', tag, endpoints: [listEndpoint, createEndpoint] },
  { path: '/users/{user}', tag, endpoints: [getEndpoint, changeEndpoint, deleteEndpoint] },
  { path: '/users/{user}/password', tag, endpoints: [passwordEndpoint] },
]
