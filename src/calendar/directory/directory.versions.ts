import { mayRead } from '../../access/auth/policy.ts'
import { chooseVersion } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { madeOnce } from '../../storage/database/kept.ts'
import { distinctGroups, type LinkedGroups, translationIdsOf } from '../translations/linked.groups.ts'
import { linkPreference, type Viewer } from '../translations/viewer.ts'
import type { DirectoryEntry, Fields } from './directory.ts'

/**
 * Tells what a record shows of what it links to: of each group the version that the viewer may read and wants most, in
 * the order of the links. What is in the trash is hidden from everyone (events.md §8 row 8).
 *
 * @param groups All versions of whatever will be asked for.
 */
export function linkedEntriesReader<F extends Fields>(
  groups: LinkedGroups<DirectoryEntry<F>>,
  viewer: Viewer,
): (linkedIds: readonly number[], own: Language) => readonly DirectoryEntry<F>[] {
  const isShown = (version: DirectoryEntry<F>) => version.status !== 'trash' && mayRead(viewer.actor, version)
  return (linkedIds, own) =>
    distinctGroups(linkedIds, groups).flatMap((group) => {
      // Mostly all: then it is the group that is kept, of which more is known.
      const members = group.every(isShown) ? group : group.filter(isShown)
      const shown = chooseVersion(members, linkPreference(viewer, own))
      if (!shown) return []
      return viewer.language === undefined ? shown : (withTranslationIds(shown, members) as DirectoryEntry<F>)
    })
}

const withTranslationIds = madeOnce((shown: DirectoryEntry<Fields>, members: readonly DirectoryEntry<Fields>[]) => ({
  ...shown,
  translations: translationIdsOf(members),
}))
