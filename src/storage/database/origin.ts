/** Where a write comes from, as its record says. */
export interface Origin {
  /** `service`: what it does by itself. */
  readonly via: 'http' | 'cli' | 'import' | 'service'
  /** Who asked for it; undefined where nobody is signed in. */
  readonly userId?: number | undefined
  /** Of the client. */
  readonly address?: string | undefined
  /** By which the client, or a proxy in front, names the request. */
  readonly requestId?: string | undefined
}

export const ownOrigin: Origin = { via: 'service' }
