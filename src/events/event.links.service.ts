import type { Actor } from '../auth/actor.ts'
import { listEntriesById } from '../directory/directory.repository.ts'
import { createEntry, publishEntries, type WriteContext } from '../directory/directory.service.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import type { Language } from '../languages/language.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import type { Publication } from '../records/record.status.ts'
import type { Tx } from '../storage/tables.ts'
import { venues } from '../venues/venue.directory.ts'
import type { LinkInput } from './event.links.arguments.ts'

/** Ids of what is to be linked; new ones are created, those of a known name are taken. */
export async function linkedIds<F extends Fields>(
  tx: Tx,
  context: WriteContext,
  directory: Directory<F>,
  actor: Actor,
  links: readonly LinkInput<F>[],
  language: Language,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (const link of links) {
    const id = 'id' in link ? link.id : (await createEntry(tx, context, directory, actor, link.create, language)).id
    if (!ids.includes(id)) ids.push(id)
  }
  return directory.kind === 'venue' ? ids.slice(0, 1) : ids
}

/** Drafts and pending records go live with a published event that names them (events.md §8, row 8). */
export async function publishLinked(
  tx: Tx,
  context: WriteContext,
  { status }: Publication,
  venueIds: readonly number[],
  organizerIds: readonly number[],
): Promise<void> {
  if (status !== 'publish') return
  await publishEntries(tx, context, venues, (await listEntriesById(tx, venues, venueIds)).values())
  await publishEntries(tx, context, organizers, (await listEntriesById(tx, organizers, organizerIds)).values())
}
