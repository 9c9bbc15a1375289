import type { UserId } from './actor.ts'

/** Why a person gets a link: for the first start, as a new user, or because the password is lost. */
export const LINK_KINDS = ['start', 'invitation', 'reset'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** A link with which a person chooses a password. Instants are whole seconds since 1970, UTC. */
export interface AccessLink {
  readonly userId: UserId
  readonly kind: LinkKind
  readonly expiresAt: number
  readonly usedAt: number | undefined
}

/** A new link, with its secret, which cannot be read again. */
export interface NewAccessLink {
  readonly link: AccessLink
  readonly secret: string
}

/** For how long a link works, by kind. */
export const linkSeconds: Readonly<Record<LinkKind, number>> = { start: 3600, invitation: 7 * 86_400, reset: 3600 }

/** Returns the path of the page that a link opens, below the language. */
export const linkPath = (secret: string): string => `/admin/link/${secret}/`
