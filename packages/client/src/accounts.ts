import type { CallOptions } from './options.ts'
import type { Call, Send } from './send.ts'

export type Role = 'subscriber' | 'contributor' | 'author' | 'editor' | 'administrator'

export interface User {
  readonly id: number
  readonly name: string
  /** '' for none. */
  readonly email: string
  readonly role: Role
}

/** A key, which is an application password: all of it but its secret. Times are in UTC, as in ISO 8601. */
export interface Key {
  readonly id: number
  readonly label: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly is_expired: boolean
  readonly last_used_at: string | null
  /** Until when the secret before the last rotation opens as well. */
  readonly previous_secret_until: string | null
  /** The key that asked for it, or renewed it, which may be gone; null where a person or the command line did. */
  readonly made_by: number | null
}

/** What was removed. */
export interface Removed<T> {
  readonly deleted: true
  readonly previous: T
}

/** A key that was revoked, and the keys of the same user that it had made, which have ended with it. */
export interface RevokedKey extends Removed<Key> {
  readonly also_revoked: readonly Key[]
}

/** By number, or `me` for whoever asks. All but oneself is for administrators. */
export type UserReference = number | 'me'

export interface Users {
  list(options?: CallOptions): Promise<readonly User[]>
  get(user: UserReference, options?: CallOptions): Promise<User>
  /** The secret of the first key is in the answer, and nowhere else. Not with a key that ends. */
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
   * Sets the password for signing in with a browser; for one’s own the one there is must be told. This takes somebody
   * who has signed in with a browser: a key is refused with `session-required`.
   */
  setPassword(
    user: UserReference,
    input: { readonly password: string; readonly current_password?: string | undefined },
    options?: CallOptions,
  ): Promise<void>
}

/** Options of a call about the keys of a user: of oneself where none is named. */
export type KeyOptions = CallOptions & { readonly user?: UserReference | undefined }

export interface Keys {
  list(options?: KeyOptions): Promise<readonly Key[]>
  /** The secret is in the answer, and nowhere else. */
  create(
    input: { readonly label: string; readonly expires_in_days?: number | undefined },
    options?: KeyOptions,
  ): Promise<Key & { readonly secret: string }>
  /** A new secret; the one before opens as well for `overlap_hours`. */
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

/** Asks the service’s own namespace. */
function asking(send: Send) {
  return async <T>(call: Omit<Call, 'namespace'>, options?: CallOptions): Promise<T> =>
    (await send<T>({ ...call, namespace: 'service' }, options)).body
}
