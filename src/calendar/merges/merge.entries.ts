import { fail, failParameter } from '../../base/problems.ts'
import { findEntry, listEntryVersions } from '../directory/directory.repository.ts'
import { restoreEntry, trashEntry } from '../directory/directory.service.ts'
import type { Directory, DirectoryEntry, Fields } from '../directory/directory.ts'
import type { Mergeable } from './merge.ts'

/** How venues or organizers are merged: the merged one goes to the trash. */
export function mergeableEntries<F extends Fields>(directory: Directory<F>): Mergeable<DirectoryEntry<F>> {
  const { kind } = directory
  return {
    kind,
    read: async (db, id) => {
      const entry = (await findEntry(db, directory, id)) ?? fail('record-not-found')
      return entry.status === 'trash' ? fail(`${kind}-is-in-trash`) : entry
    },
    find: async (db, id) => {
      const entry = await findEntry(db, directory, id)
      return entry?.status === 'trash' ? undefined : entry
    },
    listVersions: (db, ids) => listEntryVersions(db, directory, ids),
    check: async (_db, _pair, { merged, target }) => {
      // Public events would lose their place or organizer.
      if (merged.status === 'publish' && target.status !== 'publish') failParameter('into', 'fault.merge-unpublished')
    },
    tell: async (_db, { from, into }) => {
      const isLost = ({ language, status }: DirectoryEntry<F>) =>
        status !== 'trash' && !into.some((one) => one.status !== 'trash' && one.language === language)
      return { lost_languages: from.filter(isLost).map(({ language }) => language) }
    },
    takeAway: async (write, { from }) => {
      const trashed = from.filter(({ status }) => status !== 'trash').map(({ id }) => id)
      for (const id of trashed) await trashEntry(write, directory, id)
      return { trashed }
    },
    giveBack: async (write, { trashed }) => {
      for (const { id, status } of await listEntryVersions(write.tx, directory, trashed)) {
        if (status === 'trash' && trashed.includes(id)) await restoreEntry(write, directory, id)
      }
    },
  }
}
