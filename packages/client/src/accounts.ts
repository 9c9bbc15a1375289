import type {
  ChangeUserInput,
  CreateKeyInput,
  CreateUserInput,
  Key,
  NewKey,
  NewUser,
  RemovedUser,
  RevokedKey,
  RotateKeyInput,
  SetPasswordInput,
  User,
} from './api.generated.ts'
import type { CallOptions } from './options.ts'
import type { Call, Send } from './send.ts'

/** What was removed. */
export interface Removed<T> {
  readonly deleted: true
  readonly previous: T
}

/** By number, or `me` for whoever asks. All but oneself is for administrators. */
export type UserReference = number | 'me'

export interface Users {
  list(options?: CallOptions): Promise<readonly User[]>
  get(user: UserReference, options?: CallOptions): Promise<User>
  /** The secret of the first key is in the answer, and nowhere else. Not with a key that ends. */
  create(input: CreateUserInput, options?: CallOptions): Promise<NewUser>
  update(user: UserReference, input: ChangeUserInput, options?: CallOptions): Promise<User>
  delete(user: UserReference, options?: CallOptions): Promise<RemovedUser>
  /**
   * Sets the password for signing in with a browser; for one’s own the one there is must be told. This takes somebody
   * who has signed in with a browser: a key is refused with `session-required`.
   */
  setPassword(user: UserReference, input: SetPasswordInput, options?: CallOptions): Promise<void>
}

/** Options of a call about the keys of a user: of oneself where none is named. */
export type KeyOptions = CallOptions & { readonly user?: UserReference | undefined }

export interface Keys {
  list(options?: KeyOptions): Promise<readonly Key[]>
  /** The secret is in the answer, and nowhere else. */
  create(input: CreateKeyInput, options?: KeyOptions): Promise<NewKey>
  /** A new secret; the one before opens as well for `overlap_hours`. */
  rotate(id: number, input?: RotateKeyInput, options?: KeyOptions): Promise<NewKey>
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
