import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayCreate } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { fail } from '../../base/problems.ts'
import { assertRestorable } from '../records/record.trash.ts'
import {
  countEventsOf,
  deleteRecords,
  listVersionsToDelete,
  type TrashedKind,
  type TrashedVersion,
} from './purge.repository.ts'

/** What was deleted, or would be. */
export interface Purged {
  readonly versions: readonly TrashedVersion[]
  /** How many events outside the trash still name the venue or the organizer. */
  readonly events: number
}

/**
 * Deletes a record that is in the trash, with its translations. It cannot be undone.
 *
 * @throws rest_forbidden, record-not-found, record-not-in-trash: also if a translation is not in the trash
 */
export async function purgeRecord(
  { deps, actor, kind }: { readonly deps: Deps; readonly actor: Actor; readonly kind: TrashedKind },
  id: number,
): Promise<Purged> {
  const { storage } = deps
  const { dialect } = storage
  return storage.write(async (tx) => {
    assertAllowed(actor, mayCreate(actor))
    const versions = await listVersionsToDelete(tx, dialect, { kind, id })
    if (!versions.some((version) => version.id === id)) fail('record-not-found')
    // Who may not restore one of them may not delete any.
    for (const version of versions) assertRestorable(actor, version)
    const ids = versions.map((version) => version.id)
    const events = await countEventsOf(tx, dialect, { kind, ids })
    await deleteRecords(tx, dialect, { kind, ids })
    return { versions, events }
  })
}
