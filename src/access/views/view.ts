import type { UserId } from '../auth/actor.ts'

/** A named filter of a list, which one user keeps. */
export interface SavedView {
  readonly id: number
  readonly userId: UserId
  readonly name: string
  /** The filter, as a query string. */
  readonly query: string
  readonly version: number
  /** Whole seconds since 1970, UTC. */
  readonly modifiedAt: number
}

/** The most views of one user: more would fill the head of the table. */
export const maxViews = 50
export const maxNameLetters = 60
export const maxQueryLetters = 2000
