import type { Role, UserId } from './actor.ts'

export interface User {
  readonly id: UserId
  readonly name: string
  /** '' if the user has none. */
  readonly email: string
  readonly role: Role
}

export const maxNameLetters = 60
const maxEmailLetters = 254

/** Returns true if the text can be the name of a user. RFC 7617, 2: a name with a colon cannot be sent. */
export function isUserName(text: string): boolean {
  return text.trim() === text && text !== '' && text.length <= maxNameLetters && !/[:\p{Cc}]/u.test(text)
}

export function isEmailAddress(text: string): boolean {
  return text.length <= maxEmailLetters && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text)
}
