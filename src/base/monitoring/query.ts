/** A statement that has ended. */
export interface QueryTiming {
  /** Its first word, if it is a usual one. */
  readonly operation: SqlOperation
  /** The first table that it names, if any. */
  readonly table: string | undefined
  readonly ms: number
  /** The time at which it ended, in milliseconds since 1970. Absent: now. */
  readonly endedAt?: number
}

const operations = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback', 'with'] as const
type SqlOperation = (typeof operations)[number] | 'other'

/** Returns what may be reported of a statement: no values. */
export function queryTiming(text: string, ms: number): QueryTiming {
  // Some statements begin with a comment that says how they are sent.
  const statement = text.replace(/^(?:\s*\/\*.*?\*\/)+/s, '')
  const word = /^\s*([a-z]+)/i.exec(statement)?.[1]?.toLowerCase()
  return { operation: operations.find((one) => one === word) ?? 'other', table: tableOf(statement), ms }
}

function tableOf(text: string): string | undefined {
  return /\b(?:from|into|update)\s+"?([a-z_]+)/i.exec(text)?.[1]?.toLowerCase()
}
