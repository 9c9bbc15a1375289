/** A statement that the database has ended with. */
export interface QueryTaken {
  /** Its first word, where it is one of the usual ones. */
  readonly operation: Operation
  /** The first table that it names, if any. */
  readonly table: string | undefined
  readonly ms: number
}

const operations = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback', 'with'] as const
export type Operation = (typeof operations)[number] | 'other'

/** What may be told of a statement: nothing of what was asked for. */
export function queryTaken(text: string, ms: number): QueryTaken {
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase()
  return { operation: operations.find((one) => one === word) ?? 'other', table: tableOf(text), ms }
}

function tableOf(text: string): string | undefined {
  return /\b(?:from|into|update)\s+"?([a-z_]+)/i.exec(text)?.[1]?.toLowerCase()
}
