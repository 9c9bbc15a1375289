import { mayRead } from '../auth/policy.ts'
import { chooseVersion } from '../languages/chain.ts'
import type { Language } from '../languages/language.ts'
import { linkPreference, type Viewer } from '../translations/viewer.ts'
import type { Entry, Fields } from './directory.ts'

/**
 * What a record of this language shows of what it links to: of each group the version that the viewer may read and
 * wants most, in the order of the links. What is in the trash is hidden from everyone (events.md §8, row 8).
 *
 * @param versions All versions of what is linked.
 */
export function shownEntries<F extends Fields>(
  versions: readonly Entry<F>[],
  linkedIds: readonly number[],
  viewer: Viewer,
  own: Language,
): readonly Entry<F>[] {
  const groupIds = linkedIds.flatMap((id) => versions.find((version) => version.id === id)?.groupId ?? [])
  const readable = versions.filter((version) => version.status !== 'trash' && mayRead(viewer.actor, version))
  return [...new Set(groupIds)].flatMap((groupId) => {
    const members = readable.filter((version) => version.groupId === groupId)
    const shown = chooseVersion(members, linkPreference(viewer, own))
    if (!shown) return []
    const translations = Object.fromEntries(members.map(({ language, id }) => [language, id]))
    return [viewer.language === undefined ? shown : { ...shown, translations }]
  })
}
