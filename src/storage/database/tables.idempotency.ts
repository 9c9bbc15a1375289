import type { Selectable } from 'kysely'

/** The write that a user has requested under an idempotency key. */
export interface IdempotencyKeyTable {
  user_id: number
  /** SHA-256 of the key. */
  digest: string
  /** SHA-256 of everything that the write depended on. */
  request: string
  /** JSON: what is needed to show the result again. */
  result: string
  used_at: number
}

export type IdempotencyKeyRow = Selectable<IdempotencyKeyTable>
