import type { Db, Tx } from '../storage/tables.ts'
import { termFromRow } from './term.repository.ts'
import type { Term } from './term.ts'

/** The terms of these events, each with the event that carries it, by name. One query. */
export async function listEventTerms(
  db: Db,
  eventIds: readonly number[],
): Promise<readonly { readonly eventId: number; readonly term: Term }[]> {
  if (eventIds.length === 0) return []
  const rows = await db
    .selectFrom('event_terms')
    .innerJoin('terms', 'terms.id', 'event_terms.term_id')
    .selectAll('terms')
    .select('event_terms.event_id')
    .where('event_terms.event_id', 'in', eventIds)
    .orderBy('terms.name_folded')
    .orderBy('terms.id')
    .execute()
  return rows.map(({ event_id, ...row }) => ({ eventId: event_id, term: termFromRow(row) }))
}

/** Makes these the terms of the event, each once, and no others. */
export async function replaceEventTerms(tx: Tx, eventId: number, termIds: ReadonlySet<number>): Promise<void> {
  await tx.deleteFrom('event_terms').where('event_id', '=', eventId).execute()
  if (termIds.size === 0) return
  await tx
    .insertInto('event_terms')
    .values([...termIds].map((id) => ({ event_id: eventId, term_id: id })))
    .execute()
}

/** Adds `step` to the count of published events of each of these terms. */
export async function addToCounts(tx: Tx, termIds: ReadonlySet<number>, step: 1 | -1): Promise<void> {
  if (termIds.size === 0) return
  await tx
    .updateTable('terms')
    .set((e) => ({ event_count: e('event_count', '+', step) }))
    .where('id', 'in', [...termIds])
    .execute()
}
