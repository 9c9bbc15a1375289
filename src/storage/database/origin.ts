import { clientNetworkOf } from '../../base/limits/client.ts'
import type { WriteTurn } from './writes/write.turns.ts'

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

/** Returns who shares limited places and turns with others: a user, or the network of a visitor, or what has no request. */
function sharerOf({ via, userId, address }: Origin): string {
  if (userId !== undefined) return `user ${userId}`
  return via === 'http' ? clientNetworkOf(address ?? '') : via
}

/** Returns whose turn a write of this origin takes. Only requests need room, so only they are limited. */
export function turnOf(origin: Origin, { isUrgent, maxWaiting }: Omit<WriteTurn, 'client'>): WriteTurn {
  return { client: sharerOf(origin), isUrgent, maxWaiting: origin.via === 'http' ? maxWaiting : undefined }
}
