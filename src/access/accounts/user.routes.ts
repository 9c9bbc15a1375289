import { fail } from '../../base/problems.ts'
import { assertAllowed, mayManageUsers } from '../auth/policy.ts'
import { assertLasting } from '../auth/reach.ts'
import { assertKnowsPassword, setPassword } from '../auth/session.service.ts'
import { findUser, listUsers } from '../auth/user.repository.ts'
import { changeUser, createUser, dropUser } from '../auth/user.service.ts'
import { guessed } from '../http/caller.ts'
import { readBody } from '../http/service.body.ts'
import type { AddRoute } from '../http/service.ts'
import { newUserArguments, passwordArguments, userArguments } from './account.arguments.ts'
import { userInPath } from './account.paths.ts'
import { presentUser } from './account.present.ts'

/** Users: for administrators; reading oneself and one's own password for everybody. */
export function userRoutes(add: AddRoute): void {
  add('GET', '/users', async ({ deps, actor }) => {
    assertAllowed(actor, mayManageUsers(actor))
    return (await listUsers(deps.storage.db)).map(presentUser)
  })

  add('POST', '/users', async (call, request, reply) => {
    assertAllowed(call.actor, mayManageUsers(call.actor))
    assertLasting(call.key)
    const { name, role, email = '' } = await readBody(call, request, newUserArguments)
    const { user, secret } = await createUser(call.deps, { name, role, email }, call.key)
    const address = `${call.addresses.site}${request.url.split('?')[0]}/${user.id}`
    return reply
      .status(201)
      .header('Location', address)
      .send({ ...presentUser(user), application_password: secret })
  })

  add('GET', '/users/:user', async (call, request) => {
    const id = await userInPath(call, request)
    return presentUser((await findUser(call.deps.storage.db, id)) ?? fail('user-not-found'))
  })

  add('PATCH', '/users/:user', async (call, request) => {
    assertAllowed(call.actor, mayManageUsers(call.actor))
    assertLasting(call.key)
    const id = await userInPath(call, request)
    return presentUser(await changeUser(call.deps, id, await readBody(call, request, userArguments)))
  })

  add('DELETE', '/users/:user', async (call, request) => {
    assertAllowed(call.actor, mayManageUsers(call.actor))
    assertLasting(call.key)
    const user = await dropUser(call.deps, await userInPath(call, request))
    return { deleted: true, previous: presentUser(user) }
  })

  add('PUT', '/users/:user/password', async (call, request, reply) => {
    const id = await userInPath(call, request)
    // A password outlasts every key, and whoever knows it is taken for the person.
    if (!call.session) fail('session-required')
    const sent = await readBody(call, request, passwordArguments)
    const isOwn = call.actor.kind === 'user' && call.actor.id === id
    if (isOwn) {
      await guessed(call.deps, call.client, `password of ${id}`, () =>
        assertKnowsPassword(call.deps, id, sent.current_password),
      )
    }
    await setPassword(call.deps, id, { password: sent.password, kept: isOwn ? call.session.id : undefined })
    return reply.status(204).send()
  })
}
