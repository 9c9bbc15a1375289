import type { Db } from '../../storage/database/tables.ts'
import { type OwnedRecord, ownedFromRow } from './record.repository.ts'
import type { RecordKind } from './record.ts'

/** Returns the version of a record as the policy and the preconditions of writes need it. Runs at most one query. */
export async function findRecordVersion(
  db: Db,
  kind: RecordKind,
  id: number,
): Promise<(OwnedRecord & { readonly version: number; readonly modifiedAt: number }) | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const row = await db
    .selectFrom('records')
    .select(['id', 'author_id', 'status', 'password', 'change_count', 'modified_at'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return (
    row && {
      ...ownedFromRow(row),
      version: row.change_count,
      modifiedAt: row.modified_at,
    }
  )
}
