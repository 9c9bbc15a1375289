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
import type { CallOptions, ServiceWriteOptions } from './options.ts'
import type { Call, Send } from './send.ts'

/** A removed record. */
export interface Removed<T> {
  readonly deleted: true
  readonly previous: T
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
    input: CreateUserInput,
    options?: ServiceWriteOptions,
  ): Promise<NewUser & Pick<Required<NewUser>, 'application_password'>>
  update(user: UserReference, input: ChangeUserInput, options?: ServiceWriteOptions): Promise<User>
  delete(user: UserReference, options?: ServiceWriteOptions): Promise<RemovedUser>
  /**
   * Sets the password for signing in with a browser. To change your own password, send the current one. Requires a
   * browser session: the service refuses a key with `session-required`.
   */
  setPassword(user: UserReference, input: SetPasswordInput, options?: ServiceWriteOptions): Promise<void>
}

/** Options of a call about the keys of a user. Default: the caller. */
export type KeyOptions = ServiceWriteOptions & { readonly user?: UserReference | undefined }

export interface Keys {
  list(options?: KeyOptions): Promise<readonly Key[]>
  /** The response contains the secret, which cannot be read again. */
  create(input: CreateKeyInput, options?: KeyOptions): Promise<NewKey & Pick<Required<NewKey>, 'secret'>>
  /** Creates a new secret. The previous one stays valid for `overlap_hours`. */
  rotate(id: number, input?: RotateKeyInput, options?: KeyOptions): Promise<NewKey & Pick<Required<NewKey>, 'secret'>>
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
  return async <T>(call: Omit<Call, 'namespace'>, options?: ServiceWriteOptions): Promise<T> =>
    (await send<T>({ ...call, namespace: 'service' }, options)).body
}
