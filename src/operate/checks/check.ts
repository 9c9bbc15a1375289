import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'

/** What a check looks at: a database as it was at one moment. */
export interface CheckContext {
  readonly db: Db
  readonly dialect: Dialect
  /** Told how far a check that takes long has come, of 1. */
  readonly onProgress: (part: number) => void
}

/** Something that holds in every sound database, and how to find where it does not. */
export interface IntegrityCheck {
  /** Short, for machines. */
  readonly name: string
  /** For people: what must hold. */
  readonly holds: string
  /** Names each place where it does not. */
  find(subject: CheckContext): AsyncIterable<string>
}

/** What a check has come to. */
export interface CheckResult {
  readonly name: string
  readonly holds: string
  /** How many places break it. */
  readonly count: number
  /** The first of them. */
  readonly places: readonly string[]
}
