/** Roles in ascending order of rights (conventions.md §8). */
export const ROLES = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const
export type Role = (typeof ROLES)[number]

export type UserId = number & { readonly brand: 'UserId' }

/** The sender of a request: a signed-in user or a visitor. */
export type Actor = { readonly kind: 'visitor' } | { readonly kind: 'user'; readonly id: UserId; readonly role: Role }

export const visitor: Actor = { kind: 'visitor' }

export function isRole(text: string): text is Role {
  return ROLES.includes(text as Role)
}

export function isSignedIn(actor: Actor): boolean {
  return actor.kind === 'user'
}

/** Returns true for a signed-in user whose role is `role` or higher. */
export function isAtLeast(actor: Actor, role: Role): boolean {
  return actor.kind === 'user' && ROLES.indexOf(actor.role) >= ROLES.indexOf(role)
}

/** Returns who shares limited places with others: each user, and all visitors together. */
export function sharerOf(actor: Actor): string {
  return actor.kind === 'user' ? `user ${actor.id}` : actor.kind
}
