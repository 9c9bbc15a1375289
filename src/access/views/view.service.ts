import { fail, failParameter } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { UserId } from '../auth/actor.ts'
import type { Deps } from '../deps.ts'
import { findView, insertView, listViews, removeView, updateView } from './view.repository.ts'
import { maxViews, type SavedView } from './view.ts'

interface ViewOwner {
  readonly deps: Pick<Deps, 'storage' | 'now'>
  readonly userId: UserId
}

/**
 * Keeps a view.
 *
 * @throws too-many-views, rest_invalid_param (name)
 */
export async function createView(
  { deps, userId }: ViewOwner,
  { name, query }: Pick<SavedView, 'name' | 'query'>,
): Promise<SavedView> {
  return deps.storage.writeWithoutRevision(async (tx) => {
    const views = await listViews(tx, userId)
    if (views.length >= maxViews) fail('too-many-views')
    assertNewName(views, name)
    return insertView(tx, { userId, name, query, modifiedAt: deps.now() })
  })
}

/**
 * Renames a view, or gives it another filter.
 *
 * @throws record-not-found, rest_invalid_param (name)
 */
export async function changeView(
  { deps, userId }: ViewOwner,
  id: number,
  { name, query }: Partial<Pick<SavedView, 'name' | 'query'>>,
): Promise<SavedView> {
  return deps.storage.writeWithoutRevision(async (tx) => {
    const view = await findOwn(tx, userId, id)
    const views = await listViews(tx, userId)
    if (name !== undefined) {
      assertNewName(
        views.filter((one) => one.id !== id),
        name,
      )
    }
    return updateView(tx, { ...view, name: name ?? view.name, query: query ?? view.query, modifiedAt: deps.now() })
  })
}

/**
 * Removes a view, and returns it as it was.
 *
 * @throws record-not-found
 */
export async function deleteView({ deps, userId }: ViewOwner, id: number): Promise<SavedView> {
  return deps.storage.writeWithoutRevision(async (tx) => {
    const view = await findOwn(tx, userId, id)
    await removeView(tx, id)
    return view
  })
}

async function findOwn(tx: Tx, userId: UserId, id: number): Promise<SavedView> {
  return (await findView(tx, userId, id)) ?? fail('record-not-found')
}

function assertNewName(views: readonly SavedView[], name: string): void {
  if (views.some((one) => one.name === name)) failParameter('name', 'fault.view-name')
}
