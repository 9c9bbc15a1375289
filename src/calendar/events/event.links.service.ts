import { mayEdit } from '../../access/auth/policy.ts'
import { parameterReportWithin } from '../../access/http/parameter.report.ts'
import { chooseVersion, fullLanguageChain } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { listEntryVersions } from '../directory/directory.repository.ts'
import { createEntry, publishEntries } from '../directory/directory.service.ts'
import type { Directory, Fields } from '../directory/directory.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { listGroupsOfKind } from '../records/record.repository.ts'
import type { WriteContext } from '../records/write.context.ts'
import { venues } from '../venues/venue.directory.ts'
import type { LinkInput } from './event.links.arguments.ts'

/** The wanted links of an event in this language. */
interface WantedLinks<F extends Fields> {
  readonly links: readonly LinkInput<F>[]
  readonly language: Language
}

/**
 * Returns the distinct ids of the items to link. It creates new entries in the language of the event and reuses entries
 * with a known name. A link to a translated entry names its original.
 */
export async function linkedIds<F extends Fields>(
  write: WriteContext,
  directory: Directory<F>,
  { links, language }: WantedLinks<F>,
): Promise<readonly number[]> {
  const [ids = []] = await linkedIdsOfEach(write, directory, { lists: [links], language })
  return ids
}

/** Does the same for several events. Runs one query, and more for new entries. */
export async function linkedIdsOfEach<F extends Fields>(
  write: WriteContext,
  directory: Directory<F>,
  { lists, language }: { readonly lists: readonly WantedLinks<F>['links'][]; readonly language: Language },
): Promise<readonly (readonly number[])[]> {
  const { tx, report } = write
  const named = new Set(lists.flat().flatMap((link) => ('id' in link ? [link.id] : [])))
  const groups = await listGroupsOfKind(tx, directory.kind, [...named])
  const own = { ...write, report: report && parameterReportWithin(report, directory.kind) }
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

/** Ids of the entries that events link to. */
interface LinkedEntryIds {
  readonly venueIds: readonly number[]
  readonly organizerIds: readonly number[]
}

/**
 * Publishes the drafts and pending entries that a published event of this language shows (events.md §8 row 8), if the
 * caller may change them. A link never publishes an entry that the caller may not publish directly.
 */
export async function publishVenuesAndOrganizers(
  write: WriteContext,
  language: Language,
  { venueIds, organizerIds }: LinkedEntryIds,
): Promise<void> {
  await publishLinkedEntries(write, venues, { ids: venueIds, language })
  await publishLinkedEntries(write, organizers, { ids: organizerIds, language })
}

async function publishLinkedEntries<F extends Fields>(
  write: WriteContext,
  directory: Directory<F>,
  { ids, language }: { readonly ids: readonly number[]; readonly language: Language },
): Promise<void> {
  const { tx, actor, config } = write
  const groups = Map.groupBy(await listEntryVersions(tx, directory, ids), ({ groupId }) => groupId)
  const preference = fullLanguageChain(language, config)
  const shown = [...groups.values()].flatMap((versions) => {
    return (
      chooseVersion(
        versions.filter(({ status }) => status !== 'trash'),
        preference,
      ) ?? []
    )
  })
  const own = shown.filter((entry) => mayEdit(actor, entry))
  await publishEntries(write, directory, own)
}
