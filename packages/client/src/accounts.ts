import type { CallOptions } from './options.ts'
import type { Call, Send } from './send.ts'

export type Role = 'subscriber' | 'contributor' | 'author' | 'editor' | 'administrator'

export interface User {
  readonly id: number
  readonly name: string
  /** '' if the user has none. */
  readonly email: string
  readonly role: Role
}

/** A key, which is an application password, without its secret. Times are in UTC, in ISO 8601. */
export interface Key {
  readonly id: number
  readonly label: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly is_expired: boolean
  readonly last_used_at: string | null
  /** The time until which the previous secret is also valid. */
  readonly previous_secret_until: string | null
  /**
   * The id of the key that created or renewed it, which may no longer exist; null if a person or the command line did.
   */
  readonly made_by: number | null
}

/** A removed record. */
export interface Removed<T> {
  readonly deleted: true
  readonly previous: T
}

/** A revoked key, and the keys of the same user that it had made, which were revoked with it. */
export interface RevokedKey extends Removed<Key> {
  readonly also_revoked: readonly Key[]
}

/** A user by number, or `me` for the caller. Only administrators may name another user. */
export type UserReference = number | 'me'

export interface Users {
  list(options?: CallOptions): Promise<readonly User[]>
  get(user: UserReference, options?: CallOptions): Promise<User>
  /**
   * The response contains the secret of the first key, which cannot be read again. A key that expires may not create
   * users.
   */
  create(
    input: { readonly name: string; readonly role: Role; readonly email?: string | undefined },
    options?: CallOptions,
  ): Promise<User & { readonly application_password: string }>
  update(
    user: UserReference,
    input: { readonly role?: Role | undefined; readonly email?: string | undefined },
    options?: CallOptions,
  ): Promise<User>
  delete(user: UserReference, options?: CallOptions): Promise<Removed<User>>
  /**
   * Sets the password for signing in with a browser. To change your own password, send the current one. Requires a
   * browser session: the service refuses a key with `session-required`.
   */
  setPassword(
    user: UserReference,
    input: { readonly password: string; readonly current_password?: string | undefined },
    options?: CallOptions,
  ): Promise<void>
}

/** Options of a call about the keys of a user. Default: the caller. */
export type KeyOptions = CallOptions & { readonly user?: UserReference | undefined }

export interface Keys {
  list(options?: KeyOptions): Promise<readonly Key[]>
  /** The response contains the secret, which cannot be read again. */
  create(
    input: { readonly label: string; readonly expires_in_days?: number | undefined },
    options?: KeyOptions,
  ): Promise<Key & { readonly secret: string }>
  /** Creates a new secret. The previous one stays valid for `overlap_hours`. */
  rotate(
    id: number,
    input?: { readonly overlap_hours?: number | undefined },
    options?: KeyOptions,
  ): Promise<Key & { readonly secret: string }>
  revoke(id: number, options?: KeyOptions): Promise<RevokedKey>
}

export function createUsers(send: Send): Users {
  const ask = asking(send)
  const one = (user: UserReference) => `/users/${user}`
  return {
    list: (options) => ask({ method: 'GET', path: '/users' }, options),
    get: (user, options) => ask({ method: 'GET', path: one(user) }, options),
    create: (body, options) => ask({ method: 'POST', path: '/users', body }, options),
    update: (user, body, options) => ask({ method: 'PATCH', path: one(user), body }, options),
    delete: (user, options) => ask({ method: 'DELETE', path: one(user) }, options),
    setPassword: (user, body, options) => ask({ method: 'PUT', path: `${one(user)}/password`, body }, options),
  }
}

export function createKeys(send: Send): Keys {
  const ask = asking(send)
  const path = ({ user = 'me' }: KeyOptions = {}) => `/users/${user}/keys`
  return {
    list: (options) => ask({ method: 'GET', path: path(options) }, options),
    create: (body, options) => ask({ method: 'POST', path: path(options), body }, options),
    rotate: (id, body = {}, options) => ask({ method: 'POST', path: `${path(options)}/${id}/rotate`, body }, options),
    revoke: (id, options) => ask({ method: 'DELETE', path: `${path(options)}/${id}` }, options),
  }
}

/** Returns a function that sends calls to the service’s own namespace. */
function asking(send: Send) {
  return async <T>(call: Omit<Call, 'namespace'>, options?: CallOptions): Promise<T> =>
    (await send<T>({ ...call, namespace: 'service' }, options)).body
}
