import { sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import { textParameter } from '../../storage/database/statements/sql.parameters.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { type OwnedRecord, ownedFromRow } from './record.repository.ts'
import type { StoredRecordKind } from './record.ts'

/** Returns the version of a record as the policy and the preconditions of writes need it. Runs at most one query. */
export async function findRecordValidators(
  db: Db,
  kind: StoredRecordKind,
  id: number,
): Promise<(OwnedRecord & { readonly version: number; readonly modifiedAt: number }) | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const row = await db
    .selectFrom('records')
    .select(['id', 'author_id', 'status', 'password', 'change_count', 'modified_at'])
    .where('id', '=', id)
    .where('kind', '=', textParameter(kind))
    .executeTakeFirst()
  return (
    row && {
      ...ownedFromRow(row),
      version: row.change_count,
      modifiedAt: row.modified_at,
    }
  )
}

/** Notes a change of many records whose shared parts stay the same. Runs one statement. */
export async function touchRecords(
  tx: Tx,
  dialect: Dialect,
  of: { readonly ids: readonly number[]; readonly at: number },
): Promise<void> {
  await sql`update records set modified_at = ${of.at}, change_count = change_count + 1
    where ${dialect.isAmong(sql.ref('id'), of.ids)}`.execute(tx)
}
