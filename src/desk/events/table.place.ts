import type { DeskAnswer } from '../shell/desk.call.ts'
import { resultName } from '../shell/result.address.ts'

/** Returns a query without the message about the last form. */
export function withoutDone(query: URLSearchParams): string {
  const kept = new URLSearchParams(query)
  for (const name of ['done', 'id', 'in', 'dates', resultName]) kept.delete(name)
  return kept.toString()
}

interface Done {
  readonly done: string
  readonly id: string | readonly string[]
  /** The languages that the message names. */
  readonly languages?: readonly string[]
  /** Whether the table is shown at the row of the event. */
  readonly isAtRow?: boolean
}

/** Returns the table from which a form was opened, with a message about what was done to an event. */
export function backToTable(back: string, { done, id, languages = [], isAtRow = false }: Done): DeskAnswer {
  const query = new URLSearchParams(withoutDone(new URLSearchParams(back)))
  query.set('done', done)
  const ids = [id].flat()
  for (const one of ids) query.append('id', one)
  for (const language of languages) query.append('in', language)
  return { kind: 'see', path: `/admin/events/?${query}${isAtRow ? `#e-${ids[0]}` : ''}` }
}

/** Returns the address of the table with this query. */
export function tableAt(back: string): string {
  const query = withoutDone(new URLSearchParams(back))
  return query === '' ? '/admin/events/' : `/admin/events/?${query}`
}
