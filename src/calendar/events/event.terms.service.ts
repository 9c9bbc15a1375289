import type { Actor } from '../../access/auth/actor.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { WriteContext } from '../records/write.context.ts'
import { countEventsByTerm, type EventCountsByTerm, listTermIdsOfEvent } from '../terms/term.event.repository.ts'
import { applyCountChanges, resolveTerms, resolveTermsOfEach, setTermsOfEvent } from '../terms/term.service.ts'
import { listVersionIds } from '../translations/group.repository.ts'
import type { EventChanges } from './event.changes.ts'
import type { CalendarEvent } from './event.ts'

/** Ids of the terms that were sent; undefined where none were. */
export interface ResolvedTermIds {
  readonly categories: readonly number[] | undefined
  readonly tags: readonly number[] | undefined
}

/** The categories and tags that were sent, created where they are new names (events.md §3). */
export async function resolveSentTerms(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  sent: Partial<Pick<EventChanges, 'categories' | 'tags'>>,
  { id: eventId, language }: Pick<CalendarEvent, 'id' | 'language'>,
): Promise<ResolvedTermIds> {
  const write = { ...context, tx, actor }
  const named = { language, eventId }
  return {
    categories: sent.categories && (await resolveTerms(write, 'category', { ...named, items: sent.categories })),
    tags: sent.tags && (await resolveTerms(write, 'tag', { ...named, items: sent.tags })),
  }
}

/** The terms of each of these new events, created where they are new names. */
export async function resolveSentTermsOfEach(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  sent: readonly Partial<Pick<EventChanges, 'categories' | 'tags'>>[],
  language: CalendarEvent['language'],
): Promise<readonly (readonly number[])[]> {
  const write = { ...context, tx, actor }
  const categoryLists = sent.map(({ categories = [] }) => categories)
  const categories = await resolveTermsOfEach(write, 'category', { language, lists: categoryLists })
  const tagLists = sent.map(({ tags = [] }) => tags)
  const tags = await resolveTermsOfEach(write, 'tag', { language, lists: tagLists })
  return sent.map((_, place) => [...(categories[place] ?? []), ...(tags[place] ?? [])])
}

/** Sets the categories and tags of an event that were sent; the others stay. */
export async function setTerms(tx: Tx, id: number, sent: ResolvedTermIds): Promise<void> {
  if (!sent.categories && !sent.tags) return
  const kept = await listTermIdsOfEvent(tx, id)
  const categories = sent.categories ?? kept.filter(({ taxonomy }) => taxonomy === 'category').map((term) => term.id)
  const tags = sent.tags ?? kept.filter(({ taxonomy }) => taxonomy === 'tag').map((term) => term.id)
  await setTermsOfEvent(tx, id, [...categories, ...tags])
}

/** What events add to the counts of their terms. */
export interface CountedEvents {
  readonly eventIds: readonly number[]
  readonly shares: EventCountsByTerm
}

/** What these stored events, with their translations, add to the counts of their terms now. */
export async function countTermsOf(tx: Tx, ids: readonly number[]): Promise<CountedEvents> {
  const eventIds = await listVersionIds(tx, 'records', ids)
  return { eventIds, shares: await countEventsByTerm(tx, eventIds) }
}

/**
 * Keeps the counts of published events true after a change of these events, in whatever groups of translations they are
 * by now. No other event is looked at: a term may have very many.
 */
export async function updateTermCounts(tx: Tx, { eventIds, shares }: CountedEvents): Promise<void> {
  await applyCountChanges(tx, shares, await countEventsByTerm(tx, eventIds))
}
