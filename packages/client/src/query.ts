/** What a query may hold. What is undefined is not sent. */
export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | undefined

/** As the service reads it: moments with their zone, lists in one value where no item could be taken for two. */
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

/** The service cuts a text at commas, and decodes each part once more. */
function isCut(item: string | number): boolean {
  return /[,%]/.test(String(item))
}
