import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit } from '../../access/auth/policy.ts'
import type { RecordVersion } from '../../access/http/precondition.ts'
import type { Route } from '../../access/http/route.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { StoredRecordKind } from './record.ts'
import { findRecordVersion } from './record.version.repository.ts'

/** Returns the version of a record, if the actor may change it: nobody else learns that it exists. */
export async function editableVersion(
  db: Db,
  { kind, id }: { readonly kind: StoredRecordKind; readonly id: number },
  actor: Actor,
): Promise<RecordVersion | undefined> {
  const found = await findRecordVersion(db, kind, id)
  return found && mayEdit(actor, found) ? found : undefined
}

/** Finds the version of the record whose id is in the path. */
export const versionInPath =
  (kind: StoredRecordKind): NonNullable<Route['version']> =>
  (db, { id }, { actor }) =>
    editableVersion(db, { kind, id: Number(id) }, actor)
