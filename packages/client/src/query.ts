/** A value of a query parameter. Undefined values are not sent. */
export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | undefined

/** Formats a query for the service: moments with their zone, and lists in one value, unless an item would be split. */
export function queryText(values: object): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => pairsOf(name, value as QueryValue))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function pairsOf(name: string, value: QueryValue): string[][] {
  if (value === undefined) return []
  if (value instanceof Date) return [[name, value.toISOString()]]
  if (typeof value !== 'object') return [[name, String(value)]]
  return value.some(isCut) ? value.map((item) => [`${name}[]`, String(item)]) : [[name, value.join(',')]]
}

/** The service splits a text at commas, and decodes each part again. */
function isCut(item: string | number): boolean {
  return /[,%]/.test(String(item))
}
