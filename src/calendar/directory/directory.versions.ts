import { mayRead } from '../../access/auth/policy.ts'
import { chooseTranslation } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import { distinctGroups, type LinkedGroups, translationIdsOf } from '../translations/linked.groups.ts'
import { linkPreferences, type Viewer } from '../translations/viewer.ts'
import type { DirectoryEntry, Fields } from './directory.ts'

/**
 * Returns a function that finds the linked entries that a record shows. Of each group, it returns the version that the
 * viewer may read and prefers most, in the order of the links. Entries in the trash are hidden from everyone (events.md
 * §8 row 8).
 *
 * @param groups All versions of every entry that the function will be asked for.
 */
export function linkedEntriesReader<F extends Fields>(
  groups: LinkedGroups<DirectoryEntry<F>>,
  viewer: Viewer,
): (linkedIds: readonly number[], own: Language) => readonly DirectoryEntry<F>[] {
  const preferenceOf = linkPreferences(viewer)
  const isShown = (version: DirectoryEntry<F>) => version.status !== 'trash' && mayRead(viewer.actor, version)
  return (linkedIds, own) => {
    const entries: DirectoryEntry<F>[] = []
    for (const group of distinctGroups(linkedIds, groups)) {
      // Usually all members are shown. The group itself is then kept, because caches know it by identity.
      const members = group.every(isShown) ? group : group.filter(isShown)
      const shown = chooseTranslation(members, preferenceOf(own))
      if (shown)
        entries.push(viewer.language === undefined ? shown : (withTranslationIds(shown, members) as DirectoryEntry<F>))
    }
    return entries
  }
}

const withTranslationIds = memoizePerObject(
  (shown: DirectoryEntry<Fields>, members: readonly DirectoryEntry<Fields>[]) => ({
    ...shown,
    translations: translationIdsOf(members),
  }),
)
