/** Who sends a request. */
export const CALLERS = ['visitor', 'administrator', 'author'] as const
export type Caller = (typeof CALLERS)[number]

/** A value that differs from turn to turn, so that no cache has the answer. */
export type Value = string | ((turn: number) => string)
export type Pair = readonly [name: string, value: Value]

/** A kind of request. */
export interface Kind {
  readonly caller: Caller
  readonly method: 'GET' | 'POST'
  /** From the root, without the query. */
  readonly path: string
  readonly query: readonly Pair[]
  readonly headers?: Readonly<Record<string, string>>
  /** A body, sent as JSON. */
  readonly body?: object
}

/** The calendar that is asked. */
export interface Calendar {
  readonly size: number
  /** The id of the first event. */
  readonly firstEvent: number
}

const longestShown = 36

/** A value that contains this text gets the origin of the service in its place. */
export const ownOrigin = '{origin}'

/** Returns the address of a kind in one turn. The turn is part of every query, so that no address is sent twice. */
export function addressOf({ path, query }: Kind, turn: number, origin: string): string {
  const pairs = query.map(([name, value]) => [
    name,
    (typeof value === 'string' ? value : value(turn)).replace(ownOrigin, origin),
  ])
  return `${origin}${path}?${new URLSearchParams([...pairs, ['turn', String(turn)]] as [string, string][])}`
}

/** Returns a kind as a reader recognises it: long values are cut, with their length. */
export function titleOf(kind: Kind): string {
  const { method, path, query, headers, body } = kind
  const pairs = query.map(([name, value]) => `${name}=${cut(typeof value === 'string' ? value : value(0))}`)
  return [
    `${method} ${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`,
    ...(body === undefined ? [] : [`body ${cut(JSON.stringify(body))}`]),
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ].join(', ')
}

function cut(text: string): string {
  const items = text.split(',').length
  if (text.length <= longestShown) return text
  const length = items > 9 ? `${items} items` : `${text.length} characters`
  return `${text.slice(0, longestShown / 2)}… (${length})`
}
