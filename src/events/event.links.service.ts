import type { Actor } from '../auth/actor.ts'
import { mayEdit } from '../auth/policy.ts'
import { listEntryVersions } from '../directory/directory.repository.ts'
import { createEntry, publishEntries, type WriteContext } from '../directory/directory.service.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import { chooseVersion, fullChain } from '../languages/chain.ts'
import type { Language } from '../languages/language.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import type { Tx } from '../storage/tables.ts'
import { venues } from '../venues/venue.directory.ts'
import type { LinkInput } from './event.links.arguments.ts'
import type { CalendarEvent } from './event.ts'

/**
 * Ids of what is to be linked, each once; new ones are created in the language of the event, those of a known name are
 * taken. What is translated is linked as its original.
 */
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
    const entry =
      'id' in link
        ? (await listEntryVersions(tx, directory, [link.id])).find(({ id }) => id === link.id)
        : await createEntry(tx, context, directory, actor, link.create, { language, of: undefined })
    if (entry && !ids.includes(entry.groupId)) ids.push(entry.groupId)
  }
  return directory.kind === 'venue' ? ids.slice(0, 1) : ids
}

/**
 * Drafts and pending records go live with a published event that shows them (events.md §8, row 8): those that the caller
 * may change. Nobody publishes by a link what he may not publish itself.
 */
export async function publishLinked(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  event: CalendarEvent,
  venueIds: readonly number[],
  organizerIds: readonly number[],
): Promise<void> {
  if (event.status !== 'publish') return
  await publishShown(tx, context, actor, venues, event, venueIds)
  await publishShown(tx, context, actor, organizers, event, organizerIds)
}

async function publishShown<F extends Fields>(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  directory: Directory<F>,
  { language }: CalendarEvent,
  ids: readonly number[],
): Promise<void> {
  const groups = Map.groupBy(await listEntryVersions(tx, directory, ids), ({ groupId }) => groupId)
  const preference = fullChain(language, context.config.defaultLanguage)
  const shown = [...groups.values()].flatMap((versions) => {
    return (
      chooseVersion(
        versions.filter(({ status }) => status !== 'trash'),
        preference,
      ) ?? []
    )
  })
  const own = shown.filter((entry) => mayEdit(actor, entry))
  await publishEntries(tx, context, directory, own)
}
