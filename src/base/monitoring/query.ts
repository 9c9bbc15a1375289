/** A statement that the database has ended with. */
export interface QueryTiming {
  /** Its first word, where it is one of the usual ones. */
  readonly operation: SqlOperation
  /** The first table that it names, if any. */
  readonly table: string | undefined
  readonly ms: number
}

const operations = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback', 'with'] as const
type SqlOperation = (typeof operations)[number] | 'other'

/** What may be told of a statement: nothing of what was asked for. */
export function queryTiming(text: string, ms: number): QueryTiming {
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase()
  return { operation: operations.find((one) => one === word) ?? 'other', table: tableOf(text), ms }
}

function tableOf(text: string): string | undefined {
  return /\b(?:from|into|update)\s+"?([a-z_]+)/i.exec(text)?.[1]?.toLowerCase()
}
