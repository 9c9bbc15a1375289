import type { Db, RecordRow } from '../../storage/database/tables.ts'

/** Returns records whose publication date has come, earliest first. */
export async function listDueRecords(
  db: Db,
  now: number,
  limit: number,
): Promise<readonly { readonly id: number; readonly kind: RecordRow['kind'] }[]> {
  return db
    .selectFrom('records')
    .select(['id', 'kind'])
    .where('kind', 'in', ['event', 'series', 'venue', 'organizer'])
    .where('status', '=', 'future')
    .where('dated_at', '<=', now)
    .orderBy('dated_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
