import type { UserId } from './actor.ts'

export type SessionId = number & { readonly brand: 'SessionId' }

/** A browser in which a user has signed in. Instants are whole seconds since 1970, UTC. */
export interface Session {
  readonly id: SessionId
  readonly userId: UserId
  readonly createdAt: number
  /** Accurate to a few minutes. */
  readonly lastSeenAt: number
  /** The time at which the session ends, even if it is in use. */
  readonly expiresAt: number
}

export const maxSessionSeconds = 7 * 86_400
export const idleSessionSeconds = 8 * 3600
/** Per user. One more ends the least recently used session. */
export const maxSessions = 20

export function isOpen({ expiresAt, lastSeenAt }: Session, now: number): boolean {
  return now < expiresAt && now < lastSeenAt + idleSessionSeconds
}
