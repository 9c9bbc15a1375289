import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit } from '../../access/auth/policy.ts'
import type { RecordValidators } from '../../access/http/precondition.ts'
import type { Route } from '../../access/http/route.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { StoredRecordKind } from './record.ts'
import { findRecordValidators } from './record.validators.repository.ts'

/** Returns the version of a record, if the actor may change it: nobody else learns that it exists. */
export async function editableValidators(
  db: Db,
  { kind, id }: { readonly kind: StoredRecordKind; readonly id: number },
  actor: Actor,
): Promise<RecordValidators | undefined> {
  const found = await findRecordValidators(db, kind, id)
  return found && mayEdit(actor, found) ? found : undefined
}

/** Finds the version of the record whose id is in the path. */
export const validatorsInPath =
  (kind: StoredRecordKind): NonNullable<Route['validators']> =>
  (db, { id }, { actor }) =>
    editableValidators(db, { kind, id: Number(id) }, actor)
