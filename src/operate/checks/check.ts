import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'

/** The input of a check: a snapshot of a database. */
export interface CheckContext {
  readonly db: Db
  readonly dialect: Dialect
  /** Called with the progress of a long check, from 0 to 1. */
  readonly onProgress: (part: number) => void
}

/** A rule that holds in every sound database, and a search for its violations. */
export interface IntegrityCheck {
  /** A short name for machines. */
  readonly name: string
  /** The rule, for people. */
  readonly holds: string
  /** Names each violation. */
  find(subject: CheckContext): AsyncIterable<string>
}

export interface CheckResult {
  readonly name: string
  readonly holds: string
  readonly count: number
  /** The first violations. */
  readonly places: readonly string[]
}
