import type { Translation } from '../../base/languages/chain.ts'
import type { TranslationIds } from './viewer.ts'

/** All versions of linked items, by the id in the link. */
export type LinkedGroups<V extends Translation> = ReadonlyMap<number, readonly V[]>

/** Returns the versions of each of these ids, by the id. */
export function groupTranslationsById<V extends Translation>(
  ids: readonly number[],
  versions: readonly V[],
): LinkedGroups<V> {
  const groups = Map.groupBy(versions, ({ groupId }) => groupId)
  const given = new Set(ids)
  return new Map(versions.flatMap(({ id, groupId }) => (given.has(id) ? [[id, groups.get(groupId) ?? []]] : [])))
}

/** Returns the distinct groups of these links, in the order of the links. */
export function distinctGroups<V extends Translation>(
  linkedIds: readonly number[],
  groups: LinkedGroups<V>,
): readonly (readonly V[])[] {
  const [first] = linkedIds
  if (first === undefined) return []
  if (linkedIds.length === 1) {
    const group = groups.get(first)
    return group && group.length > 0 ? [group] : []
  }
  const named = new Map<number, readonly V[]>()
  for (const id of linkedIds) {
    const group = groups.get(id)
    const groupId = group?.[0]?.groupId
    if (group && groupId !== undefined && !named.has(groupId)) named.set(groupId, group)
  }
  return [...named.values()]
}

/** Returns the ids of the versions by language. */
export function translationIdsOf(versions: readonly Translation[]): TranslationIds {
  return Object.fromEntries(versions.map(({ language, id }) => [language, id]))
}
