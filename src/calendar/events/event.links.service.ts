import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit } from '../../access/auth/policy.ts'
import { toldWithin } from '../../access/http/told.ts'
import { chooseVersion, fullLanguageChain } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { listEntryVersions } from '../directory/directory.repository.ts'
import { createEntry, publishEntries } from '../directory/directory.service.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { listGroupsOfKind } from '../records/record.repository.ts'
import type { WriteContext } from '../records/write.context.ts'
import { venues } from '../venues/venue.directory.ts'
import type { LinkInput } from './event.links.arguments.ts'

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
  const [ids = []] = await linkedIdsOfEach(tx, context, directory, actor, [links], language)
  return ids
}

/** The same of several events. One query, and what is created. */
export async function linkedIdsOfEach<F extends Fields>(
  tx: Tx,
  context: WriteContext,
  directory: Directory<F>,
  actor: Actor,
  lists: readonly (readonly LinkInput<F>[])[],
  language: Language,
): Promise<readonly (readonly number[])[]> {
  const named = new Set(lists.flat().flatMap((link) => ('id' in link ? [link.id] : [])))
  const groups = await listGroupsOfKind(tx, directory.kind, [...named])
  const own = { ...context, tx, actor, report: context.report && toldWithin(context.report, directory.kind) }
  const ofEach: (readonly number[])[] = []
  for (const links of lists) {
    const ids = new Set<number>()
    for (const link of links) {
      const id =
        'id' in link
          ? groups.get(link.id)
          : (await createEntry(own, directory, { draft: link.create, language, of: undefined })).groupId
      if (id !== undefined) ids.add(id)
    }
    ofEach.push(directory.kind === 'venue' ? [...ids].slice(0, 1) : [...ids])
  }
  return ofEach
}

/**
 * Drafts and pending records go live with a published event of this language that shows them (events.md §8 row 8): those that the caller
 * may change. Nobody publishes by a link what he may not publish itself.
 */
export async function publishVenuesAndOrganizers(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  language: Language,
  venueIds: readonly number[],
  organizerIds: readonly number[],
): Promise<void> {
  await publishLinkedEntries(tx, context, actor, venues, language, venueIds)
  await publishLinkedEntries(tx, context, actor, organizers, language, organizerIds)
}

async function publishLinkedEntries<F extends Fields>(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  directory: Directory<F>,
  language: Language,
  ids: readonly number[],
): Promise<void> {
  const groups = Map.groupBy(await listEntryVersions(tx, directory, ids), ({ groupId }) => groupId)
  const preference = fullLanguageChain(language, context.config)
  const shown = [...groups.values()].flatMap((versions) => {
    return (
      chooseVersion(
        versions.filter(({ status }) => status !== 'trash'),
        preference,
      ) ?? []
    )
  })
  const own = shown.filter((entry) => mayEdit(actor, entry))
  await publishEntries({ ...context, tx, actor }, directory, own)
}
