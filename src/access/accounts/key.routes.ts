import { fail } from '../../base/problems.ts'
import { listKeys } from '../auth/key.repository.ts'
import { createKey, revokeKey, rotateKey } from '../auth/key.service.ts'
import type { Key, KeyId, NewKey } from '../auth/key.ts'
import type { EndpointRequest } from '../http/call.ts'
import { alwaysShort } from '../http/read.cost.ts'
import { endpoint, openToUsers, type Route } from '../http/route.ts'
import { keyArguments, keyPath, rotationArguments, userPath } from './account.arguments.ts'
import { userInPath } from './account.paths.ts'
import { presentKey } from './account.present.ts'

const newKey = async () => (await import('./account.schema.ts')).NewKeySchema
const tag = 'Keys'

const listEndpoint = endpoint({
  methods: ['GET'],
  isShort: alwaysShort,
  operation: 'listKeys',
  summary: 'keys.list',
  answer: { schema: async () => (await import('./account.schema.ts')).KeyListSchema },
  problems: ['rest_forbidden', 'user-not-found'],
  path: userPath,
  isOpenTo: openToUsers,
  target: userInPath,
  handle: async ({ deps, target: userId }) => {
    const keys = await listKeys(deps.storage.db, userId)
    return { status: 200, body: keys.map((key) => presentKey(key, deps.now())) }
  },
})

const createEndpoint = endpoint({
  methods: ['POST'],
  remembersAnswer: { without: ['secret'] },
  operation: 'createKey',
  summary: 'keys.create',
  about: 'keys.secret.about',
  answer: { status: 201, schema: newKey },
  problems: ['rest_forbidden', 'user-not-found', 'too-many-keys', 'beyond-own-key'],
  path: userPath,
  args: keyArguments,
  isOpenTo: openToUsers,
  target: userInPath,
  handle: async ({ deps, key, target: userId, values }) => {
    const { label, expires_in_days: days, scope } = values
    const created = await createKey(deps, userId, { label, days, scope, by: key })
    return { status: 201, body: presentNewKey(deps.now(), created) }
  },
})

const rotateEndpoint = endpoint({
  methods: ['POST'],
  remembersAnswer: { without: ['secret'] },
  operation: 'rotateKey',
  isUrgent: true,
  summary: 'keys.rotate',
  about: 'keys.secret.about',
  answer: { schema: newKey },
  problems: ['rest_forbidden', 'user-not-found', 'key-not-found', 'beyond-own-key'],
  path: keyPath,
  args: rotationArguments,
  isOpenTo: openToUsers,
  target: keyInPath,
  handle: async ({ deps, key, target: id, values }) => {
    const { overlap_hours: hours = 0 } = values
    return { status: 200, body: presentNewKey(deps.now(), await rotateKey(deps, id, { overlapHours: hours, by: key })) }
  },
})

const revokeEndpoint = endpoint({
  methods: ['DELETE'],
  remembersAnswer: {},
  operation: 'revokeKey',
  isUrgent: true,
  summary: 'keys.remove',
  answer: { schema: async () => (await import('./account.schema.ts')).RevokedKeySchema },
  problems: ['rest_forbidden', 'user-not-found', 'key-not-found', 'beyond-own-key'],
  path: keyPath,
  isOpenTo: openToUsers,
  target: keyInPath,
  handle: async ({ deps, key: by, target: id }) => {
    const { key, made } = await revokeKey(deps, id, by)
    const present = (one: Key) => presentKey(one, deps.now())
    return { status: 200, body: { deleted: true, previous: present(key), also_revoked: made.map(present) } }
  },
})

/** Keys, which programs use to sign in. A user manages their own keys, an administrator the keys of all users. */
export const keyRoutes: readonly Route[] = [
  { path: '/users/{user}/keys', tag, endpoints: [listEndpoint, createEndpoint] },
  { path: '/users/{user}/keys/{key}/rotate', tag, endpoints: [rotateEndpoint] },
  { path: '/users/{user}/keys/{key}', tag, endpoints: [revokeEndpoint] },
]

/** The only answer that shows the secret. */
function presentNewKey(now: number, { key, secret }: NewKey): object {
  return { ...presentKey(key, now), secret }
}

/** @throws key-not-found, also if the key belongs to another user */
async function keyInPath(request: EndpointRequest<typeof keyPath>): Promise<KeyId> {
  const keys = await listKeys(request.deps.storage.db, await userInPath(request))
  return keys.find((key) => key.id === request.path.key)?.id ?? fail('key-not-found')
}
