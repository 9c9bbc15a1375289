import { mayEdit } from '../../../access/auth/policy.ts'
import { parameterReportWithin } from '../../../access/http/arguments/parameter.report.ts'
import { chooseTranslation, fullLanguageChain } from '../../../base/languages/chain.ts'
import type { Language } from '../../../base/languages/language.ts'
import type { Tx } from '../../../storage/database/tables.ts'
import { listEntryTranslations } from '../../directory/directory.repository.ts'
import { createEntry, publishEntries } from '../../directory/directory.service.ts'
import type { Directory, Fields } from '../../directory/directory.ts'
import { organizers } from '../../organizers/organizer.directory.ts'
import type { OrganizerFields } from '../../organizers/organizer.ts'
import type { WriteContext } from '../../records/write.context.ts'
import { venues } from '../../venues/venue.directory.ts'
import type { VenueFields } from '../../venues/venue.ts'
import type { LinkInput } from '../model/links.arguments.ts'
import { type LinkableEntry, listLinkableEntries } from './links.repository.ts'

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
  const entries = await listNamedEntries(write.tx, links)
  const [ids = []] = await linkedIdsOfEach(write, directory, { lists: [links], entries, language })
  return ids
}

/** Returns the entries that links name by their ids. Runs at most one query. */
export async function listNamedEntries(
  tx: Tx,
  links: readonly (LinkInput<VenueFields> | LinkInput<OrganizerFields> | LinkInput<Fields>)[],
): Promise<ReadonlyMap<number, LinkableEntry>> {
  const ids = new Set(links.flatMap((link) => ('id' in link ? [link.id] : [])))
  return ids.size === 0
    ? new Map()
    : new Map((await listLinkableEntries(tx, [...ids])).map((entry) => [entry.id, entry]))
}

/** Does the same as `linkedIds` for several events. Runs queries for new entries only. */
export async function linkedIdsOfEach<F extends Fields>(
  write: WriteContext,
  directory: Directory<F>,
  {
    lists,
    entries,
    language,
  }: {
    readonly lists: readonly WantedLinks<F>['links'][]
    readonly entries: ReadonlyMap<number, LinkableEntry>
    readonly language: Language
  },
): Promise<readonly (readonly number[])[]> {
  if (lists.every((links) => links.length === 0)) return lists.map(() => [])
  const { report } = write
  const groupOf = (id: number) => {
    const entry = entries.get(id)
    return entry?.kind === directory.kind ? entry.groupId : undefined
  }
  const own = { ...write, report: report && parameterReportWithin(report, directory.kind) }
  const ofEach: (readonly number[])[] = []
  for (const links of lists) {
    const ids = new Set<number>()
    for (const link of links) {
      const id =
        'id' in link
          ? groupOf(link.id)
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
  const groups = Map.groupBy(await listEntryTranslations(tx, directory, ids), ({ groupId }) => groupId)
  const preference = fullLanguageChain(language, config)
  const shown = [...groups.values()].flatMap((versions) => {
    return (
      chooseTranslation(
        versions.filter(({ status }) => status !== 'trash'),
        preference,
      ) ?? []
    )
  })
  const own = shown.filter((entry) => mayEdit(actor, entry))
  await publishEntries(write, directory, own)
}
