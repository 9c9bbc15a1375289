import type { Static } from 'typebox'
import { isoUtc } from '../../base/time/wire.ts'
import { isUnexpired, type Key } from '../auth/key.ts'
import { idleSessionSeconds, type Session } from '../auth/session.ts'
import type { User } from '../auth/user.ts'
import type { KeySchema, SessionSchema, UserSchema } from './account.schema.ts'

const isoUtcOrNull = (seconds: number | undefined): string | null => (seconds === undefined ? null : isoUtc(seconds))

export function presentUser({ id, name, email, role }: User): Static<typeof UserSchema> {
  return { id, name, email, role }
}

/** The representation of a key, without its secret. */
export function presentKey(key: Key, now: number): Static<typeof KeySchema> {
  const { id, label, scope, createdAt, expiresAt, lastUsedAt, previousUntil, makers } = key
  const isOverlapping = previousUntil !== undefined && previousUntil > now
  return {
    id,
    label,
    scope,
    created_at: isoUtc(createdAt),
    expires_at: isoUtcOrNull(expiresAt),
    is_expired: !isUnexpired(key, now),
    last_used_at: isoUtcOrNull(lastUsedAt),
    previous_secret_until: isOverlapping ? isoUtc(previousUntil) : null,
    made_by: makers.at(-1) ?? null,
  }
}

/** @param current The session of the caller. */
export function presentSession(session: Session, current: Session | undefined): Static<typeof SessionSchema> {
  const { id, createdAt, lastSeenAt, expiresAt } = session
  return {
    id,
    created_at: isoUtc(createdAt),
    last_seen_at: isoUtc(lastSeenAt),
    expires_at: isoUtc(Math.min(expiresAt, lastSeenAt + idleSessionSeconds)),
    is_current: id === current?.id,
  }
}
