import type { FastifyRequest } from 'fastify'
import { fail } from '../../base/problems.ts'
import { listKeys } from '../auth/key.repository.ts'
import { createKey, revokeKey, rotateKey } from '../auth/key.service.ts'
import type { Key, KeyId, NewKey } from '../auth/key.ts'
import { readBody } from '../http/service.body.ts'
import type { AddRoute, ServiceCall } from '../http/service.ts'
import { keyArguments, rotationArguments } from './account.arguments.ts'
import { numberInPath, userInPath } from './account.paths.ts'
import { presentKey } from './account.present.ts'

/** Keys, which programs sign in with: each user's own, and for administrators everybody's. */
export function keyRoutes(add: AddRoute): void {
  add('GET', '/users/:user/keys', async (call, request) => {
    const keys = await listKeys(call.deps.storage.db, await userInPath(call, request))
    return keys.map((key) => presentKey(key, call.deps.now()))
  })

  add('POST', '/users/:user/keys', async (call, request, reply) => {
    const userId = await userInPath(call, request)
    const { label, expires_in_days: days } = await readBody(call, request, keyArguments)
    return reply
      .status(201)
      .send(presentNewKey(call, await createKey(call.deps, userId, { label, days, by: call.key })))
  })

  add('POST', '/users/:user/keys/:key/rotate', async (call, request) => {
    const id = await keyInPath(call, request)
    const { overlap_hours: hours = 0 } = await readBody(call, request, rotationArguments)
    return presentNewKey(call, await rotateKey(call.deps, id, { overlapHours: hours, by: call.key }))
  })

  add('DELETE', '/users/:user/keys/:key', async (call, request) => {
    const { key, made } = await revokeKey(call.deps, await keyInPath(call, request), call.key)
    const present = (one: Key) => presentKey(one, call.deps.now())
    return { deleted: true, previous: present(key), also_revoked: made.map(present) }
  })
}

/** The one answer that ever shows the secret. */
function presentNewKey({ deps }: ServiceCall, { key, secret }: NewKey): object {
  return { ...presentKey(key, deps.now()), secret }
}

/** @throws key-not-found, also where it is somebody else's */
async function keyInPath(call: ServiceCall, request: FastifyRequest): Promise<KeyId> {
  const keys = await listKeys(call.deps.storage.db, await userInPath(call, request))
  const id = numberInPath(request, 'key', 'key-not-found')
  return keys.find((key) => key.id === id)?.id ?? fail('key-not-found')
}
