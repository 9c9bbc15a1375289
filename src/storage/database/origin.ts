/** The origin of a write, as the audit log records it. */
export interface Origin {
  /** `service`: the service acts on its own, without a request. */
  readonly via: 'http' | 'cli' | 'import' | 'service'
  /** Id of the user who requested the write. Undefined if nobody is signed in. */
  readonly userId?: number | undefined
  /** Address of the client. */
  readonly address?: string | undefined
  /** The id by which the client, or a proxy in front of the service, names the request. */
  readonly requestId?: string | undefined
}

export const serviceOrigin: Origin = { via: 'service' }
