/** Who sends a request. */
export type Caller = 'visitor' | 'administrator' | 'author'

/** A value that differs from turn to turn, so that no cache has the answer. */
export type Value = string | ((turn: number) => string)

/** A kind of request that reads. */
export interface Kind {
  readonly caller: Caller
  /** From the root, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, Value>>
}

/** The calendar that is asked. */
export interface Calendar {
  readonly size: number
  /** The id of the first event. */
  readonly firstEvent: number
}

const longestShown = 36

/** Returns the address of a kind in one turn. The turn is part of every query, so that no address is sent twice. */
export function addressOf({ path, query }: Kind, turn: number): string {
  return `${path}?${new URLSearchParams([...pairsOf(query, turn), ['turn', String(turn)]])}`
}

/** Returns a kind as a reader recognizes it: long values are cut, with their length. */
export function titleOf({ caller, path, query }: Kind): string {
  const pairs = pairsOf(query, 0).map(([name, value]) => `${name}=${cut(value)}`)
  return `${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`} (${caller})`
}

function pairsOf(query: Kind['query'], turn: number): [name: string, value: string][] {
  return Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : value(turn)])
}

function cut(text: string): string {
  const items = text.split(',').length
  if (text.length <= longestShown) return text
  const length = items > 9 ? `${items} items` : `${text.length} characters`
  return `${text.slice(0, longestShown / 2)}… (${length})`
}
