import type { UserId } from './actor.ts'

export type SessionId = number & { readonly brand: 'SessionId' }

/** A browser that somebody has signed in with. Instants are whole seconds since 1970, UTC. */
export interface Session {
  readonly id: SessionId
  readonly userId: UserId
  readonly createdAt: number
  /** To a few minutes. */
  readonly lastSeenAt: number
  /** When it ends, however busy. */
  readonly expiresAt: number
}

export const longestSessionSeconds = 7 * 86_400
export const idleSessionSeconds = 8 * 3600
/** Of one user; of more the one that was not used for longest ends. */
export const mostSessions = 20

export function isOpen({ expiresAt, lastSeenAt }: Session, now: number): boolean {
  return now < expiresAt && now < lastSeenAt + idleSessionSeconds
}
