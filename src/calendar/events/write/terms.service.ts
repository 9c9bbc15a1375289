import type { Language } from '../../../base/languages/language.ts'
import type { Tx } from '../../../storage/database/tables.ts'
import type { WriteContext } from '../../records/write.context.ts'
import { countEventsByTerm, type EventCountsByTerm, listTermIdsOfEvent } from '../../terms/term.event.repository.ts'
import { applyCountChanges, resolveTerms, resolveTermsOfEach, setTermsOfEvent } from '../../terms/term.service.ts'
import { listTranslationIds } from '../../translations/group.repository.ts'
import type { EventPatch } from '../model/event.changes.ts'
import type { CalendarEvent } from '../model/event.ts'

/** Ids of the terms that were sent. Undefined if none were sent. */
export interface ResolvedTermIds {
  readonly categories: readonly number[] | undefined
  readonly tags: readonly number[] | undefined
}

/** Returns the categories and tags that were sent. Creates those with new names (events.md §3). */
export async function resolveSentTerms(
  write: WriteContext,
  { categories, tags }: Pick<EventPatch, 'categories' | 'tags'>,
  { id: eventId, language }: Pick<CalendarEvent, 'id' | 'language'>,
): Promise<ResolvedTermIds> {
  return {
    categories: categories && (await resolveTerms(write, 'category', { items: categories, language, eventId })),
    tags: tags && (await resolveTerms(write, 'tag', { items: tags, language, eventId })),
  }
}

/** Returns the terms of each of these new events. Creates those with new names. */
export async function resolveSentTermsOfEach(
  write: WriteContext,
  drafts: readonly Pick<EventPatch, 'categories' | 'tags'>[],
  language: Language,
): Promise<readonly (readonly number[])[]> {
  const listsOf = {
    category: drafts.map(({ categories = [] }) => categories),
    tag: drafts.map(({ tags = [] }) => tags),
  }
  const { category, tag } = await resolveTermsOfEach(write, listsOf, language)
  return drafts.map((_, place) => [...(category[place] ?? []), ...(tag[place] ?? [])])
}

/** Sets the categories and tags of an event that were sent. The others stay. */
export async function setTerms(tx: Tx, id: number, sent: ResolvedTermIds): Promise<void> {
  if (!sent.categories && !sent.tags) return
  const kept = await listTermIdsOfEvent(tx, id)
  const categories = sent.categories ?? kept.filter(({ taxonomy }) => taxonomy === 'category').map((term) => term.id)
  const tags = sent.tags ?? kept.filter(({ taxonomy }) => taxonomy === 'tag').map((term) => term.id)
  await setTermsOfEvent(tx, id, [...categories, ...tags])
}

export interface CountedEvents {
  readonly eventIds: readonly number[]
  readonly shares: EventCountsByTerm
}

/** Returns how much these stored events and their translations now add to the counts of their terms. */
export async function countTermsOf(tx: Tx, ids: readonly number[]): Promise<CountedEvents> {
  const eventIds = await listTranslationIds(tx, 'records', ids)
  return { eventIds, shares: await countEventsByTerm(tx, eventIds) }
}

/**
 * Corrects the counts of published events after a change of these events and of their groups of translations. It reads
 * no other event, because a term may have very many.
 */
export async function updateTermCounts(tx: Tx, { eventIds, shares }: CountedEvents): Promise<void> {
  await applyCountChanges(tx, shares, await countEventsByTerm(tx, eventIds))
}
