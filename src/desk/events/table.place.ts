import type { DeskAnswer } from '../shell/desk.call.ts'

/** Returns a query without the message about the last form. */
export function withoutDone(query: URLSearchParams): string {
  const kept = new URLSearchParams(query)
  kept.delete('done')
  kept.delete('id')
  kept.delete('dates')
  return kept.toString()
}

interface Done {
  readonly done: string
  readonly id: string
  /** Whether the table is shown at the row of the event. */
  readonly isAtRow?: boolean
}

/** Returns the table from which a form was opened, with a message about what was done to an event. */
export function backToTable(back: string, { done, id, isAtRow = false }: Done): DeskAnswer {
  const query = new URLSearchParams(withoutDone(new URLSearchParams(back)))
  query.set('done', done)
  query.set('id', id)
  return { kind: 'see', path: `/admin/events/?${query}${isAtRow ? `#e-${id}` : ''}` }
}

/** Returns the address of the table with this query. */
export function tableAt(back: string): string {
  const query = withoutDone(new URLSearchParams(back))
  return query === '' ? '/admin/events/' : `/admin/events/?${query}`
}
