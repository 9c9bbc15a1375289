import { resultName } from '../shell/result.address.ts'

/** Returns a query without the message about the last form. */
export function withoutDone(query: URLSearchParams): string {
  const kept = new URLSearchParams(query)
  kept.delete(resultName)
  return kept.toString()
}

/** Returns the address of the table with this query. */
export function tableAt(back: string): string {
  const query = withoutDone(new URLSearchParams(back))
  return query === '' ? '/admin/events/' : `/admin/events/?${query}`
}

/** The newest events of the table, of all dates. */
export const newest = 'from=&sort=modified'
