import { mayRead } from '../auth/policy.ts'
import { chooseVersion } from '../languages/chain.ts'
import type { Language } from '../languages/language.ts'
import { linkPreference, type Viewer } from '../translations/viewer.ts'
import type { Entry, Fields } from './directory.ts'

/**
 * Tells what a record shows of what it links to: of each group the version that the viewer may read and wants most, in
 * the order of the links. What is in the trash is hidden from everyone (events.md §8, row 8).
 *
 * @param versions All versions of whatever will be asked for.
 */
export function linkedEntries<F extends Fields>(
  versions: readonly Entry<F>[],
  viewer: Viewer,
): (linkedIds: readonly number[], own: Language) => readonly Entry<F>[] {
  const groupOf = new Map<number, number>(versions.map(({ id, groupId }) => [id, groupId]))
  const readable = versions.filter((version) => version.status !== 'trash' && mayRead(viewer.actor, version))
  const groups = Map.groupBy(readable, ({ groupId }) => groupId)
  return (linkedIds, own) =>
    [...new Set(linkedIds.map((id) => groupOf.get(id)))].flatMap((groupId) => {
      const members = groupId === undefined ? undefined : groups.get(groupId)
      const shown = members && chooseVersion(members, linkPreference(viewer, own))
      if (!shown) return []
      if (viewer.language === undefined) return [shown]
      return [{ ...shown, translations: Object.fromEntries(members.map(({ language, id }) => [language, id])) }]
    })
}
